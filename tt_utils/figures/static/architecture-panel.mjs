/** What is said of the chosen block: what it does, its shapes, the line of code, its chapter. */

import { CHAPTERS, reference } from "./chapters.mjs";
import { h } from "./dom.mjs";

export const PANEL_STYLE = `
.name { font-weight: 700; font-size: 1.05rem; margin: 0 0 0.3rem; }
.name::first-letter { text-transform: uppercase; }
.panel pre { margin: 0.3rem 0; padding: 0.4rem 0.5rem; overflow-x: auto; border-radius: 0.35rem;
  background: color-mix(in srgb, currentColor 7%, transparent); white-space: pre-wrap;
  overflow-wrap: anywhere; font: 0.8rem/1.45 var(--tt-mono, ui-monospace, monospace); }
.panel p code { white-space: nowrap; } .panel code { font: 0.85rem var(--tt-mono, ui-monospace, monospace); }
.panel pre span { display: block; padding-left: 1.2em; text-indent: -1.2em; }
.panel p.file { overflow-wrap: anywhere; } .panel p.file code { white-space: normal; }
.numbers { border-collapse: collapse; font-size: 0.78rem; }
.numbers :is(th, td) { padding: 0.1rem 0.28rem; text-align: right; }
.numbers th { font-weight: 500; } .numbers tr > :first-child { text-align: left; padding-left: 0; }
.numbers tbody tr { border-top: 1px solid color-mix(in srgb, currentColor 18%, transparent); }
.panel a { color: var(--tt-link, var(--jp-content-link-color, LinkText)); }
`;

/**
 * @param {import("./architecture-blocks.mjs").Block | undefined} block
 * @param {(chapter: string) => string | null} address
 * @param {HTMLElement[]} numbers  Of a sentence in it, where a model has read one.
 * @returns {HTMLElement[]}
 */
export function explained(block, address, numbers) {
  if (!block) {
    return [h("p", { className: "quiet" }, "Choose a block, with the pointer or with the arrow "
      + "keys: what it does, its shapes and the line of code that does it.")];
  }
  const links = block.chapters.map((number) => {
    const text = `Chapter ${number} explains it: ${CHAPTERS[number][1]}`;
    return h("p", {}, reference(address(number), text));
  });
  return [
    h("p", { className: "name" }, block.name),
    h("p", {}, block.does),
    h("p", {}, ...block.takes.split(", ").flatMap((shape, i) => [i && " and ", h("code", {}, shape)]),
      " → ", h("code", {}, block.gives)),
    ...numbers,
    h("pre", {}, h("code", {}, ...block.code.map((line) => h("span", {}, ...breakable(line))))),
    h("p", { className: "quiet file" }, h("code", {}, `tt_utils/${block.file}`)),
    ...links,
  ];
}

/** A line of code that may go on below after a bracket. */
const breakable = (line) => line.split(/(?<=\()/).flatMap((part) => [part, h("wbr")]);
