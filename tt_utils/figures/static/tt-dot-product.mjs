/** <tt-dot-product>: drag two vectors and watch their dot product, angle and projection. */

import { Figure } from "./base.mjs";
import { define, h, shown } from "./dom.mjs";
import { KEY, label, QUERY, s, set, VALUE } from "./svg.mjs";

const REACH = 4;
const UNIT = 45;
const SIZE = 2 * REACH * UNIT;
const TICKS = [-3, -2, -1, 1, 2, 3];
const AT_RIGHT_ANGLES = 1e-9;

const across = (x) => (REACH + x) * UNIT;
const up = (y) => (REACH - y) * UNIT;
const place = ([x, y]) => `${across(x)} ${up(y)}`;
const product = (u, v) => u[0] * v[0] + u[1] * v[1];

class DotProduct extends Figure {
  static label = "Two vectors and their dot product";
  static css = `
    .tip { cursor: grab; } .tip:active { cursor: grabbing; }
    .tip:focus-visible { outline: none; }
    .tip:focus-visible .ring { stroke: currentColor; stroke-width: 3; }
  `;
  static question = {
    text: "Two vectors stand at a right angle. You make one of them three times as long. "
      + "What happens to their dot product?",
    answers: ["it stays 0", "it becomes 3 times as large", "it changes its sign"],
    order: [1, 0, 2],
    because: "Three times nothing is nothing. Drag the tips, or use the arrow keys, and look for "
      + "all places of v with u · v = 0: each one that you find stays marked.",
  };

  static keys = ["u", "v"];
  u = [3, 1];
  v = [-1, 3];
  #found = new Map();
  #foundFor = "";

  build(container) {
    this.drawing = s("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, role: "group",
      "aria-label": "A plane with the vectors u and v" });
    const lines = TICKS.map((c) => `M${across(c)} 0V${SIZE}M0 ${up(c)}H${SIZE}`).join("");
    const half = SIZE / 2;
    this.between = s("g");
    this.drawing.append(
      s("path", { class: "faint", d: lines }),
      s("path", { class: "line", d: `M0 ${half}H${SIZE}M${half} 0V${SIZE}` }),
      ...TICKS.flatMap((c) => [label(across(c), half + 15, shown(c, 0), "middle"),
        label(half - 6, up(c) + 4, shown(c, 0), "end")]),
      this.between);
    this.tips = Object.fromEntries(Object.entries({ u: QUERY, v: KEY }).map(([name, color]) =>
      [name, this.#tip(name, color)]));
    this.result = h("p", { className: "number", "aria-live": "polite" });
    container.append(this.drawing, this.result);
  }

  #tip(name, color) {
    const line = s("path", { stroke: color, "stroke-width": 4, fill: "none" });
    const head = s("path", { fill: color });
    const ring = s("circle", { class: "ring", r: 13, fill: color, "fill-opacity": 0.2 });
    const tip = s("g", { class: "tip", tabindex: 0, role: "slider",
      "aria-label": `tip of ${name}`, "aria-valuemin": -REACH, "aria-valuemax": REACH },
    // As large as a finger.
    s("circle", { r: 26, fill: "transparent" }), ring);
    const text = label(0, 0, name, "strong");
    const moved = (x, y) => {
      const clip = (c) => Math.max(-REACH, Math.min(REACH, Math.round(4 * c) / 4));
      this[name] = [clip(x), clip(y)];
      this.redraw();
    };
    tip.addEventListener("pointerdown", (event) => tip.setPointerCapture(event.pointerId));
    // Chromium takes no heed of `touch-action` on parts of a drawing.
    tip.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
    tip.addEventListener("pointermove", (event) => {
      if (!tip.hasPointerCapture(event.pointerId)) return;
      const box = this.drawing.getBoundingClientRect();
      const at = (here, from, length) => ((here - from) / length) * 2 * REACH - REACH;
      moved(at(event.clientX, box.left, box.width), -at(event.clientY, box.top, box.height));
    });
    tip.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
      if (!step) return;
      event.preventDefault();
      const [x, y] = this[name];
      moved(x + step[0] / 4, y + step[1] / 4);
    });
    this.drawing.append(line, head, tip, text);
    return { line, head, tip, text };
  }

  draw() {
    const { u, v } = this;
    for (const [name, [x, y]] of Object.entries({ u, v })) {
      const { line, head, tip, text } = this.tips[name];
      const turn = -Math.atan2(y, x) * 180 / Math.PI;
      set(line, { d: `M${place([0, 0])}L${place([x, y])}` });
      set(head, { d: x || y ? "M2 0L-16 -8V8Z" : "",
        transform: `translate(${place([x, y])}) rotate(${turn})` });
      set(tip, { transform: `translate(${place([x, y])})`, "aria-valuetext": `${x}, ${y}`,
        "aria-valuenow": x });
      // Away from the origin, and inside the drawing.
      const inside = (c) => Math.max(14, Math.min(SIZE - 14, c));
      set(text, { x: inside(across(x) + (x < 0 ? -28 : 18)), y: inside(up(y) + (y < 0 ? 26 : -16)) });
    }
    const dot = product(u, v);
    const [long, wide] = [Math.hypot(...u), Math.hypot(...v)];
    this.#mark(dot);
    this.between.replaceChildren(...this.#trace(),
      ...(long && wide ? this.#angle(long, dot / long / wide, dot) : []));
    const pair = ([x, y]) => `(${shown(x)}, ${shown(y)})`;
    this.result.textContent = `u = ${pair(u)}, v = ${pair(v)}: u · v = `
      + `${shown(u[0])} · ${shown(v[0])} + ${shown(u[1])} · ${shown(v[1])} = ${shown(dot)}; `
      + (long && wide ? `cosine ${shown(dot / long / wide)}. v reaches ${shown(dot / long)} along u `
        + `(the broad band), and u · v is this times the length of u, ${shown(long)}.`
        : "a zero vector has no cosine.");
  }

  /** Keep the places of v where the dot product was 0; another u has others. */
  #mark(dot) {
    if (this.#foundFor !== String(this.u)) this.#found.clear();
    this.#foundFor = String(this.u);
    if (Math.abs(dot) < AT_RIGHT_ANGLES) this.#found.set(String(this.v), this.v);
  }

  #trace() {
    return [...this.#found.values()].map(([x, y]) =>
      s("circle", { class: "found", cx: across(x), cy: up(y), r: 6, fill: VALUE }));
  }

  /** The angle from u to v, and how far v reaches along u. */
  #angle(long, cosine, dot) {
    const { u, v } = this;
    const foot = u.map((c) => (c * dot) / long ** 2);
    const [from, to] = [u, v].map(([x, y]) => Math.atan2(y, x));
    const turn = ((to - from + 3 * Math.PI) % (2 * Math.PI)) - Math.PI;
    const at = (angle, r) => place([r * Math.cos(angle), r * Math.sin(angle)]);
    const degrees = Math.acos(Math.max(-1, Math.min(1, cosine))) * 180 / Math.PI;
    const [x, y] = at(from + turn / 2, 1.05).split(" ");
    return [
      s("path", { class: "line", "stroke-dasharray": "5 4", d: `M${place(v)}L${place(foot)}` }),
      s("path", { stroke: VALUE, "stroke-width": 8, "stroke-opacity": 0.55,
        d: `M${place([0, 0])}L${place(foot)}` }),
      s("path", { class: "line", d: `M${at(from, 0.7)}A${0.7 * UNIT} ${0.7 * UNIT} 0 0 `
        + `${turn > 0 ? 0 : 1} ${at(to, 0.7)}` }),
      label(x, Number(y) + 4, `${shown(degrees, 0)}°`, "middle"),
    ];
  }
}

define("tt-dot-product", DotProduct);
