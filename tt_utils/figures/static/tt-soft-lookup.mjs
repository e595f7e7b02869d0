/** <tt-soft-lookup>: slide a query along three keys, at any temperature. */

import { Figure, GREY, KEY, QUERY, s, VALUE } from "./base.mjs";
import { define, h, shown } from "./dom.mjs";
import { softmax } from "./engine.mjs";

const KEYS = [-2, 0, 2];
const VALUES = [1, 4, 2];
const [WIDTH, HEIGHT] = [420, 250];
const x = (place) => WIDTH / 2 + (place * WIDTH) / 7;
const y = (value) => HEIGHT - 40 - value * 40;

class SoftLookup extends Figure {
  static label = "A soft lookup";
  static question = {
    text: "Three entries hold the values 1, 4 and 2. The query stands on the middle key. You raise "
      + "the temperature further and further. Where does the answer go?",
    answers: ["to 2.33, the mean of all three", "to 4, the value of the nearest key", "to 0"],
    order: [1, 0, 2],
    because: "A high temperature makes all weights equal; a low one leaves only the nearest key.",
  };

  static keys = ["query", "temperature"];
  query = 0;
  temperature = 1;

  /** The slider moves on a logarithmic scale. */
  get heat() {
    return Math.log10(this.temperature);
  }

  set heat(given) {
    this.temperature = Number((10 ** given).toPrecision(3));
  }

  build(place) {
    this.drawing = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
    this.result = h("p", { className: "number", "aria-live": "polite" });
    place.append(this.drawing,
      h("div", { className: "sliders" },
        ...this.slider("query", "query", -3, 3, 0.1, (q) => shown(q, 1)),
        ...this.slider("temperature", "heat", -1.5, 1.5, 0.1, () => shown(this.temperature))),
      this.result);
  }

  /** Scores fall with the squared distance; both numbers are per unit of temperature. */
  look(query) {
    const weights = softmax(KEYS.map((key) => -((query - key) ** 2) / 2 / this.temperature));
    return { weights, answer: VALUES.reduce((sum, v, i) => sum + weights[i] * v, 0) };
  }

  draw() {
    const { weights, answer } = this.look(this.query);
    const path = Array.from({ length: 121 }, (_, i) => -3 + i / 20)
      .map((q, i) => `${i ? "L" : "M"}${x(q)} ${y(this.look(q).answer)}`).join("");
    this.drawing.setAttribute("aria-label", `The answer is ${shown(answer)}.`);
    this.drawing.replaceChildren(
      s("path", { class: "line", d: `M0 ${y(0)}H${WIDTH}` }),
      s("path", { d: path, fill: "none", stroke: GREY, "stroke-width": 2 }),
      ...KEYS.flatMap((key, i) => [
        s("rect", { x: x(key) - 14, width: 28, y: y(VALUES[i]) - 5, height: 10, fill: VALUE }),
        s("text", { x: x(key) + 18, y: y(VALUES[i]) + 4 }, `value ${VALUES[i]}`),
        s("path", { d: `M${x(key)} ${y(0)}v${-38 * weights[i]}`, stroke: KEY, "stroke-width": 9 }),
        s("text", { x: x(key), y: y(0) + 18, "text-anchor": "middle" },
          `key ${shown(key, 0)}: ${shown(weights[i])}`),
      ]),
      s("path", { d: `M${x(this.query)} 4V${y(0)}`, stroke: QUERY, "stroke-width": 2,
        "stroke-dasharray": "5 4" }),
      s("circle", { cx: x(this.query), cy: y(answer), r: 7, fill: QUERY }),
      s("text", { x: x(this.query), y: HEIGHT - 4, "text-anchor": "middle" }, "query"),
    );
    this.result.textContent = `Answer: ${VALUES.map((v, i) => `${shown(weights[i])} · ${v}`).join(" + ")}`
      + ` = ${shown(answer)}.`;
  }
}

define("tt-soft-lookup", SoftLookup);
