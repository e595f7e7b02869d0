/** <tt-scale>: eight random keys, with and without the division by √d_k. */

import { Figure, GREY, KEY, s } from "./base.mjs";
import { define, h, shown } from "./dom.mjs";
import { softmax } from "./engine.mjs";

const KEYS = 8;
const LARGEST = 1024;
const SEEDS = 1_000_000;

class Scale extends Figure {
  static label = "Softmax with and without the scale";
  static question = {
    text: "One query meets eight random keys of 1,024 numbers, without the division by √d_k. How "
      + "much weight does the best of the eight get?",
    answers: ["nearly all of it", "about one half", "about one eighth"],
    order: [2, 1, 0],
    because: "The dot products scatter by about 32, and softmax turns a lead of a few points into "
      + "everything. Draw new keys, and try other widths.",
  };

  static keys = ["d_k", "seed"];
  d_k = 1024;
  seed = 1;

  get power() {
    return Math.log2(this.d_k);
  }

  set power(given) {
    this.d_k = 2 ** given;
  }

  build(place) {
    this.drawing = s("svg", { viewBox: "0 0 420 190", role: "img" });
    this.result = h("p", { className: "number", "aria-live": "polite" });
    place.append(this.drawing,
      h("div", { className: "sliders" },
        ...this.slider("numbers per vector, d_k", "power", 2, 10, 1, (p) => String(2 ** p))),
      h("div", { className: "row" }, h("button", {
        onclick: () => { this.seed = (this.seed % SEEDS) + 1; this.redraw(); },
      }, "New random keys")),
      this.result);
  }

  draw() {
    const d = this.d_k;
    const random = normal(this.seed);
    const numbers = Array.from({ length: (KEYS + 1) * LARGEST }, random);
    const products = Array.from({ length: KEYS }, (_, j) => {
      let sum = 0;
      for (let c = 0; c < d; c++) sum += numbers[c] * numbers[(j + 1) * LARGEST + c];
      return sum;
    });
    const plain = softmax(products);
    const scaled = softmax(products.map((p) => p / Math.sqrt(d)));
    const bars = (weights, left, title, fill) => [
      s("text", { x: left, y: 16 }, title),
      s("path", { class: "line", d: `M${left} 170h190` }),
      ...Array.from(weights, (w, j) => s("rect", { x: left + 5 + 23 * j, width: 17,
        y: 170 - 140 * w, height: 140 * w, fill })),
    ];
    const [a, b] = [plain, scaled].map((weights) => shown(Math.max(...weights)));
    this.drawing.setAttribute("aria-label",
      `Weights of eight keys. The largest is ${a} without the division and ${b} with it.`);
    this.drawing.replaceChildren(...bars(plain, 5, "q · k", GREY),
      ...bars(scaled, 220, "q · k ÷ √d_k", KEY));
    this.result.textContent = `Largest weight: ${a} without the division, ${b} with it. `
      + `Dot products from ${shown(Math.min(...products), 1)} to ${shown(Math.max(...products), 1)}.`;
  }
}

/** Normal random numbers, the same for the same seed. */
function normal(seed) {
  let state = seed * 2654435761;
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

define("tt-scale", Scale);
