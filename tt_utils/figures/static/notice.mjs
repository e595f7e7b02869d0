/** What the reader is told of a text that the model can't read, or only in part. */

import { tidy } from "./words.mjs";

const LONGEST = 24;

/**
 * @param {import("./model-file.mjs").Model} model
 * @param {string} text
 * @returns {{told: string, stop: boolean, words: string[], unknown: string[]}}  Does the text
 *   end here, untranslated? `unknown` are the words to swap.
 */
export function notice(model, text) {
  const longest = Math.min(model.info.config.max_len, LONGEST);
  const { words, ids, unknown: all } = model.read(tidy(text));
  const unknown = [...new Set(all)];
  const object = objectOf(model, words);
  const stopped = (told) => ({ told, stop: true, words, unknown: [] });
  if (words.length === 0) return stopped("There are no words yet: write a sentence.");
  if (ids.length > longest) {
    return stopped(`The sentence has ${words.length.toLocaleString("en")} words; `
      + `the model reads at most ${longest - 1}.`);
  }
  if (unknown.length === 0) {
    return { words, stop: false, unknown: object, told: object.length
      ? `The model learned “${object}” only for who does something, and errs here.` : "" };
  }
  const names = unknown.slice(0, 5).map((word) => `“${word.slice(0, 20)}”`).join(", ");
  const stop = all.length > words.length / 2;
  return {
    told: `The model never saw ${names}${stop
      ? ": it knows too little of this sentence to translate it."
      : ": to it, only “some word”, written ⟨?⟩. It may err in the rest, too."}`,
    stop, words, unknown,
  };
}

/** The first pronoun to which something is done: the training had none there. */
function objectOf({ info: { grammar, objects } }, words) {
  if (objects) return [];
  const verbs = (grammar?.verbs ?? []).flatMap((line) => line.split("|")[0].split(" "));
  const done = (word, i) => verbs.includes(words[i - 1])
    && (/^(I|you|he|she|we|they)$/.test(word) || (/^(her|his)$/.test(word) && !words[i + 1]));
  return words.filter(done).slice(0, 1);
}
