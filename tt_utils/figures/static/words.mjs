/** What a reader types: made plain before it is read, completed, and set right. */

/** @typedef {import("./model-file.mjs").Model} Model */

const APOSTROPHES = /[‘’‛′´`＇]/g;
const SHORT = [
  [/\bwon't\b/gi, "will not"], [/\bcan't\b/gi, "can not"], [/n't\b/gi, " not"],
  [/\blet's\b/gi, "let us"], [/'m\b/gi, " am"], [/'d\b/gi, " would"], [/'re\b/gi, " are"], [/'ve\b/gi, " have"], [/'ll\b/gi, " will"],
  [/\b(he|she|it|that|this|what|where|who|when)'s\b/gi, "$1 is"],
];

/**
 * Write a text as the sentences of the training are written, before it is split into words.
 *
 * Letters of full width become plain ones, accents are composed (NFKC), "don't" becomes "do
 * not", and every sign goes but a question mark. Capitals stay: `Model.read` tries both cases.
 * An apostrophe that is left stays in its word. `Model.read` and Python's tokenizer do none of
 * this: they give the same words for the same text.
 *
 * @param {string} text
 * @returns {string}
 */
export function tidy(text) {
  let plain = text.replace(APOSTROPHES, "'").normalize("NFKC").replace(/\u200b/g, " ");
  for (const [short, long] of SHORT) plain = plain.replace(short, long);
  return plain
    .replace(/(?!\s)\p{C}/gu, "")
    .replace(/(?<=\p{L})'(?=\p{L})/gu, "ʼ")
    .replace(/[^\p{L}\p{M}\p{N}?]+/gu, " ")
    .replace(/ ?\?[? ]*/g, "? ")
    .trim();
}

/** The word that ends at the caret; empty where none is being written. */
export function wordAt(text, caret) {
  return text.slice(0, caret).match(/[\p{L}\p{M}\p{N}'’]*$/u)[0];
}

/**
 * The shortest words that begin so.
 *
 * @param {Model} model
 * @param {string} start
 */
export function completions(model, start) {
  const begin = tidy(start).toLowerCase();
  const fits = (word) => /^\p{L}/u.test(word) && word !== begin
    && word.toLowerCase().startsWith(begin);
  return begin ? model.source.filter(fits).sort((a, b) => a.length - b.length).slice(0, 6) : [];
}

const OBJECT = /^(me|him|us|them)$/;

/**
 * Words that could stand for one that the model can't take; an empty one leaves it out.
 *
 * @param {Model} model
 * @param {string[]} words  The sentence.
 * @param {string} word
 * @returns {string[]}
 */
export function nearest(model, words, word) {
  const { nearest: table = {}, grammar } = model.info;
  const plain = word.toLowerCase();
  // A known word comes here from a place where the training never had it, after a verb.
  if (model.ids.has(word) || (grammar && OBJECT.test(plain))) return ["my friend", "the cat", ""];
  if (Object.hasOwn(table, plain)) {
    const found = table[plain].split(" ").filter((one) => model.ids.has(one));
    return [...found, ""];
  }
  const far = plain.length < 4 ? 0 : plain.length < 6 ? 1 : 2;
  const like = model.source
    .map((known) => [distance(plain, known.toLowerCase(), far), known])
    .filter(([steps, known]) => steps <= far && known.length > 2)
    .sort(([a], [b]) => a - b).slice(0, 3).map(([, known]) => known);
  const before = words[words.indexOf(word) - 1];
  return [...(like.length || !grammar ? like : inPlace(grammar, before)), ""];
}

/** Any words that may follow the one before. */
function inPlace({ nouns }, before) {
  if (before === undefined) return ["the"];
  const many = /^(I|you|we|they)$/.test(before)
    || nouns.some((line) => line.split("|")[0].split(" ")[1] === before);
  if (many) return ["see", "find"];
  const one = /^s?he$/.test(before) || nouns.some((line) => line.split(/[ |]/)[0] === before);
  return one ? ["sees", "finds"] : ["cat", "friend", "book"];
}

/** How many letters differ (Levenshtein); anything above `far` where the lengths do. */
function distance(a, b, far) {
  if (Math.abs(a.length - b.length) > far) return Infinity;
  let above = [...Array(b.length + 1).keys()];
  for (let i = 1; i <= a.length; i++) {
    const now = [i];
    for (let j = 1; j <= b.length; j++) {
      now[j] = Math.min(above[j] + 1, now[j - 1] + 1, above[j - 1] + (a[i - 1] !== b[j - 1]));
    }
    above = now;
  }
  return above.at(-1);
}

/** A sentence as people write it: an apple, a pear, and the question mark close by. */
export function sentence(words) {
  return words.filter(Boolean).join(" ").replace(/ \?/g, "?")
    .replace(/\ban? (?=(.))/gi, (_, next) => (/[aeiou]/i.test(next) ? "an " : "a "));
}

const GROUPS = { person: "People", animal: "Animals", food: "Food and drink",
  drink: "Food and drink", place: "Places", landmark: "Places" };

/**
 * All words that the model knows, by kind.
 *
 * @param {Model} model
 * @returns {[string, string[]][]}
 */
export function groups({ source, info: { grammar } }) {
  const found = new Map();
  const rest = new Set(source.filter((word) => /^\p{L}/u.test(word)));
  const add = (name, line) => {
    const forms = line.split("|")[0].split(" ");
    for (const form of forms) rest.delete(form);
    found.set(name, [...(found.get(name) ?? []), forms[0]]);
  };
  for (const line of grammar?.nouns ?? []) {
    const kind = line.split("|")[1].split(" ").find((one) => GROUPS[one]);
    add(GROUPS[kind] ?? "Things", line);
  }
  for (const line of grammar?.adjectives ?? []) add("Which describe", line);
  for (const line of grammar?.verbs ?? []) add("Deeds, as in eat, eats, ate", line);
  return [...found, [grammar ? "Other words" : "All", [...rest]]];
}
