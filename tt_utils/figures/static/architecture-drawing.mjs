/** The drawing of the architecture: blocks to choose among, arrows with shapes, residual roads. */

import { blocksOf, status } from "./architecture-blocks.mjs";
import { layout } from "./architecture-layout.mjs";
import { KEY, QUERY, s, VALUE } from "./svg.mjs";

export const DRAWING_STYLE = `
svg { display: block; width: 100%; height: auto; }
svg text { fill: currentColor; font: 12.5px var(--tt-sans, system-ui, sans-serif); }
.middle { text-anchor: middle; } .end { text-anchor: end; }
.shape, .letter, .words { font-size: 11px; } .letter, .strong { font-weight: 700; }
.words { font-style: italic; }
.chapter { font-size: 11px; opacity: 0.8; }
[role="radio"] { cursor: pointer; color: inherit; text-decoration: none; }
[role="radio"] rect { fill: var(--solid); stroke: var(--slate); stroke-width: 1.2; }
[role="radio"]:focus { outline: none; }
[role="radio"]:focus-visible { outline: 2.5px solid var(--tt-link, #0a72b2); outline-offset: 2px; }
[role="radio"]:hover rect { stroke-width: 2.4; }
[role="radio"].now rect { fill: color-mix(in srgb, var(--purple) 20%, var(--paper));
  stroke: var(--purple); stroke-width: 1.8; }
.wide .now text:not(.words) { font-weight: 650; } svg:not(.wide) text { font-size: 12px; }
svg:not(.wide) :is(.shape, .letter, .words) { font-size: 11px; }
[role="radio"].later rect, .frame.later { fill: var(--paper); stroke-dasharray: 4 3; }
[role="radio"].form-words:not(.later, :hover, [aria-checked="true"]) rect { stroke: none; }
.form-words rect, .form-name rect { fill: var(--paper); } .form-name text { font-size: 12px; }
.later text, text.later { opacity: 0.72; }
[role="radio"][aria-checked="true"] rect { stroke: var(--gold); stroke-width: 3.5;
  stroke-dasharray: none; }
.frame { fill: color-mix(in srgb, var(--slate) 7%, transparent); stroke: var(--slate);
  stroke-opacity: 0.6; }
.frame.later { fill: none; } .frame.now { fill: color-mix(in srgb, var(--purple) 7%, transparent);
  stroke: var(--purple); stroke-opacity: 1; stroke-width: 1.6; }
.wire { fill: none; stroke: var(--slate); stroke-width: 1.5; stroke-linejoin: round; }
.head { fill: var(--slate); }
.wire.later { stroke-dasharray: 3 3; stroke-opacity: 0.7; }
.wire.road { stroke-width: 2.5; }
.wire.road.now, .wire.memory.now { stroke: var(--purple); }
.head.road.now { fill: var(--purple); }
.wire.memory { stroke-width: 2.2; }
.wire:is(.q, .k, .v) { stroke-width: 2; }
.wire.q { stroke: ${QUERY}; } .wire.k { stroke: ${KEY}; } .wire.v { stroke: ${VALUE}; }
.head.q { fill: ${QUERY}; } .head.k { fill: ${KEY}; } .head.v { fill: ${VALUE}; }
@media (forced-colors: active) { [role="radio"][aria-checked="true"] rect { stroke: Highlight; } }
`;

const WIDE_BOX = 128;
const NUMBER = 15; // room for a chapter's number
const LETTER = 6; // a letter's mean width in small print
const SIGN = { known: "explained before", now: "this chapter", later: "still to come" };

/**
 * @param {object} given
 * @param {number} given.width
 * @param {number} given.chapter
 * @param {boolean} given.normFirst
 * @param {Record<string, string>} given.words  What stands on the lines of words.
 * @param {(chapter: string) => string | null} given.address
 * @param {(id: string) => void} given.choose
 */
export function drawing({ width, chapter, normFirst, words, address, choose }) {
  const plan = layout(width, normFirst);
  const blocks = new Map(blocksOf(normFirst).map((block) => [block.id, block]));
  const stateOf = (id) => status(blocks.get(id), chapter);
  const radios = new Map(plan.boxes.map((box) => {
    const block = blocks.get(box.id);
    return [box.id, radio(box, block, stateOf(box.id), words[box.id], address)];
  }));
  for (const [id, one] of radios) {
    one.addEventListener("click", (event) => {
      // With a key held it is what a link is: another tab.
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      choose(id);
    });
  }
  const joined = (ids) => {
    const all = ids.map(stateOf);
    return all.includes("later") ? "later" : all.includes("now") ? "now" : "known";
  };
  const element = s("svg", {
    class: plan.boxes.some(({ w, form }) => w >= WIDE_BOX && form === "box") ? "wide" : "",
    viewBox: `0 0 ${plan.width} ${plan.height}`, role: "radiogroup",
    "aria-label": `The Transformer, ${normFirst ? "norm first" : "as in the paper"}: its blocks`,
  }, s("g", { "aria-hidden": "true" },
    ...plan.frames.map(({ id, x, y, w, h }) => s("rect", {
      class: `frame ${stateOf(id)}`, x, y, width: w, height: h, rx: 9,
    })),
    ...plan.wires.flatMap((one) => wire(one, joined(one.ids))),
    ...plan.notes.map(({ x, y, text, anchor, kind, ids }) => s("text", {
      x, y, class: `${kind} ${anchor} ${joined(ids)}`,
    }, text.replace(/ × /, "\u2009×\u2009"))),
    ...legend(chapter, plan.void)),
  ...radios.values());
  return { element, radios, plan };
}

function radio({ x, y, w, h, form }, block, state, words, address) {
  const href = address(block.chapters[0]);
  const lines = [...block.label];
  const name = form === "name";
  const text = name ? `${lines[0]} N×` : lines[0];
  const wide = w >= WIDE_BOX && form === "box";
  const middle = x + (wide ? w - NUMBER : w) / 2;
  const room = Math.floor(w / LETTER);
  const second = lines[1] ?? (words?.length > room ? `${words.slice(0, room - 1)}…` : words);
  const top = y + h / 2 + (second ? -3 : 4.5);
  return s("a", {
    ...(href && { href }), role: "radio", "aria-checked": "false", tabindex: "-1",
    class: `${state} form-${form}`,
    "aria-label": `${block.name}: ${block.gives}, ${SIGN[state]}`,
  }, s("rect", { x, y, width: w, height: h, rx: form === "sum" ? h / 2 : 6 }),
  s("text", { x: middle, y: top, class: "middle" }, text),
  ...(second ? [s("text", {
    x: middle, y: top + 14, class: `middle ${lines[1] ? "" : "words"}`,
  }, second)] : []),
  ...(wide ? [s("text", { x: x + w - 6, y: y + h / 2 + 4, class: "end chapter" },
    block.chapters[0])] : []));
}

function wire({ points, head, kind }, state) {
  const [end, before] = [points.at(-1), points.at(-2)];
  const [dx, dy] = [Math.sign(end[0] - before[0]), Math.sign(end[1] - before[1])];
  const stop = head ? [end[0] - 5 * dx, end[1] - 5 * dy] : end;
  const line = s("path", { class: `wire ${kind} ${state}`, d: rounded([...points.slice(0, -1), stop]) });
  if (!head) return [line];
  const corner = (side) => `${end[0] - 7 * dx + side * 4 * dy} ${end[1] - 7 * dy - side * 4 * dx}`;
  return [line, s("path", {
    class: `head ${kind} ${state}`, d: `M${end.join(" ")} L${corner(1)} L${corner(-1)} Z`,
  })];
}

/** A path along these points, its corners cut round. */
function rounded(points) {
  const near = ([x, y], [a, b]) => {
    const far = Math.hypot(a - x, b - y);
    const part = Math.min(6, far / 2) / far;
    return `${x + part * (a - x)} ${y + part * (b - y)}`;
  };
  const inner = points.slice(1, -1).map((point, i) =>
    `L${near(point, points[i])} Q${point.join(" ")} ${near(point, points[i + 2])}`);
  return `M${points[0].join(" ")} ${inner.join(" ")} L${points.at(-1).join(" ")}`;
}

/** What the three looks mean, in the empty corner. */
function legend(chapter, { x, w }) {
  const shown = chapter < 13 ? ["known", "now", "later"] : ["known", "now"];
  return shown.flatMap((state, i) => {
    const y = 4 + 24 * i;
    return [
      s("g", { class: `sample ${state}` },
        s("rect", { class: `frame ${state}`, x: x + 2, y, width: 22, height: 15, rx: 4 })),
      s("text", { x: x + 31, y: y + 12, class: "shape" }, SIGN[state]),
    ];
  });
}
