/** Every tensor on the way of one sentence, by the name of the PyTorch module that gives it. */

import { BEGIN, Transformer } from "./engine.mjs";
import { matrix, row, softmax } from "./matrix.mjs";
import { translate } from "./greedy.mjs";

/** @typedef {import("./matrix.mjs").Matrix} Matrix */

/** A Transformer that keeps what each of its steps gives. */
class Traced extends Transformer {
  /** @type {Map<string, Matrix>} */
  seen = new Map();
  /** @type {Map<string, import("./layers.mjs").Head[]>} */
  heads = new Map();

  /** A copy: later steps add to the same numbers. */
  keep(name, x) {
    this.seen.set(name, { ...x, data: x.data.slice() });
    return x;
  }

  look(ids, name) { return this.keep(`${name}.rows`, super.look(ids, name)); }
  embed(ids, name, changes) { return this.keep(name, super.embed(ids, name, changes)); }
  norm(x, name) { return this.keep(name, super.norm(x, name)); }
  feedForward(x, name) { return this.keep(name, super.feedForward(x, name)); }
  score(x) { return this.keep("generator", super.score(x)); }

  add(x, y, name, changes) {
    super.add(x, y, name, changes);
    this.keep(name, x);
  }

  attention(given) {
    const found = super.attention(given);
    this.keep(given.name, found.out);
    this.heads.set(given.name, found.heads);
    return found;
  }
}

/**
 * @typedef {object} Trace
 * @property {number[]} source  Ids that the encoder reads.
 * @property {number[]} target  Ids that the decoder reads: begin, and the translation.
 * @property {number[]} wrote  What it writes at each of them.
 * @property {number[]} written  The same without the end: the translation.
 * @property {number[]} shares  How probable each of these was.
 * @property {Map<string, Matrix>} seen  With "softmax", which no module gives.
 * @property {Map<string, import("./layers.mjs").Head[]>} heads  By attention.
 */

/** Read the target at once, as in training, after the source. */
function reread(traced, memory, target, changes) {
  const logits = traced.decode(target, memory, changes);
  const shares = matrix(logits.rows, logits.columns);
  for (let i = 0; i < logits.rows; i++) row(shares, i).set(softmax(row(logits, i)));
  traced.keep("softmax", shares);
  return { seen: traced.seen, heads: traced.heads };
}

const watched = ({ transformer: { config, tensors } }) => new Traced(config, tensors);

/** Read source and target at once, as in training. */
export function reading(model, source, target, changes) {
  const traced = watched(model);
  return reread(traced, traced.encode(source, changes), target, changes);
}

/**
 * Translate a text greedily, then read source and translation once more.
 *
 * @param {import("./model-file.mjs").Model} model
 * @param {string} text
 * @param {import("./layers.mjs").Changes} [changes]
 * @param {number[]} [forced]  The first words, chosen by the reader.
 * @returns {Trace}
 */
export function trace(model, text, changes = {}, forced = []) {
  const source = model.read(text).ids;
  const traced = watched(model);
  const memory = traced.encode(source, changes);
  const { wrote, shares, written } = translate(model, text, changes, forced, memory);
  const target = [BEGIN, ...wrote.slice(0, -1)];
  return { source, target, written, wrote, shares, ...reread(traced, memory, target, changes) };
}
