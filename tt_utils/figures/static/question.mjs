/** Predict, then reveal: to which source word does a step attend most? */

import { h, shown } from "./dom.mjs";
import { row } from "./matrix.mjs";
import { top } from "./greedy.mjs";

/** @typedef {import("./scene.mjs").Scene} Scene */

export class Question {
  #asked = null;
  #redraw;

  /** @param {() => void} redraw  Called when the reader asks, answers or is done. */
  constructor(redraw) {
    this.#redraw = redraw;
  }

  #become(asked) {
    this.#asked = asked;
    this.#redraw();
  }

  /**
   * The row whose numbers an answer would uncover.
   *
   * @param {Scene} scene  With another sentence or head the question is no more.
   * @returns {number | null}
   */
  covers(scene) {
    const { about, step, answer } = this.#asked ?? {};
    if (about !== topic(scene) || step > scene.t) this.#asked = null;
    return this.#asked && answer === null ? step : null;
  }

  /**
   * @param {Scene} scene
   * @returns {HTMLElement[]}
   */
  shown(scene) {
    const { result, source, t, last, weights, word } = scene;
    const about = topic(scene);
    if (!this.#asked) {
      return [h("button", { disabled: !about, onclick: () => {
        const any = Math.floor(Math.random() * result.written.length);
        this.#become({ about, step: t < last ? t : any, answer: null });
      } }, "Ask me first")];
    }
    const { step, answer } = this.#asked;
    const written = h("i", { lang: "es" }, word(result.steps[step].wrote));
    if (answer === null) {
      return [
        h("p", {}, "Which English word gets most weight when ", written, " is written?"),
        h("div", { className: "row" }, ...source.map((name, j) => h("button", {
          onclick: () => this.#become({ about, step, answer: j }),
        }, name))),
      ];
    }
    const shares = row(weights, step);
    const [best] = top(shares, 1);
    return [
      h("p", { role: "status" }, answer === best ? "Right: to write " : `Not ${source[answer]}: to write `,
        written, " it attends most to ", h("b", {}, source[best]),
        `, with ${shown(shares[best])} of the weight.`),
      h("button", { onclick: () => this.#become(null) }, "Done"),
    ];
  }
}

/** What a question is about; null where there is nothing to ask. */
function topic({ state: { kind, unmasked, head }, result, layer }) {
  const fit = kind === "cross" && !unmasked && result.words.length > 1;
  return fit ? [...result.words, layer, head].join(" ") : null;
}
