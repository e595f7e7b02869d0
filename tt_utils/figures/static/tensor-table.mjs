/** One tensor of a sentence, in a few of its numbers. */

import { h, shown } from "./dom.mjs";
import { row } from "./matrix.mjs";
import { top } from "./greedy.mjs";
import { named, wordsOf } from "./model-file.mjs";

/** @typedef {import("./trace.mjs").Trace} Trace */
/** @typedef {import("./model-file.mjs").Model} Model */

const SHOWN = 3;

/**
 * @param {Model} model
 * @param {Trace} trace
 * @param {import("./architecture-blocks.mjs").Block} block
 * @param {number} layer
 * @returns {HTMLElement[]}
 */
export function tensorTable(model, trace, block, layer) {
  const source = wordsOf(trace.source, model.source);
  const target = wordsOf(trace.target, model.target);
  const ids = trace[block.tensor];
  if (ids) {
    const names = block.tensor === "source" ? source : target;
    return [shape("Here", [ids.length]), table(["", "id"], names.map((name, i) => [name, String(ids[i])]))];
  }
  if (block.id === "word") {
    const wrote = wordsOf(trace.wrote, model.target);
    return [shape("Here", [wrote.length]),
      table(["has read", "writes"], target.map((name, i) => [name, wrote[i]]))];
  }
  const name = block.tensor.replace("#", layer);
  const x = trace.seen.get(name);
  const rows = block.gives.startsWith("t_src") ? source : target;
  const heads = trace.heads.get(name);
  const lines = rows.map((_, i) => row(x, i));
  const words = block.gives.endsWith("vocab");
  return [
    shape("Here", [x.rows, x.columns]),
    words ? table(["", "the highest of each row"], rows.map((name, i) => [name, best(model, lines[i])]))
      : table(["", ...Array.from({ length: SHOWN }, (_, c) => String(c)), "length"],
        rows.map((name, i) => [name, ...Array.from(lines[i].slice(0, SHOWN), (x) => shown(x)),
          shown(length(lines[i]), 1)])),
    h("p", { className: "quiet number" }, words ? "" : `The first ${SHOWN} of ${x.columns} numbers of each row, and its length. `,
    `Mean length of a row: ${shown(mean(lines.map(length)))}.`),
    heads && shape("Its weights", [heads.length, heads[0].weights.rows, heads[0].weights.columns], "heads × queries × keys"),
  ].filter(Boolean);
}

const length = (numbers) => Math.hypot(...numbers);
const mean = (numbers) => numbers.reduce((sum, x) => sum + x, 0) / numbers.length;

const shape = (what, sizes, axes = "") => h("p", {}, `${what}: `,
  h("code", { className: "size" }, sizes.join(" × ")), axes && `, ${axes}`);

const best = (model, numbers) => top(numbers, 2).map((id) =>
  `${named(model.target[id])} ${shown(numbers[id])}`).join(" · ");

function table(head, rows) {
  return h("div", { className: "scroll", tabIndex: 0, role: "group", "aria-label": "Its numbers" },
    h("table", { className: "numbers number" },
      h("thead", {}, h("tr", {}, ...head.map((text) => (text ? h("th", { scope: "col" }, text) : h("td"))))),
      h("tbody", {}, ...rows.map(([name, ...cells]) => h("tr", {}, h("th", { scope: "row" }, name),
        ...cells.map((text) => h("td", {}, text)))))));
}
