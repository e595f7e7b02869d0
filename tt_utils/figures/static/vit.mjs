/** The Vision Transformer: an image is cut into patches, and read like a sentence. */

import { Layers } from "./layers.mjs";
import { matrix, row } from "./matrix.mjs";
import { StoredModel } from "./stored-model.mjs";
import { FULL, SIDE } from "./strokes.mjs";

/** @typedef {import("./matrix.mjs").Matrix} Matrix */
/** @typedef {import("./layers.mjs").Head} Head */

/**
 * @typedef {object} Info  What digits.json holds.
 * @property {Config} config
 * @property {{right: number, of: number, file: string, sha256: string}[]} snapshots  One only;
 *   `right` of so many test images were read as what they show.
 * @property {{digit: number, image: number[][]}[]} examples  Of the test images.
 */

/**
 * @typedef {object} Config
 * @property {number} d_model
 * @property {number} n_heads
 * @property {number} n_layers
 * @property {number} patch  Pixels along a side of a patch.
 * @property {number} stride  Pixels from a patch to the next.
 */

/** It computes what the package's `ViT` computes, one image at a time. */
class ViT extends Layers {
  /** Patches along a side. */
  get across() {
    return (SIDE - this.config.patch) / this.config.stride + 1;
  }

  activation(x) {
    return (x * (1 + erf(x / Math.SQRT2))) / 2;
  }

  /** @returns {Matrix} One row a patch, from the top left; in a row its pixels, too. */
  patches(image) {
    const { patch, stride } = this.config;
    const x = matrix(this.across ** 2, patch ** 2);
    for (let p = 0; p < x.rows; p++) {
      const [top, left] = [Math.floor(p / this.across), p % this.across].map((n) => n * stride);
      row(x, p).forEach((_, n, numbers) => {
        numbers[n] = image[top + Math.floor(n / patch)][left + (n % patch)] / FULL;
      });
    }
    return x;
  }

  /**
   * @param {number[][]} image  8 rows of 8 counts of ink, from 0 to 16.
   * @param {number[]} [cut]  Patches that no token attends to.
   * @returns {{logits: Float32Array, layers: Head[][]}}  Heads by layer; their first row and
   *   column are those of the gathering token, the one in front.
   */
  read(image, cut = []) {
    const patches = this.linear(this.patches(image), "embed");
    const x = matrix(patches.rows + 1, patches.columns);
    x.data.set(this.tensor("first").data);
    x.data.set(patches.data, patches.columns);
    this.add(x, this.tensor("positions.table"));
    const { out, layers } = this.encoder(x, "stack", this.config.n_layers, {},
      (_, j) => !cut.includes(j - 1));
    const gathered = { rows: 1, columns: out.columns, data: row(out, 0) };
    return { logits: this.linear(gathered, "head").data, layers };
  }
}

/** The error function, to within 1.5e-7. Source: Abramowitz and Stegun 1964, 7.1.26. */
function erf(x) {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const sum = FACTORS.reduceRight((higher, factor) => (higher + factor) * t, 0);
  return Math.sign(x) * (1 - sum * Math.exp(-x * x));
}

const FACTORS = [0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429];

/** A reader of digits. */
export class DigitModel extends StoredModel {
  static description = "digits.json";

  /**
   * @param {Info} info
   * @param {Map<string, Matrix>} tensors
   */
  constructor(info, tensors) {
    super(info, tensors);
    this.vit = new ViT(info.config, tensors);
  }
}
