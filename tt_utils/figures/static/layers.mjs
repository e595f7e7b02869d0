/**
 * The layers that every Transformer is made of, in plain JavaScript: pre-norm.
 *
 * They compute what the package's layers compute, one sentence at a time, and keep every
 * number that a figure may want to show. Each step is a method that is told its name in
 * PyTorch, so that a subclass can watch it (trace.mjs).
 */

import { below, dot, linear, matrix, normalise, row, slice, softmax } from "./matrix.mjs";

/** @typedef {import("./matrix.mjs").Matrix} Matrix */

/**
 * @typedef {object} Head  What one head of one attention did.
 * @property {Matrix} q  One row per query.
 * @property {Matrix} k  One row per key.
 * @property {Matrix} v  What those positions pass on.
 * @property {Matrix} scores  q·k ÷ √d_k; −∞ where the mask forbids it.
 * @property {Matrix} weights  Their softmax; each row adds up to 1.
 * @property {Matrix} fetched  For each query the sum of weight times value.
 */

/**
 * @typedef {object} Changes  What to do otherwise than in training.
 * @property {Set<string>} [cut]  Heads that answer nothing, as "cross.0.2".
 * @property {Set<string>} [skipped]  Sub-layers that add nothing, as "encoder.layers.0.residuals.1".
 * @property {boolean} [unmasked]  Let the decoder attend to later positions.
 * @property {boolean} [unplaced]  Add no positions.
 */

/**
 * @typedef {Map<string, {asked: Matrix, found: Matrix[]}>} Cache  Keys and values by attention, and
 *   the rows from which the last of them were made.
 */

/**
 * One head: compare, scale, weigh, blend.
 *
 * @param {(i: number, j: number) => boolean} may  May query i attend to key j?
 * @returns {Head}
 */
function attend(q, k, v, may) {
  const scores = matrix(q.rows, k.rows);
  const weights = matrix(q.rows, k.rows);
  const fetched = matrix(q.rows, v.columns);
  const scale = Math.sqrt(q.columns);
  for (let i = 0; i < q.rows; i++) {
    const asked = row(scores, i);
    for (let j = 0; j < k.rows; j++) {
      asked[j] = may(i, j) ? dot(q, i, k, j) / scale : -Infinity;
    }
    row(weights, i).set(softmax(asked));
    const blend = row(fetched, i);
    for (let j = 0; j < k.rows; j++) {
      const share = weights.data[i * k.rows + j];
      if (share === 0) continue;
      const value = row(v, j);
      for (let c = 0; c < blend.length; c++) blend[c] += share * value[c];
    }
  }
  return { q, k, v, scores, weights, fetched };
}

export const always = () => true;

export class Layers {
  /**
   * @param {{d_model: number, n_heads: number}} config
   * @param {Map<string, Matrix>} tensors  Named as in PyTorch's state_dict.
   */
  constructor(config, tensors) {
    this.config = config;
    this.tensors = tensors;
  }

  /** @returns {Matrix} */
  tensor(name) {
    const found = this.tensors.get(name);
    if (!found) throw new Error(`The model file lacks ${name}.`);
    return found;
  }

  linear(x, name) {
    const bias = this.tensors.get(`${name}.bias`);
    return linear(x, this.tensor(`${name}.weight`), bias);
  }

  norm(x, name) {
    return normalise(x, this.tensor(`${name}.weight`), this.tensor(`${name}.bias`));
  }

  /** The end of a residual road: what comes along the branch is added to x itself. */
  add(x, y, name = "", changes = {}) {
    if (changes.skipped?.has(name)) return;
    for (let i = 0; i < x.data.length; i++) x.data[i] += y.data[i];
  }

  /**
   * All heads of one attention, and W_O.
   *
   * @param {object} given
   * @param {string} given.name  Of its tables.
   * @param {string} given.place  Kind and layer; with a head, "cross.0" becomes "cross.0.2".
   * @param {Matrix} given.asking  The rows from which queries are made.
   * @param {Matrix} given.asked  The rows from which keys and values are made.
   * @param {(i: number, j: number) => boolean} given.may  The mask.
   * @param {Changes} given.changes
   * @param {Cache} [given.cache]  Where keys and values of the steps before are.
   * @returns {{out: Matrix, heads: Head[]}}
   */
  attention({ name, place, asking, asked, may, changes, cache }) {
    const { d_model, n_heads } = this.config;
    const width = d_model / n_heads;
    const q = this.linear(asking, `${name}.w_q`);
    const [k, v] = this.passed(name, asked, cache);
    const joined = matrix(asking.rows, d_model);
    const heads = [];
    for (let h = 0; h < n_heads; h++) {
      const parts = [q, k, v].map((x) => slice(x, h * width, width));
      const head = attend(...parts, may);
      heads.push(head);
      if (changes.cut?.has(`${place}.${h}`)) continue;
      for (let i = 0; i < joined.rows; i++) {
        joined.data.set(row(head.fetched, i), i * d_model + h * width);
      }
    }
    return { out: this.linear(joined, `${name}.w_o`), heads };
  }

  /** Keys and values, below those of the steps before; of the same rows they stay the same. */
  passed(name, asked, cache) {
    const before = cache?.get(name);
    if (before?.asked === asked) return before.found;
    const found = ["w_k", "w_v"].map((table, i) => {
      const x = this.linear(asked, `${name}.${table}`);
      return before ? below(before.found[i], x) : x;
    });
    cache?.set(name, { asked, found });
    return found;
  }

  /** What stands between the two matrices of a feed-forward network; by default ReLU. */
  activation(x) {
    return Math.max(0, x);
  }

  feedForward(x, name) {
    const wide = this.linear(x, `${name}.widen`);
    for (let i = 0; i < wide.data.length; i++) wide.data[i] = this.activation(wide.data[i]);
    return this.linear(wide, `${name}.narrow`);
  }

  /**
   * A stack of encoder layers and the norm that ends it; x itself is added to.
   *
   * @param {Matrix} x
   * @param {string} stack  Its name.
   * @param {number} count  Of its layers.
   * @param {Changes} [changes]
   * @param {(i: number, j: number) => boolean} [may]  The mask.
   * @returns {{out: Matrix, layers: Head[][]}}  Heads by layer.
   */
  encoder(x, stack, count, changes = {}, may = always) {
    const layers = [];
    for (let l = 0; l < count; l++) {
      const name = `${stack}.layers.${l}`;
      const y = this.norm(x, `${name}.residuals.0.norm`);
      const around = this.attention({
        name: `${name}.self_attention`, place: `encoder.${l}`,
        asking: y, asked: y, may, changes,
      });
      layers.push(around.heads);
      this.add(x, around.out, `${name}.residuals.0`, changes);
      const z = this.norm(x, `${name}.residuals.1.norm`);
      this.add(x, this.feedForward(z, `${name}.feed_forward`), `${name}.residuals.1`, changes);
    }
    return { out: this.norm(x, `${stack}.norm`), layers };
  }
}
