/** What the reader is told of a text that the model can't read, or only in part. */

const LONGEST = 24;

/**
 * @param {import("./model-file.mjs").Model} model
 * @param {string} text
 * @returns {{told: string, stop: boolean}}  Does the text end here, untranslated?
 */
export function notice(model, text) {
  const longest = Math.min(model.info.config.max_len, LONGEST);
  const { words, ids, unknown } = model.read(text);
  if (words.length === 0) return { told: "There are no words yet: write a sentence.", stop: true };
  if (ids.length > longest) {
    return {
      told: `The sentence has ${words.length.toLocaleString("en")} words; `
        + `the model reads at most ${longest - 1}.`,
      stop: true,
    };
  }
  if (unknown.length === 0) return { told: "", stop: false };
  const names = [...new Set(unknown)].slice(0, 5).map((word) => `“${word.slice(0, 20)}”`).join(", ");
  const stop = unknown.length > words.length / 2;
  return {
    told: `The model never saw ${names}${stop
      ? ". It knows too little of this sentence to translate it."
      : ": to it, only “some word”, written ⟨?⟩. It may err in the rest, too."}`,
    stop,
  };
}
