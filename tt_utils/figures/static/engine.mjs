/**
 * The Transformer of this book in plain JavaScript: pre-norm, sinusoidal positions.
 *
 * It computes what the package's `Transformer` computes.
 */

import { always, Layers } from "./layers.mjs";
import { linear, matrix, row } from "./matrix.mjs";

/** @typedef {import("./matrix.mjs").Matrix} Matrix */
/** @typedef {import("./layers.mjs").Changes} Changes */

/**
 * @typedef {object} Config
 * @property {number} d_model
 * @property {number} n_heads
 * @property {number} n_encoder_layers
 * @property {number} n_decoder_layers
 * @property {number} max_len
 */

export const BEGIN = 1;
export const END = 2;
export const UNKNOWN = 3;

const notLater = (i, j) => j <= i;

export class Transformer extends Layers {
  /**
   * @param {Config} config
   * @param {Map<string, Matrix>} tensors  Named as in PyTorch's state_dict.
   */
  constructor(config, tensors) {
    super(config, tensors);
    this.places = positions(config.max_len, config.d_model);
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

  /**
   * Read the source.
   *
   * @param {number[]} ids
   * @param {Changes} [changes]
   * @returns {Matrix}  The memory.
   */
  encode(ids, changes = {}) {
    const x = this.embed(ids, "src_embedding", changes);
    return this.encoder(x, "encoder", this.config.n_encoder_layers, changes).out;
  }

  /**
   * Score the successor of every word written so far; with a cache, of the last one alone.
   *
   * @param {number[]} ids  Begins with BEGIN.
   * @param {Matrix} memory
   * @param {Changes} [changes]
   * @param {import("./layers.mjs").Cache} [cache]  Of the steps before.
   * @returns {Matrix}  Logits.
   */
  decode(ids, memory, changes = {}, cache = undefined) {
    const all = this.embed(ids, "tgt_embedding", changes);
    const x = cache ? { ...all, rows: 1, data: row(all, ids.length - 1) } : all;
    const may = cache || changes.unmasked ? always : notLater;
    for (let l = 0; l < this.config.n_decoder_layers; l++) {
      const name = `decoder.layers.${l}`;
      const y = this.norm(x, `${name}.residuals.0.norm`);
      const back = this.attention({
        name: `${name}.self_attention`, place: `decoder.${l}`,
        asking: y, asked: y, may, changes, cache,
      });
      this.add(x, back.out, `${name}.residuals.0`, changes);
      const z = this.norm(x, `${name}.residuals.1.norm`);
      const across = this.attention({
        name: `${name}.cross_attention`, place: `cross.${l}`,
        asking: z, asked: memory, may: always, changes, cache,
      });
      this.add(x, across.out, `${name}.residuals.1`, changes);
      const last = this.norm(x, `${name}.residuals.2.norm`);
      this.add(x, this.feedForward(last, `${name}.feed_forward`), `${name}.residuals.2`, changes);
    }
    return this.score(this.norm(x, "decoder.norm"));
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
