/** A trained model's files: fetched, checked, unpacked, and read. */

import { matrix, row } from "./matrix.mjs";

/** @typedef {import("./matrix.mjs").Matrix} Matrix */

/** What went wrong with a file, in words for the reader. */
export class ModelError extends Error {}

/** What the reader is told of a failure; one that nobody foresaw goes to the console, too. */
export function failureOf(error) {
  if (error instanceof ModelError) return error.message;
  console.error(error);
  return "The model could not be read.";
}

/** @returns {number} The number that 16 bits stand for (IEEE 754 binary16). */
function half(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * 2 ** -24 * fraction;
  if (exponent === 31) return NaN; // or infinite: of no use, either
  return sign * 2 ** (exponent - 25) * (1024 + fraction);
}

/** The header of a safetensors file, and where its numbers begin. */
export function readHeader(buffer) {
  const length = Number(new DataView(buffer).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length)));
  return { header, first: 8 + length };
}

/**
 * Read a safetensors file whose tables are bytes, each row with its own scale.
 *
 * @param {ArrayBuffer} buffer
 * @returns {Map<string, Matrix>}
 */
export function readTensors(buffer) {
  const view = new DataView(buffer);
  const { header, first } = readHeader(buffer);
  const read = (name) => {
    const { dtype, shape, data_offsets: [start, end] } = header[name];
    const offset = first + start;
    const [rows, columns] = shape.length === 2 ? shape : [1, shape[0]];
    const x = matrix(rows, columns);
    if (dtype === "I8") {
      x.data.set(new Int8Array(buffer, offset, end - start));
    } else {
      for (let i = 0; i < x.data.length; i++) {
        x.data[i] = half(view.getUint16(offset + 2 * i, true));
      }
    }
    return x;
  };
  const tensors = new Map();
  for (const name of Object.keys(header)) {
    if (name === "__metadata__" || name.endsWith(".scale")) continue;
    const x = read(name);
    if (header[name].dtype === "I8") {
      const scales = read(`${name}.scale`).data;
      for (let i = 0; i < x.rows; i++) {
        const numbers = row(x, i);
        for (let j = 0; j < x.columns; j++) numbers[j] *= scales[i];
      }
    }
    tensors.set(name, x);
  }
  return tensors;
}

/** A model that is trained: what describes it, and its numbers. */
export class StoredModel {
  /** The name of the file that describes it. */
  static description = "model.json";

  /**
   * @param {Record<string, any>} info  What the description holds.
   * @param {Map<string, Matrix>} tensors
   */
  constructor(info, tensors) {
    this.info = info;
    this.tensors = tensors;
  }

  /**
   * Fetch both files of a folder.
   *
   * @param {URL | string} folder
   * @param {string | null} [file]  Of another snapshot than the last.
   */
  static async load(folder, file = null) {
    const info = await readInfo(await get(new URL(this.description, folder)));
    const snapshot = file ? info.snapshots.find((one) => one.file === file) : info.snapshots.at(-1);
    if (!snapshot) throw new ModelError(`The model has no snapshot ${file}.`);
    const packed = await (await get(new URL(snapshot.file, folder))).arrayBuffer();
    return this.open(info, packed, snapshot.sha256);
  }

  /**
   * @param {Record<string, any>} info
   * @param {ArrayBuffer} packed
   * @param {string} sha256
   */
  static async open(info, packed, sha256) {
    const buffer = await unpack(packed);
    if (!buffer || !(await matches(buffer, sha256))) {
      throw new ModelError("The model's file is damaged.");
    }
    return new this(info, readTensors(buffer));
  }
}

async function get(address) {
  let answer;
  try {
    answer = await fetch(address);
  } catch {
    throw new ModelError("The model's file could not be fetched.");
  }
  if (!answer.ok) {
    throw new ModelError(`The model's file could not be fetched (${answer.status}).`);
  }
  return answer;
}

async function readInfo(answer) {
  try {
    return await answer.json();
  } catch {
    throw new ModelError("The model's description is damaged.");
  }
}

/** The content of a gzip file; some servers have unpacked it already. */
async function unpack(packed) {
  const [first, second] = new Uint8Array(packed, 0, Math.min(2, packed.byteLength));
  if (first !== 0x1f || second !== 0x8b) return packed;
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer().catch(() => null);
}

/** Where the browser can, compare the file with its checksum. */
async function matches(buffer, sha256) {
  if (!globalThis.crypto?.subtle) return true;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", buffer));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") === sha256;
}
