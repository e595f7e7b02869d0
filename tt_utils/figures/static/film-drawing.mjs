/** The film's picture: a lane for each word, and on it its numbers after every block. */

import { attends, fetches, lens, momentAt, weightsAt } from "./film-moments.mjs";
import { LINE, TILE } from "./film-plan.mjs";
import { top } from "./greedy.mjs";
import { row, softmax } from "./matrix.mjs";
import { named } from "./model-file.mjs";
import { s, VALUE } from "./svg.mjs";

/** @typedef {import("./film-moments.mjs").Film} Film */
/** @typedef {import("./film-moments.mjs").Moment} Moment */
/** @typedef {import("./film-plan.mjs").Plan} Plan */
/** @typedef {[side: "encoder" | "decoder", level: number, lane: number]} Point */

export const DRAWING_STYLE = `
svg { display: block; }
svg text { fill: currentColor; font: 13px var(--tt-sans, system-ui, sans-serif); }
svg .word { paint-order: stroke; stroke: var(--paper); stroke-width: 5px; stroke-linejoin: round; }
svg .name { font-size: 11px; } svg :is(.name, .title) { paint-order: stroke; stroke: var(--paper); stroke-width: 3px; } svg .now { font-weight: 700; } svg .gone { text-decoration: line-through; }
svg .title { font-size: 12px; font-weight: 700; } svg .guess { font-size: 11px; font-style: italic; } svg .doubt { fill-opacity: 0.7; }
.middle { text-anchor: middle; } .end { text-anchor: end; }
.lane { stroke: currentColor; stroke-opacity: 0.35; stroke-width: 2; }
.band { fill: currentColor; fill-opacity: 0.06; }
.slot { fill: none; stroke: currentColor; stroke-opacity: 0.35; stroke-dasharray: 3 3; }
.press { cursor: pointer; } .press:hover { text-decoration: underline; } .chip { cursor: pointer; } .chip:focus { outline: none; }
.chip .frame { fill: none; stroke: currentColor; stroke-opacity: 0.55; }
.chip .paper { fill: var(--paper); }
.chip:hover .frame { stroke-opacity: 1; stroke-width: 2; }
.chip[aria-checked="true"] .frame { stroke: #d08c00; stroke-opacity: 1; stroke-width: 3; }
.chip:focus-visible .frame { stroke: var(--tt-link, #0a72b2); stroke-opacity: 1; stroke-width: 3; }
.chip image { image-rendering: pixelated; forced-color-adjust: none; }
.link { fill: none; stroke: ${VALUE}; }
.fed { fill: none; stroke: currentColor; stroke-opacity: 0.5; stroke-width: 1.5; }
.links.quiet .link { opacity: 0.08; }
@media (prefers-reduced-motion: no-preference) {
  .new:is(.link, .fed) { stroke-dasharray: 1; animation: flow 0.35s ease-out; }
  .new.chip { animation: appear 0.2s 0.15s backwards; }
}
@keyframes flow { from { stroke-dashoffset: 1; } }
@keyframes appear { from { opacity: 0; } }
@media (forced-colors: active) { .chip[aria-checked="true"] .frame { stroke: Highlight; } }
`;

const LETTER = 7.2;
export const FAINT = 0.02; // a weight that isn't drawn
const DOUBT = 0.2; // a share below which a word that comes first is a guess among many
export const BELOW = [67, 147, 195];
export const ABOVE = [214, 96, 77];
const HALF = TILE / 2;

/**
 * @param {object} given
 * @param {Film} given.film
 * @param {Moment} given.moment
 * @param {Plan} given.plan
 * @param {(point: Point) => void} given.choose
 * @param {(state: {moment: number, point?: Point}) => void} given.go  A word or a block's name was pressed.
 * @returns {{element: SVGElement, chips: Map<string, SVGElement>, open: (point: Point | null) => void}}
 *   Chips by "side level lane"; `open` shows which of them the reader has opened.
 */
export function drawing({ film, moment, plan, choose, go }) {
  const { levels, words } = film;
  const picture = s("svg", {
    width: plan.width, height: plan.height, viewBox: `0 0 ${plan.width} ${plan.height}`,
    role: "radiogroup", "aria-label": "The numbers of each word after each block",
  });
  const chips = new Map();
  for (const side of plan.sides) {
    const works = moment.side === side && moment.level > 0;
    if (works) picture.append(s("rect", { class: "band", rx: 6, ...plan.band(side, moment.level) }));
    words[side].forEach((_, lane) => picture.append(...road(film, moment, plan, side, lane)));
  }
  const all = s("g");
  picture.append(all);
  let groups = [];
  const open = (point) => {
    groups = openings(film, moment, plan, point)
      .map(({ at, fresh }) => ({ of: at.join(" "), group: links(film, plan, at, fresh) }));
    all.replaceChildren(...groups.map(({ group }) => group));
    const opened = chips.get(point?.join(" "));
    const stop = opened ?? [...chips.values()].at(-1);
    for (const one of chips.values()) {
      one.setAttribute("aria-checked", one === opened);
      one.setAttribute("tabindex", one === stop ? 0 : -1);
    }
  };
  const hush = (hot) => groups.forEach(({ group, of }) =>
    group.classList.toggle("quiet", hot !== null && of !== hot));
  for (const at of tilesOf(film, moment, plan)) {
    const name = at.join(" ");
    const one = chip(film, moment, plan, at);
    one.addEventListener("click", () => choose(at));
    one.addEventListener("pointerenter", () => hush(groups.some(({ of }) => of === name) ? name : null));
    one.addEventListener("pointerleave", () => hush(null));
    chips.set(name, one);
    picture.append(one, ...guess(film, plan, at));
  }
  picture.append(...plan.sides.flatMap((side) => names(film, moment, plan, side, go)), ...plan.sides.flatMap((side) =>
    words[side].flatMap((_, lane) => wordsOn(film, moment, plan, side, lane, go))));
  return { element: picture, chips, open };
}

/** Has the film come so far? */
export function reached(moment, side, level, lane) {
  if (side === "encoder") return moment.side === "decoder" || level <= moment.level;
  if (moment.side === "encoder") return false;
  return lane < moment.lane || (lane === moment.lane && level <= moment.level);
}

/** @returns {Point[]} */
function tilesOf({ levels, words }, moment, plan) {
  const memory = plan.sides.includes("encoder") ? [] : [["encoder", levels.encoder.length - 1]];
  const rows = [...memory, ...plan.sides.flatMap((side) => levels[side].map((_, level) => [side, level]))];
  return rows.filter(([side, level]) => levels[side][level].tensor).flatMap(([side, level]) =>
    words[side].map((_, lane) => [side, level, lane]).filter((at) => reached(moment, ...at)));
}

/** A block's name, cut into lines. */
export const linesOf = ({ name, layer }) =>
  [...name.split(/(?<=-)(?=attention|forward)/), ...(layer === undefined ? [] : [`layer ${layer + 1}`])];

/** The names of the blocks; that of the one at work stands out. */
function names(film, moment, plan, side, go) {
  const { levels } = film;
  const [x, y] = plan.title(side);
  const title = s("text", { x, y, class: "title middle" }, side === "encoder" ? "Encoder" : "Decoder");
  const each = levels[side].flatMap((level, number) => {
    const lines = linesOf(level);
    const [left, first, look] = plan.name(side, number, lines.length);
    const now = moment.side === side && moment.level === number ? "now" : "";
    const gone = film.changes.skipped.has(level.tensor) || (level.kind === "place" && film.changes.unplaced) ? "gone" : "";
    return pressed(s("g", {}, ...lines.map((line, i) => s("text", { x: left, y: first + i * LINE, class: `name ${look} ${now} ${gone}` }, line))),
      () => go({ moment: momentAt(film, side, number, moment.lane ?? 0) }));
  });
  const foot = plan.sides.includes("encoder") ? [] : [["memory", plan.name("encoder", 0, 1)]];
  return [title, ...each,
    ...foot.map(([text, [left, low, look]]) => s("text", { x: left, y: low, class: `name ${look}` }, text))];
}

/** What has its use for a pointer; keys have the buttons and the tiles. */
function pressed(element, act) {
  element.classList.add("press");
  element.addEventListener("click", act);
  return element;
}

/** How far a lane has come; −1 where its word isn't there yet. */
const comeTo = ({ levels }, moment, side, lane) =>
  levels[side].findLastIndex((_, level) => reached(moment, side, level, lane));

/** The residual stream of one lane, as far as it has come. */
function road(film, moment, plan, side, lane) {
  const come = comeTo(film, moment, side, lane);
  if (come < 1) return [];
  const [[x1, y1], [x2, y2]] = [plan.at(side, 1, lane), plan.at(side, come, lane)];
  return [s("line", { class: "lane", x1, x2, y1, y2 })];
}

/** The word that a lane reads, and the one that it writes. */
function wordsOn(film, moment, plan, side, lane, go) {
  const { levels, words, wrote } = film;
  const come = comeTo(film, moment, side, lane);
  const last = levels[side].length - 1;
  const lang = side === "encoder" ? "en" : "es";
  const now = side === moment.side && lane === moment.lane ? " now" : "";
  const [x, y] = plan.at(side, 0, lane);
  if (come < 0) {
    const hidden = moment.side === "decoder" && levels.decoder[moment.level].kind === "masked" && !film.changes.unmasked;
    return [s("rect", { class: "slot", x: x - 12, y: y - 9, width: 24, height: 18, rx: 4 }),
      ...(hidden ? [s("text", { x, y: y + 5, class: "middle" }, "✕")] : [])];
  }
  const put = (word, left, low) => fitted(word, plan.room, { x: left, y: low, class: `word middle${now}`, lang });
  const level = Math.max(come, 1); // the newest tile that it has, or its first
  const found = [pressed(put(words[side][lane], x, y + 5), () =>
    go({ moment: come ? film.moments.indexOf(moment) : momentAt(film, side, level, lane), point: [side, level, lane] }))];
  const memory = !plan.sides.includes("encoder") && lane === 0
    ? words.encoder.map((word, i) => {
      const [left, low] = plan.at("encoder", levels.encoder.length - 1, i);
      return fitted(word, plan.room, { x: left, y: low - HALF - 5, class: "word middle", lang: "en" });
    }) : [];
  if (come === last && side === "decoder") {
    const [right, high] = plan.at(side, last, lane);
    const end = plan.across ? [right + HALF + 34, high + 5] : [right, high + HALF + 16];
    found.push(put(wrote[lane], ...end));
  }
  if (come === 0 && side === "decoder" && lane > 0) {
    found.unshift(feedback(plan, plan.at(side, last, lane - 1), [x, y]));
  }
  return [...found, ...memory];
}

/** A word in its room: a long one is made narrower. */
const fitted = (word, room, given) => s("text", {
  ...given, ...(word.length * LETTER > room ? { textLength: room, lengthAdjust: "spacingAndGlyphs" } : {}),
}, word);

/** The way of a word that was written to where it is read. */
function feedback({ across }, [a, b], [x, y]) {
  const d = across ? `M${a + HALF + 34} ${b + 12}C${a} ${y} ${x + 120} ${y} ${x + 34} ${y}m6 -4l-6 4l6 4`
    : `M${a + 14} ${b + HALF + 12}Q${x} ${b + HALF + 12} ${x} ${b - 14}V${y + 14}m-4 7l4 -7l4 7`;
  return s("path", { class: "fed new", pathLength: 1, d });
}

/** What the model would write if it stopped here. */
function guess(film, plan, [side, number, lane]) {
  const level = film.levels[side][number];
  if (!film.lens || side === "encoder" || level.kind === "next") return [];
  const shares = softmax(lens(film, level, lane));
  const [best] = top(shares, 1);
  const [x, y] = plan.at(side, number, lane);
  return [fitted(named(film.model.target[best]), Math.min(plan.room, TILE + 34), {
    x, y: y + HALF + 10, class: `word guess middle${shares[best] < DOUBT ? " doubt" : ""}`, lang: "es",
  })];
}

/** The attentions whose links are drawn: the one at work, and the one that is opened. */
function openings(film, moment, plan, point) {
  const { levels, words, changes, asking } = film;
  const { side, level, lane } = moment;
  const here = point && point[0] === side && point[1] === level;
  const found = [];
  if (attends(levels[side][level])) {
    const together = lane === null || (changes.unmasked && levels[side][level].kind === "masked");
    const lanes = here ? [point[2]] : together ? [...Array((lane ?? words[side].length - 1) + 1).keys()] : [lane];
    found.push(...lanes.map((one) => ({ at: [side, level, one], fresh: !here })));
  }
  const apart = point && !here && plan.sides.includes(point[0]) && reached(moment, ...point);
  if (apart && attends(levels[point[0]][point[1]])) found.push({ at: point, fresh: false });
  return found.filter(({ at: [where, number] }) => fetches(film, levels[where][number])
    && !(asking && where === side && number === level));
}

/** How broad and how dark a line of this weight is. */
export const strength = (weight) => ({ "stroke-width": 0.8 + 5 * weight, "stroke-opacity": 0.25 + 0.7 * weight });

/** From each word that is attended to, as broad as its weight. */
function links(film, plan, [side, number, lane], fresh) {
  const level = film.levels[side][number];
  const group = s("g", { class: "links", "aria-hidden": "true" });
  const cross = level.kind === "cross";
  const [from, start] = cross ? ["encoder", film.levels.encoder.length - 1] : [side, number - 1];
  const end = plan.at(side, number, lane);
  const weights = weightsAt(film, level, lane);
  weights.forEach((weight, key) => {
    if (weight < FAINT) return;
    group.append(s("path", {
      class: `link${fresh ? " new" : ""}`, d: curve(plan, plan.at(from, start, key), end, cross), pathLength: 1,
      ...strength(weight),
    }));
  });
  return group;
}

/** From tile to tile; across to the other side, past what stands between. */
export function curve(plan, [a, b], [x, y], cross) {
  if (plan.across) {
    const u = a + HALF;
    if (!cross) {
      const v = x - HALF;
      return `M${u} ${b}C${(u + v) / 2} ${b} ${(u + v) / 2} ${y} ${v} ${y}`;
    }
    // Down beside the memory, so that no line lies on another word's tile.
    const low = plan.title("decoder")[1] - 26;
    const beside = u + 10 + Math.min((low - b) / 10, 20);
    const v = x > a ? x - HALF : x + HALF;
    const bend = x > a ? -34 : 34;
    return `M${u} ${b}Q${beside} ${b} ${beside} ${b + 12}V${low}C${beside} ${y} ${v + bend} ${y} ${v} ${y}`;
  }
  const aside = cross ? 0.6 * plan.room : 0; // beside tiles, and not over the blocks' names
  const [u, v] = [b + HALF, y - HALF];
  return `M${a} ${u}C${a - aside} ${(u + v) / 2} ${x - aside} ${(u + v) / 2} ${x} ${v}`;
}

function chip(film, moment, plan, [side, level, lane]) {
  const { tensor, name, kind, layer } = film.levels[side][level];
  const [x, y] = plan.at(side, level, lane);
  const box = { x: x - HALF, y: y - HALF, width: TILE, height: TILE };
  const where = `${side}, after ${kind === "next" ? "the last norm" : name}${layer === undefined ? "" : ` of layer ${layer + 1}`}`;
  const now = moment.side === side && moment.level === level && (moment.lane ?? lane) === lane;
  return s("g", {
    class: `chip${now ? " new" : ""}`, role: "radio", "aria-label": `${film.words[side][lane]}, position ${lane}: ${where}`,
  }, s("rect", { class: "paper", ...box }),
  s("image", { ...box, preserveAspectRatio: "none", href: tile(film, tensor, lane) }),
  s("rect", { class: "frame", ...box }));
}

/** A lane's numbers as a small picture: blue below 0, red above, paler towards 0. */
function tile({ trace, tiles }, tensor, lane) {
  const key = `${tensor} ${lane}`;
  if (!tiles.has(key)) {
    const numbers = row(trace.seen.get(tensor), lane);
    const side = Math.ceil(Math.sqrt(numbers.length));
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [side, Math.ceil(numbers.length / side)];
    const pen = canvas.getContext("2d");
    const image = pen.createImageData(canvas.width, canvas.height);
    const full = 2 * Math.sqrt(numbers.reduce((sum, x) => sum + x * x, 0) / numbers.length) || 1;
    numbers.forEach((x, i) => {
      const share = Math.min(Math.abs(x) / full, 1);
      image.data.set([...(x < 0 ? BELOW : ABOVE), Math.round(255 * share)], 4 * i);
    });
    pen.putImageData(image, 0, 0);
    tiles.set(key, canvas.toDataURL());
  }
  return tiles.get(key);
}
