/** <tt-scale>: eight random keys, with and without the division by √d_k. */

import { Figure } from "./base.mjs";
import { define, h, shown } from "./dom.mjs";
import { GREY, KEY, label, s } from "./svg.mjs";
import { softmax } from "./matrix.mjs";

const KEYS = 8;
const LARGEST = 1024;
const SEEDS = 1_000_000;

class Scale extends Figure {
  static label = "Softmax with and without the scale";
  static question = {
    text: "The right chart divides all eight dot products by √d_k. Can another key have the largest "
      + "bar there than on the left?",
    answers: ["never", "sometimes", "often, when d_k is large"],
    order: [2, 1, 0],
    because: "To divide all by the same number keeps their order: only the leads shrink. Draw new "
      + "keys, and try other widths.",
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
    this.drawing = s("svg", { viewBox: "0 0 360 216", role: "img" });
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
      label(left + 80, 16, title, "middle strong"),
      ...[0, 0.5, 1].flatMap((w) => [
        s("path", { class: w ? "faint" : "line", d: `M${left} ${170 - 140 * w}h156` }),
        left < 100 && label(left - 4, 174 - 140 * w, shown(w, 1), "end")]).filter(Boolean),
      ...Array.from(weights, (w, j) => [s("rect", { x: left + 3 + 19.5 * j, width: 14,
        y: 170 - 140 * w, height: 140 * w, fill }),
      label(left + 10 + 19.5 * j, 187, String(j + 1), "middle")]).flat(),
      label(left + 80, 206, "weight of each key", "middle"),
    ];
    const [a, b] = [plain, scaled].map((weights) => shown(Math.max(...weights)));
    this.drawing.setAttribute("aria-label",
      `Weights of eight keys. The largest is ${a} without the division and ${b} with it.`);
    this.drawing.replaceChildren(...bars(plain, 26, "softmax(q · k)", GREY),
      ...bars(scaled, 202, "softmax(q · k ÷ √d_k)", KEY));
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
