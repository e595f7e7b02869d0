/** Predict, then see: to which English word does the decoder attend most? */

import { h, shown } from "./dom.mjs";
import { goneAt, weightsAt, whoseWeights } from "./film-moments.mjs";
import { top } from "./greedy.mjs";

/** @typedef {import("./film-moments.mjs").Film} Film */
/** @typedef {import("./film-moments.mjs").Moment} Moment */

export class Question {
  /** Does the reader want to be asked? */
  wanted = false;
  #answer = { word: null, model: null, key: 0 };
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
    return this.wanted && asks(film, moment) && this.#answer.word !== wordOf(film, moment);
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
    const { words, levels, head } = film;
    const level = levels.decoder[moment.level];
    const whose = whoseWeights(head, goneAt(film, level));
    if (this.open(film, moment)) {
      return [`To find its next word it will attend to the English words. To which most (${whose})? `,
        h("span", { className: "row" }, ...words.encoder.map((word, key) => h("button", {
          lang: "en", onclick: () => {
            this.#answer = { word: wordOf(film, moment), model: modelOf(film), key };
            this.#redraw();
          },
        }, word)))];
    }
    const { model, key } = this.#answer;
    if (model !== modelOf(film)) return [];
    const shares = weightsAt(film, level, moment.lane);
    const [best] = top(shares, 1);
    const word = (text) => h("i", { lang: "en" }, text);
    return [...(key === best ? ["Right, most to "] : ["Not to ", word(words.encoder[key]), ", but to "]),
      word(words.encoder[best]), ` (${shown(shares[best])}, ${whose}). What it fetches is added. The heads may differ: look at each.`];
  }
}

/** The decoder's last cross-attention, once a word. */
const asks = ({ levels }, { side, level }) => side === "decoder"
  && level === levels.decoder.findLastIndex(({ kind }) => kind === "cross");

/** What is asked once: a word of a sentence. */
const wordOf = ({ trace: { target, source } }, { lane }) => JSON.stringify([source, target.slice(0, lane + 1)]);

/** What an answer holds for. */
const modelOf = ({ head, chosen }) => JSON.stringify([head, chosen]);
