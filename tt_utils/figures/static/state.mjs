/** What the reader has set in the translator, and how a link keeps it. */

export const KINDS = {
  encoder: "Encoder: source words look at each other",
  decoder: "Decoder, back: at what is written so far",
  cross: "Decoder, across: at the source",
};

/**
 * `step`, `layer` and `snapshot` null mean the last one; `cell` is [row, column];
 * `forced` are the ids of the first words; `cut` holds heads, as "cross.0.2".
 */
export const START = {
  text: "the black cat drank the milk", step: null, kind: "cross", layer: null, head: "mean",
  cell: null, forced: [], cut: [], unmasked: false, unplaced: false, gold: false, snapshot: null,
};

/** What another sentence does away with. */
export const FRESH = { step: null, cell: null, forced: [] };

/** Only what differs from the start goes into a link. */
export function toLink(id, state) {
  const kept = Object.fromEntries(Object.entries(state).filter(([key, value]) =>
    JSON.stringify(value) !== JSON.stringify(START[key])));
  const url = new URL(location.href);
  url.hash = new URLSearchParams({ figure: id, state: JSON.stringify(kept) }).toString();
  return url;
}

/** A link's state. */
export function fromLink(id) {
  try {
    const given = new URLSearchParams(location.hash.slice(1));
    return given.get("figure") === id ? valid(JSON.parse(given.get("state"))) : {};
  } catch {
    return {};
  }
}

/** A state's parts, as far as they have the form that they must have. */
export function valid(state) {
  return Object.fromEntries(Object.entries(state).filter(([key, value]) =>
    Object.hasOwn(VALID, key) && (VALID[key](value) || value === START[key])));
}

const whole = (x) => Number.isInteger(x) && x >= 0;
const VALID = {
  text: (x) => typeof x === "string",
  step: whole,
  kind: (x) => Object.hasOwn(KINDS, x),
  layer: whole,
  head: whole,
  cell: (x) => Array.isArray(x) && x.length === 2 && x.every(whole),
  forced: (x) => Array.isArray(x) && x.every(whole),
  cut: (x) => Array.isArray(x) && x.every((name) => /^(encoder|decoder|cross)\.\d\.\d$/.test(name)),
  unmasked: (x) => typeof x === "boolean",
  unplaced: (x) => typeof x === "boolean",
  gold: (x) => typeof x === "boolean",
  snapshot: (x) => /^[\w-]+\.safetensors\.gz$/.test(x),
};
