/** The translator's frame, made once: a place for each of its parts, in reading order. */

import { h, style } from "./dom.mjs";
import { GRID_STYLE } from "./grid.mjs";
import { FRESH, KINDS } from "./state.mjs";

const STYLE = `
${GRID_STYLE}
.translation { font-size: 1.15rem; min-height: 1.8rem; }
.translation .later { opacity: 0.45; }
.translation .forced { text-decoration: underline dotted; }
.heads { display: grid; gap: 0.3rem; justify-content: start; align-items: end; }
.heads > span { align-self: center; }
.heads button { padding: 0.2rem; min-height: 0; line-height: 1.2; font-size: 0.72rem;
  white-space: nowrap; }
.heads canvas { display: block; margin: 0 auto 0.15rem; image-rendering: pixelated; }
.heads .cut { text-decoration: line-through; }
.choice { display: inline-flex; gap: 0.4rem; align-items: center; margin-right: 0.6rem; }
.message { border-left: 4px solid #d55e00; padding-left: 0.7rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0.15rem 0.7rem; margin: 0.5rem 0; }
dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; }
`;

/**
 * @param {ShadowRoot} root
 * @param {import("./scene.mjs").Scene["change"]} change
 * @returns {Record<string, HTMLElement>}
 */
export function frame(root, change) {
  const input = h("input", {
    type: "text", autocomplete: "off", spellcheck: false, lang: "en",
    "aria-describedby": "message", id: "text",
    oninput: () => change({ ...FRESH, text: input.value }),
  });
  const parts = {
    input,
    examples: h("select", {
      "aria-label": "Example sentences",
      onchange: (event) => {
        if (event.target.value) change({ ...FRESH, text: event.target.value });
      },
    }),
    message: h("p", { className: "message", id: "message", role: "status", hidden: true }),
    fallback: h("slot"),
    output: h("div", { className: "translation", lang: "es", "aria-live": "polite" }),
    compare: h("p", { className: "quiet" }),
    steps: h("span", { className: "row", role: "group", "aria-label": "Steps of the decoder" }),
    status: h("span", { role: "status" }),
    candidates: h("fieldset"),
    kinds: h("fieldset", {}, h("legend", {}, "Which attention?"),
      ...Object.entries(KINDS).map(([kind, label]) => h("p", {}, h("label", {},
        h("input", {
          type: "radio", name: "kind", value: kind, onchange: () => change({ kind, cell: null }),
        }), label)))),
    heads: h("div"),
    caption: h("p", { className: "quiet" }),
    table: h("div"),
    question: h("div"),
    cell: h("div", { "aria-live": "polite" }),
    switches: h("fieldset"),
    view: h("div"),
    body: h("div", { hidden: true }),
  };
  parts.view.append(
    h("p", { className: "quiet" }, "In Spanish:"), parts.output, parts.compare,
    h("div", { className: "row" }, parts.steps, parts.status), parts.candidates,
    parts.kinds, parts.heads, parts.caption, parts.table, parts.cell, parts.question,
    parts.switches,
  );
  parts.body.append(h("div", { className: "row" }, parts.examples), parts.view);
  style(root, STYLE);
  root.append(
    h("div", { role: "group", "aria-label": "A Transformer that translates" },
      h("p", {}, h("label", { for: "text" }, "Write an English sentence")),
      input, parts.message, parts.body),
    parts.fallback,
  );
  return parts;
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
