/** A model of the reader's own, from a file that `tt export` wrote: checked, never executed. */

import { Model } from "./model-file.mjs";
import { ModelError, readHeader, readTensors } from "./stored-model.mjs";

const MOST = 16e6; // bytes, unpacked; the book's own models have 0.4 million
const SHORTEST = 8; // tokens that it must be able to read
const SIGNS = ["<pad>", "<s>", "</s>", "<unk>"];
const LARGEST = { d_model: 1024, n_heads: 64, n_encoder_layers: 10, n_decoder_layers: 10, max_len: 4096 };
const SIZES = { I8: 1, F16: 2 };

const refuse = (why) => {
  throw new ModelError(`This is not a file that tt export wrote: ${why}.`);
};

/** @param {File} file */
export async function readOwn(file) {
  try {
    return new Model(...partsOf(await unpacked(file)));
  } catch (error) {
    if (error instanceof ModelError) throw error;
    return refuse("it is damaged");
  }
}

/** No more than a model may have: a small file could fill the memory. */
async function unpacked(file) {
  const reader = file.stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const parts = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > MOST) refuse(`it holds more than ${MOST / 1e6} million bytes`);
    parts.push(part.value);
  }
  return new Blob(parts).arrayBuffer();
}

/** What describes it, and its numbers. */
function partsOf(buffer) {
  const { header, first } = readHeader(buffer);
  const { __metadata__: about, ...tensors } = header;
  const info = JSON.parse(about?.description ?? refuse("it holds no description"));
  checkConfig(info.config);
  for (const side of ["source", "target"]) checkWords(info.words[side]);
  const examples = info.examples.filter(({ source }) => typeof source === "string");
  const wide = tensors["encoder.layers.0.feed_forward.widen.bias"]?.shape[0] ?? 0;
  const wanted = new Map(shapesOf(info, wide));
  const names = Object.keys(tensors).filter((name) => !name.endsWith(".scale"));
  const odd = names.find((name) => !wanted.has(name)) ?? [...wanted.keys()].find((name) => !tensors[name]);
  if (odd) refuse(`${odd} is ${wanted.has(odd) ? "missing" : "not part of such a model"}`);
  const room = buffer.byteLength - first;
  let taken = 0;
  for (const [name, shape] of wanted) {
    const table = shape.length === 2;
    taken += checkTensor(name, tensors[name], shape, table ? "I8" : "F16", room);
    if (table) taken += checkTensor(name, tensors[`${name}.scale`], [shape[0]], "F16", room);
  }
  if (taken !== room) refuse("its tensors don’t fill it");
  const numbers = readTensors(buffer);
  for (const [name, { data }] of numbers) {
    if (!data.every(Number.isFinite)) refuse(`${name} holds numbers that are none`);
  }
  return [{ config: info.config, words: info.words, snapshots: [], examples }, numbers];
}

function checkConfig(config) {
  for (const [name, most] of Object.entries(LARGEST)) {
    const size = config[name];
    if (!Number.isInteger(size) || size < 1 || size > most) refuse(`${name} is ${String(size)}`);
  }
  const { d_model, n_heads, max_len } = config;
  if (d_model % 2 || d_model % n_heads) refuse("d_model can’t be shared among the heads");
  if (max_len < SHORTEST) refuse(`max_len is ${max_len}`);
}

function checkWords(words) {
  const whole = Array.isArray(words) && words.length > SIGNS.length && words.every((word) => typeof word === "string");
  if (!whole || SIGNS.some((sign, id) => words[id] !== sign)) refuse("it has no list of words");
}

function checkTensor(name, tensor, shape, dtype, room) {
  const { shape: found, dtype: kind, data_offsets: [start, end] = [] } = tensor ?? refuse(`${name} has no scale`);
  const bytes = shape.reduce((product, size) => product * size, SIZES[dtype]);
  const fits = String(found) === String(shape) && kind === dtype && end - start === bytes && start >= 0 && end <= room;
  return fits ? bytes : refuse(`${name} has not the shape ${shape.join(" × ")}`);
}

/** Every tensor of such a model, with its shape. */
function* shapesOf({ config, words }, wide) {
  const { d_model: d, n_encoder_layers, n_decoder_layers } = config;
  const linear = (name, outs, ins) => [[`${name}.weight`, [outs, ins]], [`${name}.bias`, [outs]]];
  const norm = (name) => [[`${name}.weight`, [d]], [`${name}.bias`, [d]]];
  yield ["src_embedding.table.weight", [words.source.length, d]];
  yield ["tgt_embedding.table.weight", [words.target.length, d]];
  for (const [stack, count, attentions] of [
    ["encoder", n_encoder_layers, ["self_attention"]],
    ["decoder", n_decoder_layers, ["self_attention", "cross_attention"]],
  ]) {
    yield* norm(`${stack}.norm`);
    for (let l = 0; l < count; l++) {
      const layer = `${stack}.layers.${l}`;
      for (const attention of attentions) {
        for (const table of ["w_q", "w_k", "w_v", "w_o"]) yield* linear(`${layer}.${attention}.${table}`, d, d);
      }
      yield* linear(`${layer}.feed_forward.widen`, wide, d);
      yield* linear(`${layer}.feed_forward.narrow`, d, wide);
      for (let n = 0; n <= attentions.length; n++) yield* norm(`${layer}.residuals.${n}.norm`);
    }
  }
}
