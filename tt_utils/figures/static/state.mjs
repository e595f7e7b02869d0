/** What the reader has set in the translator, and how a link keeps it. */

import { linked, linkTo } from "./links.mjs";
import { CHANGED, every, fitting, flag, like, startOf, whole } from "./parts.mjs";

export const KINDS = {
  encoder: "Encoder: self-attention of the source",
  decoder: "Decoder: masked self-attention",
  cross: "Decoder: cross-attention to the source",
};

/**
 * @typedef {object} State
 * @property {string} text
 * @property {number | null} step  Of the decoder; null is the last one.
 * @property {"encoder" | "decoder" | "cross"} kind
 * @property {number | null} layer  Null is the last one.
 * @property {number | "mean"} head
 * @property {[number, number] | null} cell  Row and column.
 * @property {number[]} forced  Ids of the first words.
 * @property {string[]} cut  Heads, as "cross.0.2".
 * @property {boolean} unmasked
 * @property {boolean} unplaced
 * @property {boolean} gold
 * @property {string | null} snapshot  The file of an earlier state of the model.
 */

/** What each part starts with, and what else it may be; the widget's traits say the same. */
const PARTS = {
  text: ["the black cat drank the milk", like(/^/)],
  step: [0, (x) => x === null || whole(x)],
  kind: ["cross", (x) => Object.keys(KINDS).includes(x)],
  layer: [null, whole],
  head: ["mean", whole],
  cell: [null, (x) => every(whole)(x) && x.length === 2],
  gold: [false, flag],
  ...CHANGED,
};

export const START = startOf(PARTS);

/** Another sentence begins at its first step; for who stands at the end, at its end. */
export const fresh = (text, { step }) =>
  ({ text, step: step === null ? null : 0, cell: null, forced: [] });

export const toLink = (id, state) => linkTo(id, state, START);

/** A link's state. */
export const fromLink = (id) => valid(linked(id));

/** A state's parts, as far as they have the form that they must have. */
export const valid = (state) => fitting(PARTS, state);
