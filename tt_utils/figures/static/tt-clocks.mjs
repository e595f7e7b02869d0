/** <tt-clocks>: positions as clock hands; what a step of s positions does to them. */

import { Figure } from "./base.mjs";
import { define, h, shown } from "./dom.mjs";
import { label, s } from "./svg.mjs";
import { positions } from "./engine.mjs";
import { dot, row } from "./matrix.mjs";

const WIDTH = 16;
const COUNT = 128;
const PLACES = positions(COUNT, WIDTH);
const HANDS = [0, 2, 4, 6];

const product = (p, q) => dot(PLACES, p, PLACES, q);

// Positions, and no queries or keys.
const HERE = "#a65ab0";
const THERE = "#b8860b";

class Clocks extends Figure {
  static label = "Positions as clock hands";
  static question = {
    text: "Two positions lie 44 apart. Which of the four clocks, read alone, would take them for "
      + "the same position?",
    answers: ["the fastest", "the slowest", "none of them"],
    order: [1, 0, 2],
    because: "It turns by 1 radian per position, and 44 radians are seven whole turns, so both hands "
      + "lie on one another. The slower clocks tell the positions apart. Set the distance to 44.",
  };

  static keys = ["p", "s"];
  p = 3;
  s = 5;

  build(place) {
    this.drawing = s("svg", { viewBox: "0 0 360 192", role: "img" });
    this.result = h("p", { className: "number", "aria-live": "polite" });
    place.append(this.drawing,
      h("div", { className: "sliders" },
        ...this.slider("position p", "p", 0, 63, 1),
        ...this.slider("distance s", "s", 0, 63, 1)),
      this.result);
  }

  draw() {
    const [a, b] = [row(PLACES, this.p), row(PLACES, this.p + this.s)];
    this.drawing.setAttribute("aria-label", `Four clocks, from fast to slow, with a hand for `
      + `position ${this.p} and one for position ${this.p + this.s}.`);
    this.drawing.replaceChildren(...HANDS.flatMap((pair, i) => {
      const [cx, cy, r] = [45 + 90 * i, 84, 39];
      const speed = 10_000 ** (-pair / WIDTH);
      const turned = ((this.s * speed * 180) / Math.PI) % 360;
      // Sine to the right and cosine upwards: position 0 stands at twelve.
      const tip = (x, length) => `${cx + length * x[pair]} ${cy - length * x[pair + 1]}`;
      const [endX, endY] = tip(b, r).split(" ");
      return [
        label(cx, 14, "a turn in", "middle"),
        label(cx, 31, `${shown((2 * Math.PI) / speed, speed < 0.1 ? 0 : 1)} steps`, "middle"),
        s("circle", { class: "line", cx, cy, r }),
        s("path", { class: "line", d: `M${tip(a, 16)}A16 16 0 ${turned > 180 ? 1 : 0} 1 ${tip(b, 16)}` }),
        s("path", { d: `M${cx} ${cy}L${tip(a, r)}`, stroke: HERE, "stroke-width": 5 }),
        s("path", { d: `M${cx} ${cy}L${tip(b, r)}`, stroke: THERE, "stroke-width": 3,
          "stroke-dasharray": "6 3" }),
        s("circle", { cx: endX, cy: endY, r: 5, fill: THERE }),
        label(cx, 147, `turned ${shown(turned, 0)}°`, "middle"),
      ];
    }),
    s("path", { d: "M8 176h30", stroke: HERE, "stroke-width": 5 }),
    label(44, 180, `position p = ${this.p}`),
    s("path", { d: "M172 176h30", stroke: THERE, "stroke-width": 3, "stroke-dasharray": "6 3" }),
    s("circle", { cx: 202, cy: 176, r: 5, fill: THERE }),
    label(214, 180, `position p + s = ${this.p + this.s}`));
    this.result.textContent = `PE(${this.p}) · PE(${this.p + this.s}) = ${shown(product(this.p, this.p + this.s))}`
      + ` (${WIDTH} numbers per position; the four slowest clocks are not drawn).`;
  }
}

define("tt-clocks", Clocks);
