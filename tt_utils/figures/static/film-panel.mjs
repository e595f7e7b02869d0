/** What is to be seen of one point of a lane: its numbers, its length, where they come from. */

import { CELL_STYLE, explained, LOST } from "./cell.mjs";
import { h, shown } from "./dom.mjs";
import { blockSwitch, force, forceSwitch, headSwitch, maskSwitch, nowWrites } from "./film-changes.mjs";
import { apart, attends, fetched, goneAt, hidden, keysOf, lens, percent, readAgain, tableAt, weightsAt, whoseWeights } from "./film-moments.mjs";
import { headName, top } from "./greedy.mjs";
import { grid, GRID_STYLE } from "./grid.mjs";
import { row, softmax } from "./matrix.mjs";
import { named } from "./model-file.mjs";
import { s } from "./svg.mjs";

export const PANEL_STYLE = `
.panel .title { font-weight: 700; margin: 0 0 0.3rem; }
.panel table:not([role="grid"]) { border-collapse: collapse; font-size: 0.85rem; }
.panel :is(td, th) { padding: 0.15rem 0.4rem; text-align: right; font-weight: 500; }
.panel th:first-child { text-align: left; padding-left: 0; }
.panel input { min-height: 2rem; vertical-align: middle; }
.numbers { display: block; width: 100%; max-width: 26rem; height: 4rem; }
.panel td .numbers { width: 4rem; height: 1.5rem; }
.numbers rect { fill: rgb(214 96 77); } .numbers .below { fill: rgb(67 147 195); }
.numbers line { stroke: currentColor; stroke-opacity: 0.5; stroke-width: 0.3; }
.panel a { color: var(--tt-link, var(--jp-content-link-color, LinkText)); }
.panel summary { font-size: 1rem; }
${GRID_STYLE}
${CELL_STYLE}
.panel [role="grid"] { font-size: 0.75rem; } .panel [role="grid"] td { width: 1.9rem; min-width: 1.9rem; height: 1.75rem; }
`;

const HIGH = 20;
export const ALL = "all words";
const KEPT = { [ALL]: Infinity, "the top 3": 3, "the top 10": 10, "90 % together": 0.9 };

/**
 * @param {import("./film-moments.mjs").Film} film
 * @param {import("./film-drawing.mjs").Point | null} point
 * @param {number} come  How many lanes have come as far as this point.
 * @returns {HTMLElement[]}
 */
export function opened(film, point, come) {
  if (!point) {
    return [h("p", { className: "quiet" }, "Open any point of a lane, with the pointer or with the "
      + "arrow keys: its numbers, and what the block has added.")];
  }
  const [side, number, lane] = point;
  const level = film.levels[side][number];
  const numbers = row(film.trace.seen.get(level.tensor), lane);
  const { layer, name } = level;
  const skipped = film.changes.skipped.has(level.tensor);
  const added = level.adds && !skipped && row(film.trace.seen.get(level.adds), lane);
  return [
    h("p", { className: "title" }, h("i", { lang: side === "encoder" ? "en" : "es" }, film.words[side][lane]),
      `, ${side}, after ${level.kind === "next" ? "the last norm" : name}${layer === undefined ? "" : ` of layer ${layer + 1}`}`),
    ...(attends(level) ? attention(film, side, level, lane, come) : []),
    bars(numbers, "The numbers as bars, above and below 0"),
    h("p", { className: "number" }, `${numbers.length} numbers from ${shown(Math.min(...numbers))} to ${
      shown(Math.max(...numbers))}; length ${shown(Math.hypot(...numbers), 1)}`,
    skipped && ". Left out, this block adds nothing",
    added && `. This block added a vector of length ${shown(Math.hypot(...added), 1)}, below`,
    level.kind === "rows" && `. They are its row of the table, times √${numbers.length}`, ". ",
    blockSwitch(film, level)),
    ...(added ? [bars(added, "What the block added, as bars")] : []),
    ...(level.kind === "network" ? units(film, level, lane) : []),
    ...(side === "decoder" ? candidates(film, level, lane) : []),
    ...(attends(level) ? [] : [nowWrites(film) || ""]), // last, so that no button moves
  ];
}

function bars(numbers, label) {
  const most = Math.max(...numbers.map(Math.abs)) || 1;
  const high = (x) => (HIGH * Math.abs(x)) / most;
  const picture = s("svg", { class: "numbers", viewBox: `0 ${-HIGH} ${numbers.length} ${2 * HIGH}`,
    preserveAspectRatio: "none", role: "img", "aria-label": label });
  picture.append(s("line", { x1: 0, x2: numbers.length, y1: 0, y2: 0 }), ...Array.from(numbers, (x, i) =>
    s("rect", { class: x < 0 ? "below" : "above", x: i + 0.1, width: 0.8, height: high(x), y: x < 0 ? 0 : -high(x) })));
  return picture;
}

/** Every head's weights and what it fetches; a chosen weight says where it comes from. */
function attention(film, side, level, lane, come) {
  const keys = apart(keysOf(film, side, level));
  const words = apart(film.words[side]);
  const heads = film.trace.heads.get(level.adds);
  const gone = goneAt(film, level);
  const all = [...heads.keys(), ...(gone.length < heads.length ? ["mean"] : [])];
  const names = all.map((head) => (head === "mean" ? head : headName(head)));
  const weights = all.map((head) => weightsAt({ ...film, head }, level, lane));
  const masked = level.kind === "masked" && !film.changes.unmasked;
  const own = level.kind === "masked" ? "es" : "en";
  const brings = (i) => (gone.includes(i) ? "cut"
    : all[i] !== "mean" && bars(fetched(film, level, i, lane), `What ${names[i]} fetches, as bars`));
  const of = `${level.adds} ${lane}`;
  const { panel } = film;
  // Without the mask, or after a change, its word may not be there.
  const cell = panel.cell?.of === of && panel.cell.at[0] < all.length && panel.cell.at[1] < keys.length ? panel.cell.at : null;
  const [which, column] = cell ?? [];
  if (cell) panel.heard = `${names[which]}: ${words[lane]} attends to ${keys[column]}: weight ${shown(weights[which][column], 3)}`;
  const lost = gone.includes(which) ? LOST
    : film.changes.skipped.has(level.tensor) && "nothing: the block is left out";
  return [h("p", {}, "It attends to", masked ? " (hatched: a later word. The mask hides it: in training the whole sentence stands there, and a position could copy its next word):" : ":"),
    grid({
      label: "Weights of the heads", rows: names, columns: keys, rowsLanguage: "en", columnsLanguage: own,
      weight: (i, j) => weights[i][j],
      gone: (i) => gone.includes(i), masked: (i, j) => masked && j > lane, selected: cell, beside: ["fetches", brings],
      select: (...at) => {
        panel.cell = { of, at };
        film.change({});
      },
    }),
    ...(cell ? explained({ heads, which: all[which], gone, lost, asks: [lane, words[lane]], asked: [column, keys[column]] }) : []),
    h("p", { className: "quiet" }, "Choose a weight to see where it comes from. A head fetches the sum of the words’ value vectors, each times its weight. What all heads fetch goes through one more matrix, and the result is added to the lane."),
    h("div", { className: "row" }, ...heads.map((_, head) => headSwitch(film, level, head)),
      level.kind === "masked" && maskSwitch(film)), nowWrites(film) || "",
    come > 1 ? everyone(film, side, level, come) : ""];
}

/** The same attention of all words that have come so far, of the head whose weights the lines show. */
function everyone(film, side, level, come) {
  const weights = tableAt(film, level);
  const which = whoseWeights(film, level);
  const gold = level.kind === "cross" && goldOf(film);
  return h("details", { open: film.panel.everyone, ontoggle: ({ target }) => { film.panel.everyone = target.open; } },
    h("summary", {}, `All words, ${which}`),
    grid({
      label: `All words, ${which}`, rows: apart(film.words[side]).slice(0, come), columns: apart(keysOf(film, side, level)),
      rowsLanguage: side === "encoder" ? "en" : "es", columnsLanguage: level.kind === "masked" ? "es" : "en",
      weight: (i, j) => weights.data[i * weights.columns + j],
      masked: (i, j) => level.kind === "masked" && !film.changes.unmasked && j > i,
      mark: film.panel.gold && gold ? (i, j) => markOf(gold, j, i) : undefined,
      selected: null, select: (i) => film.change({ point: [side, film.levels[side].indexOf(level), i] }),
    }),
    gold ? h("label", {}, h("input", { type: "checkbox", checked: film.panel.gold, onchange: ({ target }) => {
      film.panel.gold = target.checked;
      film.change({});
    } }), "frame the gold alignment: the words that a row’s next word translates (dashed: possibly)") : "",
    h("p", { className: "quiet" }, "A row is a word that attends. To see one head, choose it under the picture; choose a row to open that word’s tile."));
}

/** The grammar's own links, where the sentence has them and the output is its translation. */
function goldOf({ model, text, trace }) {
  const written = trace.written.map((id) => model.target[id]).join(" ");
  const read = model.read(text).words.join(" ");
  return model.info.examples.find(({ source, target }) => source === read && target === written);
}

function markOf({ sure, possible }, source, target) {
  const among = (links) => links.some(([i, j]) => i === source && j === target);
  return among(sure) ? "sure" : among(possible) ? "possible" : undefined;
}

function units(film, level, lane) {
  const found = hidden(film, level, lane);
  const best = top(found, 3).filter((unit) => found[unit] > 0);
  return [h("p", { className: "number" }, `${found.filter((x) => x > 0).length} of ${found.length} hidden units fire${best.length ? "; the strongest: " : ""}`,
    best.map((unit) => `unit ${unit} (${shown(found[unit])})`).join(", "), ".")];
}

/** The words that it would write from here; at the end of a lane with their logits, at any temperature. */
function candidates(film, level, lane) {
  const logits = lens(film, level, lane);
  const cell = (text) => h("td", { className: "number" }, text);
  const line = (id, ...cells) => h("tr", {}, h("th", { scope: "row", lang: "es" }, named(film.model.target[id])), ...cells);
  const again = level.kind === "next" && readAgain(film, "decoder", lane);
  if (level.kind !== "next" || again) {
    const shares = softmax(logits);
    return [h("p", {}, ...(again ? ["With the later words in sight these come first. The lane’s word was written without them:"]
      : ["If the model stopped here (the ", film.term("logit lens", "logit-lens"), "):"])),
      h("table", {}, h("tbody", {}, ...top(shares, 3).map((id) => line(id, cell(percent(shares[id]))))))];
  }
  const body = h("tbody");
  const rest = h("tfoot");
  const heat = h("output");
  const shares = () => kept(softmax(logits.map((x) => x / film.panel.temperature)), KEPT[film.panel.kept]);
  const fill = () => {
    const now = shares();
    heat.textContent = shown(film.panel.temperature, 1);
    const best = top(logits, 5);
    rest.replaceChildren(h("tr", {}, h("th", { scope: "row" }, `${logits.length - best.length} others`), cell(""),
      cell(percent(Math.max(0, 1 - best.reduce((sum, id) => sum + now[id], 0))))));
    body.replaceChildren(...best.map((id) =>
      line(id, cell(shown(logits[id], 1)), cell(percent(now[id])), h("td", {}, forceSwitch(film, lane, id)))));
  };
  const set = (name, value) => {
    film.panel[name] = value;
    fill();
  };
  fill();
  const head = (text) => h("th", { scope: "col" }, text);
  return [h("p", {}, "The likeliest words:"),
    h("table", {}, h("thead", {}, h("tr", {}, head("word"), head("logit"), head("share"))), body, rest),
    h("div", { className: "row" }, h("label", {}, "temperature ", h("input", { type: "range", min: 0.2, max: 3, step: 0.1, value: film.panel.temperature,
      oninput: ({ target }) => set("temperature", Number(target.value)) }), heat),
    h("label", {}, "draw from ", h("select", { onchange: ({ target }) => set("kept", target.value) },
      ...Object.keys(KEPT).map((name) => h("option", { selected: name === film.panel.kept }, name)))),
    h("button", { onclick: () => force(film, lane, drawn(shares(), Math.random())) }, "Draw a word")),
    h("p", { className: "quiet" }, "Logits are divided by the temperature before softmax; words that aren’t drawn from get 0, the others share all. Unless you give or draw a word, the film writes the likeliest.")];
}

/** Shares of the `most` largest, or of as few as have that much together; the others get 0. */
export function kept(shares, most) {
  const order = top(shares, shares.length);
  let [count, sum] = [0, 0];
  while (count < order.length && (most < 1 ? sum < most : count < most)) sum += shares[order[count++]];
  const found = new Float32Array(shares.length);
  for (const id of order.slice(0, count)) found[id] = shares[id] / sum;
  return found;
}

/** The word on which a number between 0 and 1 falls, where the shares lie side by side. */
export function drawn(shares, chance) {
  let left = chance;
  const found = shares.findIndex((share) => (left -= share) < 0);
  return found < 0 ? top(shares, 1)[0] : found;
}
