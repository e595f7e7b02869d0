/** Predict, then see: to which English word does the decoder attend most? */

import { h, shown } from "./dom.mjs";
import { apart, fetches, isLastCross, weightsAt, whoseWeights } from "./film-moments.mjs";
import { top } from "./greedy.mjs";

/** @typedef {import("./film-moments.mjs").Film} Film */
/** @typedef {import("./film-moments.mjs").Moment} Moment */

export class Question {
  /** Does the reader want to be asked? */
  wanted = false;
  #answers = new Map(); // by the word that was asked about
  #redraw;

  /** @param {() => void} redraw  Called when the reader has answered. */
  constructor(redraw) {
    this.#redraw = redraw;
  }

  /**
   * Is there something to ask at this moment, and no answer yet?
   *
   * @param {Film} film
   * @param {Moment} moment
   */
  open(film, moment) {
    return this.wanted && asks(film, moment) && !this.#answers.has(wordOf(film, moment));
  }

  /**
   * The question, or what became of the answer; nothing at a moment that isn't asked about, or
   * where the reader has since changed the model or chosen another head.
   *
   * @param {Film} film
   * @param {Moment} moment
   * @returns {(string | HTMLElement)[]}
   */
  said(film, moment) {
    if (!this.wanted || !asks(film, moment)) return [];
    const level = film.levels.decoder[moment.level];
    const words = apart(film.words.encoder);
    const whose = whoseWeights(film, level);
    if (this.open(film, moment)) {
      return [`To find its next word it will attend to the English words. To which most (${whose})? `,
        h("span", { className: "row" }, ...words.map((word, key) => h("button", {
          lang: "en", onclick: () => {
            this.#answers.set(wordOf(film, moment), { key, model: film.model, changes: changesOf(film) });
            this.#redraw();
          },
        }, word)))];
    }
    const { key, model, changes } = this.#answers.get(wordOf(film, moment));
    if (model !== film.model || changes !== changesOf(film)) return [];
    const shares = weightsAt(film, level, moment.lane);
    const [best] = top(shares, 1);
    const word = (text) => h("i", { lang: "en" }, text);
    return [...(key === best ? ["Right, most to "] : ["Not to ", word(words[key]), ", but to "]),
      word(words[best]), ` (${shown(shares[best])}, ${whose}). What it fetches is added. The heads may differ: look at each.`];
  }
}

/** The decoder's last cross-attention, once a word, if it fetches something. */
const asks = (film, { side, level }) => side === "decoder"
  && isLastCross(film.levels, level) && fetches(film, film.levels.decoder[level]);

/** What is asked once: a word of a sentence. */
const wordOf = ({ trace: { target, source } }, { lane }) => JSON.stringify([source, target.slice(0, lane + 1)]);

/** What an answer holds for, besides the model. */
const changesOf = ({ head, chosen }) => JSON.stringify([head, chosen]);
