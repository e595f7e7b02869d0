/** The parts of a figure's state: what each starts with, and what else it may be. */

export const whole = (x) => Number.isInteger(x) && x >= 0;
export const flag = (x) => typeof x === "boolean";
export const every = (test) => (x) => Array.isArray(x) && x.every(test);
export const like = (form) => (x) => typeof x === "string" && form.test(x);

/** What the reader changes in a model; the widgets' traits say the same. */
export const CHANGED = {
  cut: [[], every(like(/^(encoder|decoder|cross)\.\d\.\d$/))], // heads, as "cross.0.2"
  unmasked: [false, flag],
  unplaced: [false, flag],
  forced: [[], every(whole)], // ids of the first words
  snapshot: [null, like(/^[\w-]+\.safetensors\.gz$/)], // the file of an earlier state
};

/** @param {Record<string, [unknown, (x: unknown) => boolean]>} parts */
export const startOf = (parts) =>
  Object.fromEntries(Object.entries(parts).map(([key, [start]]) => [key, start]));

/** A state's entries, as far as they are parts and have the form that they must have. */
export const fitting = (parts, state) =>
  Object.fromEntries(Object.entries(state).filter(([key, value]) => {
    if (!Object.hasOwn(parts, key)) return false;
    const [start, fits] = parts[key];
    return value === start || fits(value);
  }));
