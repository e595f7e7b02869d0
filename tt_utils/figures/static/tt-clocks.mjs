/** <tt-clocks>: positions as clock hands; what a step of k does to them. */

import { Figure, KEY, QUERY, s } from "./base.mjs";
import { define, h, shown } from "./dom.mjs";
import { dot, positions, row } from "./engine.mjs";

const WIDTH = 16;
const COUNT = 128;
const PLACES = positions(COUNT, WIDTH);
const HANDS = [0, 2, 4, 6];

const product = (p, q) => dot(PLACES, p, PLACES, q);

class Clocks extends Figure {
  static label = "Positions as clock hands";
  static question = {
    text: `The dot product of positions 3 and 8 is ${shown(product(3, 8))} in this figure. `
      + "What is that of positions 53 and 58?",
    answers: ["the same", "smaller, as both are far away", "larger, as both are far away"],
    order: [1, 0, 2],
    because: "Both hands of a clock turn by the same angle, so the angle between them stays. Only "
      + "the distance counts. Move p and watch the dot product.",
  };

  static keys = ["p", "k"];
  p = 3;
  k = 5;

  build(place) {
    this.drawing = s("svg", { viewBox: "0 0 440 150", role: "img" });
    this.result = h("p", { className: "number", "aria-live": "polite" });
    place.append(this.drawing,
      h("div", { className: "sliders" },
        ...this.slider("position p", "p", 0, 63, 1),
        ...this.slider("distance k", "k", 0, 63, 1)),
      this.result);
  }

  draw() {
    const [a, b] = [row(PLACES, this.p), row(PLACES, this.p + this.k)];
    this.drawing.setAttribute("aria-label", `Four clocks, from fast to slow, with a hand for `
      + `position ${this.p} and one for position ${this.p + this.k}.`);
    this.drawing.replaceChildren(...HANDS.flatMap((pair, i) => {
      const [cx, cy, r] = [55 + 110 * i, 65, 45];
      const hand = (x, stroke, name) => {
        // Sine to the right and cosine upwards: position 0 stands at twelve.
        const [dx, dy] = [x[pair], -x[pair + 1]];
        return [s("path", { d: `M${cx} ${cy}l${r * dx} ${r * dy}`, stroke, "stroke-width": 4 }),
          s("text", { x: cx + 1.2 * r * dx - 4, y: cy + 1.2 * r * dy + 4 }, name)];
      };
      const turn = ((this.k * 180) / Math.PI) * 10_000 ** (-pair / WIDTH);
      return [s("circle", { class: "line", cx, cy, r }), ...hand(a, QUERY, "p"),
        ...hand(b, KEY, "p+k"),
        s("text", { x: cx, y: 142, "text-anchor": "middle" }, `turned ${shown(turn % 360, 0)}°`)];
    }));
    this.result.textContent = `PE(${this.p}) · PE(${this.p + this.k}) = ${shown(product(this.p, this.p + this.k))}`
      + ` (${WIDTH} numbers per position; the four slowest clocks are not drawn).`;
  }
}

define("tt-clocks", Clocks);
