/** Fresh sentences by some of the patterns of the grammar that the model learned from. */

import { sentence } from "./words.mjs";

const SINGULAR = ["the", "the", "a", "this", "that", "my", "your", "every"];
const PLURAL = ["the", "the", "some", "these", "those", "our", "their", "two", "many"];
const MASS = ["the", "the", "this", "my", "his", "her"];

const pick = (list) => list[Math.floor(Math.random() * list.length)];
const chance = (share) => Math.random() < share;
const read = (lines) => lines.map((line) => line.split("|").map((part) => part.split(" ")));

/**
 * @param {Record<string, string[]>} grammar  Forms and kinds, as in model.json.
 * @returns {string}
 */
export function surprise(grammar) {
  const [nouns, adjectives, verbs, places] =
    ["nouns", "adjectives", "verbs", "places"].map((name) => read(grammar[name]));
  const fits = (kinds) => (entry) => entry[1].some((kind) => kinds.includes(kind));
  const noun = (kinds, plain) => {
    const [[one, more], its] = pick(nouns.filter(fits(kinds)));
    const many = more && chance(0.3);
    const fitting = adjectives.filter(fits(its));
    const described = !plain && fitting.length && chance(0.4);
    const before = pick(many ? PLURAL : more ? SINGULAR : MASS);
    return { many, its, words: [before, described && pick(fitting)[0][0], many ? more : one] };
  };
  const past = chance(0.45);
  const be = (many) => (past ? (many ? "were" : "was") : many ? "are" : "is");
  const acts = () => {
    const [[base, third, before], subjects, objects] = pick(verbs);
    const { many, words } = noun(subjects);
    const object = objects[0] ? noun(objects).words : [];
    // "They read" may be now or then.
    const said = past && before !== base ? before : many ? base : third;
    return { base, many, words, object, said };
  };
  const patterns = [
    () => {
      const { words, said, object } = acts();
      return [...words, said, ...object];
    },
    () => {
      const { words, base, many, object } = acts();
      return [...words, past ? "did" : many ? "do" : "does", "not", base, ...object];
    },
    () => {
      const { words, base, many, object } = acts();
      return [past ? "did" : many ? "do" : "does", ...words, base, ...object, "?"];
    },
    () => {
      const [[adjective], kinds] = pick(adjectives);
      const { many, words } = noun(kinds, true);
      return [...words, be(many), adjective];
    },
    () => {
      const { many, words } = noun(["person", "animal", "thing"]);
      const [[...where], kinds] = pick(places);
      return [...words, be(many), ...where, ...noun(kinds).words];
    },
  ];
  const made = pick([patterns[0], ...patterns])();
  return made.includes("every") && made.includes("not") ? surprise(grammar) : sentence(made);
}
