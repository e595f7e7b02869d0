/** One translation, word by word, with all that a figure shows of it. */

import { BEGIN, END } from "./engine.mjs";
import { row, softmax } from "./matrix.mjs";

/** @typedef {import("./layers.mjs").Head} Head */
/** @typedef {import("./layers.mjs").Changes} Changes */
/** @typedef {import("./matrix.mjs").Matrix} Matrix */

export const LONGEST = 40;

/**
 * @typedef {object} Translation
 * @property {number[]} wrote  What it writes, word by word, the end among them.
 * @property {number[]} shares  How probable each of these was.
 * @property {number[]} written  The same without the end.
 */

/**
 * Translate greedily; `forced` are the first words, chosen by the reader.
 *
 * @param {import("./model-file.mjs").Model} model
 * @param {string} text
 * @param {Changes} [changes]
 * @param {number[]} [forced]
 * @param {Matrix} [memory]  Of the text, where it has been read already.
 * @returns {Translation}
 */
export function translate(model, text, changes = {}, forced = [],
  memory = model.transformer.encode(model.read(text).ids, changes)) {
  // Without the mask each new word changes what stands before it.
  const cache = changes.unmasked ? undefined : new Map();
  const read = [BEGIN];
  const [wrote, shares] = [[], []];
  const longest = Math.min(LONGEST, model.info.config.max_len);
  while (wrote.length < longest && wrote.at(-1) !== END) {
    const logits = model.transformer.decode(read, memory, changes, cache);
    const chances = softmax(row(logits, logits.rows - 1));
    const next = forced[wrote.length] ?? largest(chances);
    wrote.push(next);
    shares.push(chances[next]);
    if (next !== END) read.push(next);
  }
  return { wrote, shares, written: read.slice(1) };
}

function largest(chances) {
  return chances.reduce((best, chance, id) => (chance > chances[best] ? id : best), 0);
}

/** The places of the `count` largest numbers, largest first. */
export function top(chances, count) {
  return [...chances.keys()].sort((a, b) => chances[b] - chances[a]).slice(0, count);
}

export const headName = (head) => (head === "mean" ? "mean of the heads" : `head ${head + 1}`);

/**
 * What the reader sees as one table: a head's weights, or the mean over a layer's heads.
 *
 * @param {Head[]} heads  Of one layer.
 * @param {number | "mean"} which
 * @param {number[]} [gone]  Heads that are cut: the mean is that of the others.
 * @returns {Matrix}
 */
export function weightsOf(heads, which, gone = []) {
  if (which !== "mean") return heads[which].weights;
  const { rows, columns } = heads[0].weights;
  const data = new Float32Array(rows * columns);
  const left = heads.filter((_, head) => !gone.includes(head));
  for (const { weights } of left) {
    weights.data.forEach((share, i) => {
      data[i] += share / left.length;
    });
  }
  return { rows, columns, data };
}
