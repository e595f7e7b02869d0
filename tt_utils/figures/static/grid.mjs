/** A table of weights: queries, or the heads of one, in rows; keys in columns. */

import { h, shade, shown } from "./dom.mjs";

export const GRID_STYLE = `
[role="grid"] { border-collapse: separate; border-spacing: 2px; font-size: 0.85rem; }
[role="grid"] th { font-weight: 500; padding: 0.1rem 0.2rem; white-space: nowrap; }
[role="grid"] thead th { vertical-align: bottom; }
[role="grid"] :is(tbody th, td[role="presentation"]) { position: sticky; left: 0; z-index: 1;
  cursor: default; border: 0 !important; text-align: right; padding-right: 0.35rem;
  background: var(--pst-color-background, var(--jp-layout-color0, Canvas)); }
[role="grid"] td { width: 2.2rem; min-width: 2.2rem; padding: 0; height: 2rem; text-align: center;
  border-radius: 3px; cursor: pointer; position: relative; forced-color-adjust: none; }
[role="grid"] td[aria-selected="true"] { outline: 3px solid var(--tt-link, #0a72b2);
  box-shadow: inset 0 0 0 2px #fff; }
td.sure::after, td.possible::after { content: ""; position: absolute; inset: 1px;
  border: 3px solid #e69f00; outline: 1px solid #000; box-shadow: inset 0 0 0 1px #000;
  border-radius: 3px; }
td.possible::after { border-style: dashed; }
[role="grid"] td.beside { cursor: default; }
[role="grid"] td.masked { cursor: help; border: 1px solid ButtonBorder;
  background: repeating-linear-gradient(135deg, transparent 0 4px, currentColor 4px 5px); }
[role="grid"] tr.gone { text-decoration: line-through; }
[role="grid"] td span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
`;

/**
 * @typedef {object} GridGiven
 * @property {string} label  What the table shows.
 * @property {string[]} rows
 * @property {string[]} columns
 * @property {string} rowsLanguage
 * @property {string} columnsLanguage
 * @property {(i: number, j: number) => number} weight
 * @property {(i: number, j: number) => boolean} masked
 * @property {(i: number, j: number) => string | undefined} [mark]  "sure", "possible".
 * @property {(i: number) => boolean} [gone]  Is this row's head cut?
 * @property {[number, number] | null} selected
 * @property {[string, (i: number) => HTMLElement | string]} [beside]  A last column: its head, and a row's part.
 * @property {(i: number, j: number) => void} select
 */

/**
 * @param {GridGiven} given
 * @returns {HTMLElement}
 */
export function grid(given) {
  const { rows, columns, selected, beside, gone } = given;
  const cells = rows.map((_, i) => [...columns.map((_, j) => cell(given, i, j)),
    ...(beside ? [h("td", { role: "gridcell", className: "beside", tabIndex: -1 }, beside[1](i))] : [])]);
  const [i, j] = selected ?? [0, 0];
  (cells[i]?.[j] ?? cells[0][0]).tabIndex = 0;
  const table = h(
    "table",
    { role: "grid", "aria-label": given.label, onkeydown: (event) => move(event, cells) },
    h("thead", {}, h("tr", { role: "row" }, h("td", { role: "presentation" }),
      ...columns.map((word) =>
        h("th", { scope: "col", role: "columnheader", lang: given.columnsLanguage }, word)),
      beside && h("th", { scope: "col", role: "columnheader" }, beside[0]))),
    h("tbody", {}, ...rows.map((word, i) =>
      h("tr", { role: "row", className: gone?.(i) ? "gone" : "" },
        h("th", { scope: "row", role: "rowheader", lang: given.rowsLanguage }, word),
        ...cells[i]))),
  );
  return h("div", { className: "scroll", role: "group", "aria-label": given.label }, table);
}

function cell(given, i, j) {
  const weight = given.weight(i, j);
  const masked = given.masked(i, j);
  const { background, color } = shade(weight);
  const mark = given.mark?.(i, j);
  const [a, b] = given.selected ?? [];
  return h(
    "td",
    {
      role: "gridcell",
      tabIndex: -1,
      className: masked ? "masked" : mark ?? "",
      "aria-selected": a === i && b === j,
      style: masked ? {} : { background, color },
      onclick: () => given.select(i, j),
    },
    masked ? h("span", {}, "masked") : shown(weight),
    mark && h("span", {}, `, gold link, ${mark}`),
  );
}

/** Arrow keys move within the table; Enter and space choose. */
function move(event, cells) {
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const { target, key } = event;
  if (key === "Enter" || key === " ") {
    event.preventDefault();
    target.click();
    return;
  }
  const [down, right] = steps[key] ?? [];
  // The words on both sides are counted, too.
  const next = cells[target.parentNode.rowIndex - 1 + down]?.[target.cellIndex - 1 + right];
  if (!next) return;
  event.preventDefault();
  target.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
