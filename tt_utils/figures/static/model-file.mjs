/** The trained translator: its words, and how text becomes ids. */

import { Transformer, END, UNKNOWN } from "./engine.mjs";
import { StoredModel } from "./stored-model.mjs";

/** @typedef {import("./matrix.mjs").Matrix} Matrix */

/**
 * @typedef {object} Info  What model.json holds.
 * @property {import("./engine.mjs").Config} config
 * @property {{source: string[], target: string[]}} words  The place is the id.
 * @property {Snapshot[]} snapshots  The last one is the trained model.
 * @property {{source: string, target: string, sure: number[][], possible: number[][]}[]}
 *   examples  Sentences of the grammar with their gold links (source, target).
 * @property {boolean} [objects]  Did it learn pronouns as objects, too: *I see you*?
 */

/**
 * @typedef {object} Snapshot  The model after some steps of its training.
 * @property {number} step
 * @property {number} exact  Share of unseen sentences translated exactly.
 * @property {string} file  Name of the file with the numbers, compressed by gzip.
 * @property {string} sha256  Of the numbers, not compressed.
 */

/** A translator from words to words. */
export class Model extends StoredModel {
  /**
   * @param {Info} info
   * @param {Map<string, Matrix>} tensors
   */
  constructor(info, tensors) {
    super(info, tensors);
    this.transformer = new Transformer(info.config, tensors);
    this.source = info.words.source;
    this.target = info.words.target;
    this.ids = new Map(this.source.map((word, id) => [word, id]));
  }

  /**
   * Split a text into the words that the model knows, and ids; what ends a statement
   * is left out, as in the sentences of the training.
   *
   * @param {string} text
   * @returns {{words: string[], ids: number[], unknown: string[]}}  ids end with END.
   */
  read(text) {
    const clean = text.normalize("NFC").replace(UNSEEN, "");
    const words = clean.match(/[\p{L}\p{M}\p{N}_]+|[^\p{L}\p{M}\p{N}_\s]/gu) ?? [];
    if (words.at(-1) === "." || words.at(-1) === "!") words.pop();
    const known = words.map(
      (word) => forms(word).find((form) => this.ids.has(form)) ?? word,
    );
    const ids = known.map((word) => this.ids.get(word) ?? UNKNOWN);
    const unknown = known.filter((word) => !this.ids.has(word));
    return { words: known, ids: [...ids, END], unknown };
  }
}

/** What stands for a word that the model doesn't know. */
export const SOME_WORD = "⟨?⟩";
const SIGNS = { "<s>": "start", "</s>": "end", "<unk>": SOME_WORD, "<pad>": "⟨pad⟩" };

/** A word of the vocabulary as a reader sees it. */
export const named = (word) => SIGNS[word] ?? word;

/** Ids as the words that a reader sees. */
export const wordsOf = (ids, vocabulary) => ids.map((id) => named(vocabulary[id]));

// Zero-width and other format characters, and control characters but white space.
const UNSEEN = /(?!\s)\p{C}/gu;

function forms(word) {
  const lower = word.toLowerCase();
  return [word, lower, lower.charAt(0).toUpperCase() + lower.slice(1)];
}

