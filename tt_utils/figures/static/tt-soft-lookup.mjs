/** <tt-soft-lookup>: slide a query along three keys, at any temperature. */

import { Figure } from "./base.mjs";
import { define, h, shown } from "./dom.mjs";
import { GREY, KEY, label, QUERY, s, VALUE } from "./svg.mjs";
import { softmax } from "./matrix.mjs";

const KEYS = [-2, 0, 2];
const VALUES = [1, 4, 2];
const [WIDTH, HEIGHT] = [360, 246];
const x = (place) => WIDTH / 2 + 12 + place * 48;
const y = (value) => HEIGHT - 40 - value * 41;

class SoftLookup extends Figure {
  static label = "A soft lookup";
  static question = {
    text: "Three entries lie at −2, 0 and 2 and hold 1, 4 and 2. The query stands at 1, just between "
      + "two of them. You lower the temperature further and further. Where does the answer go?",
    answers: ["to 3, between 4 and 2", "to 4, the larger of the two", "to 2.33, the mean of all three"],
    order: [1, 0, 2],
    because: "A low temperature leaves only the nearest key, but here two are nearest, and they "
      + "share. Move the query to 1 and cool it; then move it by 0.1.",
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
      ...[0, 1, 2, 3, 4].flatMap((value) => [
        s("path", { class: value ? "faint" : "line", d: `M26 ${y(value)}H${WIDTH}` }),
        label(18, y(value) + 4, String(value), "end")]),
      label(4, 14, "answer"),
      s("path", { d: path, fill: "none", stroke: GREY, "stroke-width": 2 }),
      s("path", { d: `M${x(this.query)} 22V${y(0)}`, stroke: QUERY, "stroke-width": 2,
        "stroke-dasharray": "5 4" }),
      ...KEYS.flatMap((key, i) => [
        s("rect", { x: x(key) - 14, width: 28, y: y(VALUES[i]) - 5, height: 10, fill: VALUE }),
        label(x(key), y(VALUES[i]) - 11, `value ${VALUES[i]}`, "middle"),
        s("path", { d: `M${x(key)} ${y(0)}v${-38 * weights[i]}`, stroke: KEY, "stroke-width": 9 }),
        label(x(key), y(0) + 17, `key ${shown(key, 0)}`, "middle"),
        label(x(key), y(0) + 33, `weight ${shown(weights[i])}`, "middle"),
      ]),
      s("circle", { cx: x(this.query), cy: y(answer), r: 7, fill: QUERY }),
      label(x(this.query), 16, "query", "middle strong"),
    );
    this.result.textContent = `Answer: ${VALUES.map((v, i) => `${shown(weights[i])} · ${v}`).join(" + ")}`
      + ` = ${shown(answer)}.`;
  }
}

define("tt-soft-lookup", SoftLookup);
