/** What is said of the chosen block: what it does, its shapes, the line of code, its chapter. */

import { CHAPTERS } from "./architecture-blocks.mjs";
import { h } from "./dom.mjs";

export const PANEL_STYLE = `
.name { font-weight: 700; font-size: 1.05rem; margin: 0 0 0.3rem; }
.name::first-letter { text-transform: uppercase; }
.panel pre { margin: 0.3rem 0; padding: 0.4rem 0.5rem; overflow-x: auto; border-radius: 0.35rem;
  background: color-mix(in srgb, currentColor 7%, transparent); white-space: pre-wrap;
  overflow-wrap: anywhere; font: 0.8rem/1.45 var(--tt-mono, ui-monospace, monospace); }
.panel p code { white-space: nowrap; } .panel code { font: 0.85rem var(--tt-mono, ui-monospace, monospace); }
.panel a { color: var(--tt-link, LinkText); }
`;

/**
 * @param {import("./architecture-blocks.mjs").Block | undefined} block
 * @param {(chapter: string) => string | null} address
 * @returns {HTMLElement[]}
 */
export function explained(block, address) {
  if (!block) {
    return [h("p", { className: "quiet" }, "Choose a block, with the pointer or with the arrow "
      + "keys: what it does, its shapes and the line of code that does it.")];
  }
  const links = block.chapters.map((number) => {
    const text = `Chapter ${number} explains it: ${CHAPTERS[number][1]}`;
    const href = address(number);
    return h("p", {}, href ? h("a", { href }, text) : text);
  });
  return [
    h("p", { className: "name" }, block.name),
    h("p", {}, block.does),
    h("p", {}, ...block.takes.split(", ").flatMap((shape, i) => [i && " and ", h("code", {}, shape)]),
      " → ", h("code", {}, block.gives)),
    h("pre", {}, h("code", {}, block.code.join("\n"))),
    h("p", { className: "quiet" }, h("code", {}, `tt_utils/${block.file}`)),
    ...links,
  ];
}
