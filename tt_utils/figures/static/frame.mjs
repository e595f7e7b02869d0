/** The translator's frame, made once: a place for each of its parts, in reading order. */

import { CELL_STYLE } from "./cell.mjs";
import { h, style } from "./dom.mjs";
import { GRID_STYLE } from "./grid.mjs";
import { KINDS } from "./state.mjs";
import { Writing, WRITING_STYLE } from "./writing.mjs";

const STYLE = `
${GRID_STYLE}
${CELL_STYLE}
${WRITING_STYLE}
:host { container-type: inline-size; scroll-margin-top: calc(var(--top, 0px) + 0.5rem); }
.translation { font-size: 1.15rem; min-height: 1.8rem; }
.translation .later { opacity: 0.75; }
.translation .now { box-shadow: 0 2px; }
.translation .forced { text-decoration: underline dotted; }
.bar { position: sticky; top: var(--top, 0); z-index: 2; padding: 0.3rem 0;
  background: var(--pst-color-background, var(--jp-layout-color0, Canvas)); }
.bar .row { margin: 0; }
.bar button { min-width: 2.75rem; min-height: 2.5rem; }
.bar .play { min-width: 4.5rem; font-weight: 600; }
.status { min-height: 3em; }
.candidates { font-size: 0.85rem; border-collapse: separate; border-spacing: 2px; }
.candidates th { font-weight: 500; padding: 0.1rem 0.2rem; }
.candidates td { width: auto; height: 1.9rem; line-height: 1; cursor: default;
  text-align: right; padding-right: 0.5rem; }
.candidates td:first-child { text-align: left; }
.candidates button { padding: 0 0.5rem; min-height: 1.75rem; }
.heads { display: flex; flex-wrap: wrap; gap: 0.3rem 1.2rem; }
.layer { display: grid; gap: 0.3rem; align-items: end; }
.layer > span { grid-column: 1 / -1; }
.heads button { padding: 0.2rem; min-height: 0; line-height: 1.2; font-size: 0.72rem;
  white-space: nowrap; }
.heads canvas { display: block; margin: 0 auto 0.15rem; image-rendering: pixelated; }
.thumb { display: block; box-sizing: content-box; padding-bottom: 0.15rem; }
.heads .cut { text-decoration: line-through; }
.help { min-height: 5.6rem; }
@container (max-width: 39.99rem) {
  .look { --head: 4.4rem; }
  [role="grid"] { font-size: 0.75rem; }
  [role="grid"] thead th { writing-mode: vertical-rl; text-align: right; height: var(--head); }
  [role="grid"] :is(td, thead th) { width: 1.75rem; min-width: 1.75rem; }
  [role="grid"] tbody th { padding-left: 0; }
}
@container (min-width: 40rem) {
  .help { min-height: 3.9rem; }
  .both { display: grid; grid-template: auto 1fr auto auto / minmax(0, 1fr) 12.5rem;
    grid-template-areas: "bar words" "look words" "aim aim" "more more"; column-gap: 1rem; }
  .bar { position: static; grid-area: bar; }
  .look { grid-area: look; } .aim { grid-area: aim; } .more { grid-area: more; }
  .words { grid-area: words; }
  .kinds { display: grid; grid-template-columns: repeat(3, 1fr); gap: 0 1rem; }
  .kinds legend { grid-column: 1 / -1; }
  .status { min-height: 1.5em; }
}
@container (min-width: 64rem) {
  .both { grid-template: auto auto 1fr / minmax(0, 1fr) 16.5rem 12.5rem;
    grid-template-areas: "bar aim words" "look aim words" "more aim words"; }
  .kinds { display: block; }
}
`;

/**
 * @param {ShadowRoot} root
 * @param {import("./scene.mjs").Scene["change"]} change
 * @param {(text: string) => void} write  Called when another sentence is to be read.
 * @returns {Record<string, HTMLElement> & {writing: Writing}}
 */
export function frame(root, change, write) {
  const writing = new Writing(write);
  const parts = {
    fallback: h("slot"),
    output: h("div", { className: "translation", lang: "es" }),
    compare: h("p", { className: "quiet" }),
    steps: h("span", { className: "row", role: "group", "aria-label": "Steps of the decoder" }),
    status: h("p", { className: "status" }),
    told: h("p", { className: "unseen", role: "status" }),
    candidates: h("fieldset", { className: "words" }),
    kinds: h("fieldset", { className: "kinds" }, h("legend", {}, "Which attention?"),
      ...Object.entries(KINDS).map(([kind, label]) => h("p", {}, h("label", {},
        h("input", {
          type: "radio", name: "kind", value: kind, onchange: () => change({ kind, cell: null }),
        }), label)))),
    heads: h("div"),
    caption: h("p", { className: "quiet" }),
    table: h("div"),
    gold: h("p"),
    question: h("div"),
    cell: h("div", { "aria-live": "polite" }),
    switches: h("fieldset"),
    view: h("div"),
    body: h("div", { hidden: true }),
  };
  parts.view.append(
    parts.told,
    h("div", { className: "both" },
      h("div", { className: "bar" },
        h("span", { className: "quiet" }, "In Spanish:"), parts.output, parts.steps),
      h("div", { className: "look" },
        parts.status, parts.compare, parts.table, parts.cell, parts.caption),
      h("div", { className: "aim" }, parts.heads, parts.kinds),
      h("div", { className: "more" }, parts.gold, parts.question),
      parts.candidates),
    parts.switches,
  );
  parts.body.append(parts.view);
  style(root, STYLE);
  root.append(
    h("div", { role: "group", "aria-label": "A Transformer that translates" },
      writing.element, parts.body),
    parts.fallback,
  );
  return { ...parts, writing };
}

/**
 * Give some of the parts new children; what is false is left out.
 *
 * @param {ReturnType<typeof frame>} parts
 * @param {Record<string, (Node | string | 0 | false)[]>} given
 */
export function fill(parts, given) {
  for (const [name, children] of Object.entries(given)) {
    parts[name].replaceChildren(...children.filter(Boolean));
  }
}
