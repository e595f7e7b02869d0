/**
 * The Transformer of this book in plain JavaScript: pre-norm, sinusoidal positions.
 *
 * It computes what the package's `Transformer` computes, one sentence at a time, and keeps
 * every number that a figure may want to show. Each step is a method that is told its name in
 * PyTorch, so that a subclass can watch it (trace.mjs).
 */

/**
 * @typedef {object} Matrix  Numbers in rows.
 * @property {number} rows
 * @property {number} columns
 * @property {Float32Array} data
 */

/**
 * @typedef {object} Config
 * @property {number} d_model
 * @property {number} n_heads
 * @property {number} n_encoder_layers
 * @property {number} n_decoder_layers
 * @property {number} max_len
 */

/**
 * @typedef {object} Head  What one head of one attention did.
 * @property {Matrix} q  One row a position that asks.
 * @property {Matrix} k  One row a position that is asked.
 * @property {Matrix} v  What those positions hand over.
 * @property {Matrix} scores  q·k ÷ √d_k; −∞ where the mask forbids it.
 * @property {Matrix} weights  Their softmax; each row adds up to 1.
 */

/**
 * @typedef {object} Changes  What to do otherwise than in training.
 * @property {Set<string>} [cut]  Heads that answer nothing, as "cross.0.2".
 * @property {boolean} [unmasked]  Let the decoder look at later positions.
 * @property {boolean} [unplaced]  Add no positions.
 */

export const BEGIN = 1;
export const END = 2;
export const UNKNOWN = 3;

/** @returns {Matrix} */
export function matrix(rows, columns) {
  return { rows, columns, data: new Float32Array(rows * columns) };
}

/** @returns {Float32Array} A view, not a copy. */
export function row(x, i) {
  return x.data.subarray(i * x.columns, (i + 1) * x.columns);
}

/** The dot product of row i of x and row j of y. */
export function dot(x, i, y, j) {
  const width = x.columns;
  const [a, b] = [i * width, j * width];
  let sum = 0;
  for (let c = 0; c < width; c++) sum += x.data[a + c] * y.data[b + c];
  return sum;
}

/** x·Wᵀ + b for every row of x; W has one row an output, as PyTorch stores it. */
function linear(x, weight, bias) {
  const out = matrix(x.rows, weight.rows);
  for (let i = 0, o = 0; i < x.rows; i++) {
    for (let j = 0; j < weight.rows; j++, o++) {
      out.data[o] = dot(x, i, weight, j) + (bias ? bias.data[j] : 0);
    }
  }
  return out;
}

/** Each row to mean 0 and variance 1, then stretched and shifted. */
function normalise(x, weight, bias) {
  const out = matrix(x.rows, x.columns);
  for (let i = 0; i < x.rows; i++) {
    const given = row(x, i);
    const made = row(out, i);
    let mean = 0;
    for (const number of given) mean += number / x.columns;
    let variance = 0;
    for (const number of given) variance += (number - mean) ** 2 / x.columns;
    const scale = 1 / Math.sqrt(variance + 1e-5);
    for (let j = 0; j < x.columns; j++) {
      made[j] = (given[j] - mean) * scale * weight.data[j] + bias.data[j];
    }
  }
  return out;
}

/**
 * Shares that add up to 1; a row of nothing but −∞ becomes zeros.
 *
 * @param {number[] | Float32Array} scores
 * @returns {Float32Array}
 */
export function softmax(scores) {
  const largest = scores.reduce((a, b) => Math.max(a, b), -Infinity);
  const shares = new Float32Array(scores.length);
  if (largest === -Infinity) return shares;
  const powers = Array.from(scores, (score) => Math.exp(score - largest));
  const total = powers.reduce((a, b) => a + b);
  return shares.map((_, i) => powers[i] / total);
}

/** The columns of one head. */
function slice(x, start, width) {
  const out = matrix(x.rows, width);
  for (let i = 0; i < x.rows; i++) {
    out.data.set(row(x, i).subarray(start, start + width), i * width);
  }
  return out;
}

/**
 * One head: compare, scale, weigh, blend.
 *
 * @param {(i: number, j: number) => boolean} may  May query i look at key j?
 * @returns {{head: Head, out: Matrix}}
 */
function attend(q, k, v, may) {
  const scores = matrix(q.rows, k.rows);
  const weights = matrix(q.rows, k.rows);
  const out = matrix(q.rows, v.columns);
  const scale = Math.sqrt(q.columns);
  for (let i = 0; i < q.rows; i++) {
    const asked = row(scores, i);
    for (let j = 0; j < k.rows; j++) {
      asked[j] = may(i, j) ? dot(q, i, k, j) / scale : -Infinity;
    }
    row(weights, i).set(softmax(asked));
    const blend = row(out, i);
    for (let j = 0; j < k.rows; j++) {
      const share = weights.data[i * k.rows + j];
      if (share === 0) continue;
      const value = row(v, j);
      for (let c = 0; c < blend.length; c++) blend[c] += share * value[c];
    }
  }
  return { head: { q, k, v, scores, weights }, out };
}

const always = () => true;
const notLater = (i, j) => j <= i;

export class Transformer {
  /**
   * @param {Config} config
   * @param {Map<string, Matrix>} tensors  Named as in PyTorch's state_dict.
   */
  constructor(config, tensors) {
    this.config = config;
    this.tensors = tensors;
    this.places = positions(config.max_len, config.d_model);
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

  /** Rows of the table, scaled by √d_model. */
  look(ids, name) {
    const table = this.tensor(`${name}.table.weight`);
    const x = matrix(ids.length, this.config.d_model);
    const scale = Math.sqrt(this.config.d_model);
    ids.forEach((id, i) => row(x, i).set(row(table, id).map((number) => number * scale)));
    return x;
  }

  /** The same with their positions. */
  place(x) {
    for (let i = 0; i < x.data.length; i++) x.data[i] += this.places.data[i];
    return x;
  }

  embed(ids, name, changes) {
    const x = this.look(ids, name);
    return changes.unplaced ? x : this.place(x, name);
  }

  /** The end of a residual road: what comes along the branch is added to x itself. */
  add(x, y) {
    for (let i = 0; i < x.data.length; i++) x.data[i] += y.data[i];
  }

  /**
   * All heads of one attention, and W_O.
   *
   * @param {object} given
   * @param {string} given.name  Of its tables.
   * @param {string} given.place  Kind and layer; with a head, "cross.0" becomes "cross.0.2".
   * @param {Matrix} given.asking  One row a position that asks.
   * @param {Matrix} given.asked  One row a position that is asked.
   * @param {(i: number, j: number) => boolean} given.may  The mask.
   * @param {Changes} given.changes
   * @returns {{out: Matrix, heads: Head[]}}
   */
  attention({ name, place, asking, asked, may, changes }) {
    const { d_model, n_heads } = this.config;
    const width = d_model / n_heads;
    const [q, k, v] = [
      this.linear(asking, `${name}.w_q`),
      this.linear(asked, `${name}.w_k`),
      this.linear(asked, `${name}.w_v`),
    ];
    const joined = matrix(asking.rows, d_model);
    const heads = [];
    for (let h = 0; h < n_heads; h++) {
      const parts = [q, k, v].map((x) => slice(x, h * width, width));
      const { head, out } = attend(...parts, may);
      heads.push(head);
      if (changes.cut?.has(`${place}.${h}`)) continue;
      for (let i = 0; i < out.rows; i++) {
        joined.data.set(row(out, i), i * d_model + h * width);
      }
    }
    return { out: this.linear(joined, `${name}.w_o`), heads };
  }

  feedForward(x, name) {
    const wide = this.linear(x, `${name}.widen`);
    for (let i = 0; i < wide.data.length; i++) wide.data[i] = Math.max(0, wide.data[i]);
    return this.linear(wide, `${name}.narrow`);
  }

  /**
   * Read the source.
   *
   * @param {number[]} ids
   * @param {Changes} [changes]
   * @returns {{memory: Matrix, encoder: Head[][]}}  Heads by layer.
   */
  encode(ids, changes = {}) {
    const x = this.embed(ids, "src_embedding", changes);
    const encoder = [];
    for (let l = 0; l < this.config.n_encoder_layers; l++) {
      const name = `encoder.layers.${l}`;
      const y = this.norm(x, `${name}.residuals.0.norm`);
      const around = this.attention({
        name: `${name}.self_attention`, place: `encoder.${l}`,
        asking: y, asked: y, may: always, changes,
      });
      encoder.push(around.heads);
      this.add(x, around.out, `${name}.residuals.0`);
      const z = this.norm(x, `${name}.residuals.1.norm`);
      this.add(x, this.feedForward(z, `${name}.feed_forward`), `${name}.residuals.1`);
    }
    return { memory: this.norm(x, "encoder.norm"), encoder };
  }

  /**
   * Score the successor of every word written so far.
   *
   * @param {number[]} ids  Begins with BEGIN.
   * @param {Matrix} memory
   * @param {Changes} [changes]
   * @returns {{logits: Matrix, decoder: Head[][], cross: Head[][]}}
   */
  decode(ids, memory, changes = {}) {
    const x = this.embed(ids, "tgt_embedding", changes);
    const decoder = [];
    const cross = [];
    const may = changes.unmasked ? always : notLater;
    for (let l = 0; l < this.config.n_decoder_layers; l++) {
      const name = `decoder.layers.${l}`;
      const y = this.norm(x, `${name}.residuals.0.norm`);
      const back = this.attention({
        name: `${name}.self_attention`, place: `decoder.${l}`,
        asking: y, asked: y, may, changes,
      });
      decoder.push(back.heads);
      this.add(x, back.out, `${name}.residuals.0`);
      const z = this.norm(x, `${name}.residuals.1.norm`);
      const across = this.attention({
        name: `${name}.cross_attention`, place: `cross.${l}`,
        asking: z, asked: memory, may: always, changes,
      });
      cross.push(across.heads);
      this.add(x, across.out, `${name}.residuals.1`);
      const last = this.norm(x, `${name}.residuals.2.norm`);
      this.add(x, this.feedForward(last, `${name}.feed_forward`), `${name}.residuals.2`);
    }
    return { logits: this.score(this.norm(x, "decoder.norm")), decoder, cross };
  }

  /** A logit for every word: the output projection is the target's table itself. */
  score(x) {
    return linear(x, this.tensor("tgt_embedding.table.weight"));
  }
}

/** A sine and a cosine for every speed. */
export function positions(count, width) {
  const x = matrix(count, width);
  for (let p = 0; p < count; p++) {
    for (let c = 0; c < width; c += 2) {
      const angle = p * Math.exp((-Math.log(10_000) * c) / width);
      x.data[p * width + c] = Math.sin(angle);
      x.data[p * width + c + 1] = Math.cos(angle);
    }
  }
  return x;
}
