/** <tt-dot-product>: drag two vectors and watch their dot product and cosine. */

import { Figure, KEY, QUERY, s, set } from "./base.mjs";
import { define, h, shown } from "./dom.mjs";

const REACH = 4;
const UNIT = 45;

class DotProduct extends Figure {
  static label = "Two vectors and their dot product";
  static question = {
    text: "Two vectors stand at a right angle. You make one of them three times as long. "
      + "What happens to their dot product?",
    answers: ["it stays 0", "it becomes 3 times as large", "it changes its sign"],
    order: [1, 0, 2],
    because: "Three times nothing is nothing. Drag the tips, or use the arrow keys, and look for "
      + "all places of v with u · v = 0.",
  };

  static keys = ["u", "v"];
  u = [3, 1];
  v = [-1, 3];

  build(place) {
    const size = 2 * REACH * UNIT;
    this.drawing = s("svg", { viewBox: `0 0 ${size} ${size}`, role: "group",
      "aria-label": "A plane with the vectors u and v" });
    this.drawing.append(
      s("path", { class: "line", d: `M0 ${size / 2}H${size}M${size / 2} 0V${size}` }));
    this.tips = Object.fromEntries(Object.entries({ u: QUERY, v: KEY }).map(([name, color]) =>
      [name, this.#tip(name, color)]));
    this.result = h("p", { className: "number", "aria-live": "polite" });
    place.append(this.drawing, this.result);
  }

  #tip(name, color) {
    const line = s("path", { stroke: color, "stroke-width": 4, fill: "none" });
    const tip = s("circle", { r: 11, fill: color, tabindex: 0, role: "slider",
      "aria-label": `tip of ${name}`, "aria-valuemin": -REACH, "aria-valuemax": REACH });
    const text = s("text", { "font-weight": "bold" }, name);
    const moved = (x, y) => {
      const clip = (c) => Math.max(-REACH, Math.min(REACH, Math.round(4 * c) / 4));
      this[name] = [clip(x), clip(y)];
      this.redraw();
    };
    tip.addEventListener("pointerdown", (event) => tip.setPointerCapture(event.pointerId));
    tip.addEventListener("pointermove", (event) => {
      if (!tip.hasPointerCapture(event.pointerId)) return;
      const box = this.drawing.getBoundingClientRect();
      const place = (at, from, length) => ((at - from) / length) * 2 * REACH - REACH;
      moved(place(event.clientX, box.left, box.width), -place(event.clientY, box.top, box.height));
    });
    tip.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
      if (!step) return;
      event.preventDefault();
      const [x, y] = this[name];
      moved(x + step[0] / 4, y + step[1] / 4);
    });
    this.drawing.append(line, tip, text);
    return { line, tip, text };
  }

  draw() {
    for (const [name, [x, y]] of Object.entries(this.state)) {
      const { line, tip, text } = this.tips[name];
      const [cx, cy] = [(REACH + x) * UNIT, (REACH - y) * UNIT];
      set(line, { d: `M${REACH * UNIT} ${REACH * UNIT}L${cx} ${cy}` });
      set(tip, { cx, cy, "aria-valuetext": `${x}, ${y}`, "aria-valuenow": x });
      set(text, { x: cx + 14, y: cy - 10 });
    }
    const { u, v } = this;
    const dot = u[0] * v[0] + u[1] * v[1];
    const lengths = Math.hypot(...u) * Math.hypot(...v);
    const pair = ([x, y]) => `(${shown(x)}, ${shown(y)})`;
    this.result.textContent = `u = ${pair(u)}, v = ${pair(v)}: u · v = `
      + `${shown(u[0])} · ${shown(v[0])} + ${shown(u[1])} · ${shown(v[1])} = ${shown(dot)}; `
      + (lengths ? `cosine ${shown(dot / lengths)}.` : "a zero vector has no cosine.");
  }
}

define("tt-dot-product", DotProduct);
