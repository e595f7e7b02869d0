/**
 * The book's search: results while one types, each with the sentence that was found.
 *
 * Words may be incomplete or misspelt. The index is fetched at the first search.
 */
import MiniSearch from "./minisearch.mjs";

const MOST = 20;
const PAUSE = 120; // ms
const SIGNS = [["√", " sqrt "], ["ᵀ", " transpose "]];
// Words that say how someone asks, not what about.
const ASIDE = new Set(
  `a an and are as at be by can do does for from how i in is it my of on one or that the
   this to was we what when where which who why will with you`.split(/\s+/),
);
const WORD = /[\p{L}\p{N}_]+/gu;
const SENTENCE = /(?<=[.?!])\s+/;

/** @param {string} text */
const words = (text) =>
  SIGNS.reduce((all, [sign, word]) => all.replaceAll(sign, word), text)
    .toLowerCase().match(WORD) ?? [];

let loading;

/** Fetch what there is to find, once. */
function load() {
  loading ??= (async () => {
    const answer = await fetch(new URL("./sentences.json", import.meta.url));
    const sections = await answer.json();
    const index = new MiniSearch({
      fields: ["page", "heading", "text"],
      tokenize: words,
      searchOptions: {
        boost: { page: 3, heading: 3 },
        prefix: (term) => term.length > 1,
        fuzzy: (term) => (term.length > 3 ? 0.2 : false),
        weights: { fuzzy: 0.3, prefix: 0.5 },
      },
    });
    index.addAll(sections.map((section, id) => ({ id, ...section })));
    return { index, sections };
  })();
  return loading;
}

/**
 * Who asks wants what explains: an exercise only uses it, the first page only lists it.
 * The very words, in their order, come first.
 */
const weigh = (section, phrase) =>
  (/^(exercises\/|book\/welcome)/.test(section.url) ? 0.5 : 1)
  * (phrase.includes(" ") && words(section.text).join(" ").includes(phrase) ? 3 : 1);

/** The sections that hold what was asked, the best first. */
export async function find(question) {
  const { index, sections } = await load();
  const all = words(question);
  const asked = all.filter((word) => !ASIDE.has(word));
  const query = (asked.length ? asked : all).join(" ");
  const options = { boostDocument: (id) => weigh(sections[id], all.join(" ")) };
  const found = index.search(query, { ...options, combineWith: "AND" });
  const enough = found.length ? found : index.search(query, options);
  return enough.slice(0, MOST).map(({ id, terms }) => ({
    ...sections[id],
    sentence: best(sections[id].text, new Set(terms)),
    terms: new Set(terms),
  }));
}

/** The sentence with the most of these words; the first one, if there are several. */
function best(text, terms) {
  let [most, chosen] = [-1, ""];
  for (const sentence of text.split(SENTENCE)) {
    const count = new Set(words(sentence).filter((word) => terms.has(word))).size;
    if (count > most) [most, chosen] = [count, sentence];
  }
  return chosen;
}

/** The sentence, with the words that were found marked. */
function marked(sentence, terms) {
  const line = document.createElement("p");
  for (const part of sentence.split(/([\p{L}\p{N}_]+|√)/u)) {
    const known = words(part).some((word) => terms.has(word));
    const node = known ? document.createElement("mark") : new Text(part);
    if (known) node.textContent = part;
    line.append(node);
  }
  return line;
}

/** Where the sentence stands; browsers that can, scroll to the sentence itself. */
function address({ url, sentence }) {
  const start = sentence.split(/[√(‖]/)[0].trim().split(" ").slice(0, 8).join(" ");
  const text = encodeURIComponent(start).replaceAll("-", "%2D");
  const { contentRoot, content_root: root = contentRoot } = document.documentElement.dataset;
  const home = new URL(root ?? "./", document.baseURI);
  return new URL(url, home) + (url.includes("#") ? "" : "#") + `:~:text=${text}`;
}

function item(result) {
  const link = document.createElement("a");
  link.href = address(result);
  link.textContent = [result.page, result.heading].filter(Boolean).join(" › ");
  const found = document.createElement("li");
  found.append(link, marked(result.sentence, result.terms));
  return found;
}

/** Let this field show what it finds in the list and the status line beside it. */
export function attach(field) {
  if (field.dataset.searches) return;
  field.dataset.searches = "true";
  const box = field.closest("dialog, article");
  const [status, list] = box.querySelector(".tt-results").children;
  let asked = 0;

  const show = async () => {
    const turn = ++asked;
    const question = field.value.trim();
    const results = question.length > 1 ? await find(question) : [];
    if (turn !== asked) return;
    list.replaceChildren(...results.map(item));
    const count = results.length === 1 ? "1 place" : `${results.length} places`;
    status.textContent = question.length < 2 ? ""
      : results.length ? `${results.length === MOST ? "The best " : ""}${count}`
      : `Nothing found for “${question}”. Try another word for it.`;
  };

  let pause;
  field.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(show, PAUSE);
  });
  box.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const stops = [field, ...list.querySelectorAll("a")];
    const next = stops[stops.indexOf(document.activeElement) + step];
    if (next) {
      next.focus();
      event.preventDefault();
    }
  });
  list.addEventListener("click", () => field.closest("dialog")?.close());
  load().then(show);
}
