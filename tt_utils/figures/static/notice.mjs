/** What the reader is told of a text that the model can't read, or only in part. */

import { tidy } from "./words.mjs";

const LONGEST = 24;

/**
 * @param {import("./model-file.mjs").Model} model
 * @param {string} text
 * @returns {{told: string, stop: boolean, words: string[], unknown: string[]}}  Does the text
 *   end here, untranslated?
 */
export function notice(model, text) {
  const longest = Math.min(model.info.config.max_len, LONGEST);
  const { words, ids, unknown: all } = model.read(tidy(text));
  const unknown = [...new Set(all)];
  const stopped = (told) => ({ told, stop: true, words, unknown: [] });
  if (words.length === 0) return stopped("There are no words yet: write a sentence.");
  if (ids.length > longest) {
    return stopped(`The sentence has ${words.length.toLocaleString("en")} words; `
      + `the model reads at most ${longest - 1}.`);
  }
  if (unknown.length === 0) return { told: "", stop: false, words, unknown };
  const names = unknown.slice(0, 5).map((word) => `“${word.slice(0, 20)}”`).join(", ");
  const stop = all.length > words.length / 2;
  return {
    told: `The model never saw ${names}${stop
      ? ". That is too little to translate. Swap what it doesn’t know:"
      : ": to it, only “some word”, written ⟨?⟩. Swap it:"}`,
    stop, words, unknown,
  };
}
