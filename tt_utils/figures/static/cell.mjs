/** How one cell of the table is computed: q · k, ÷ √d_k, softmax. */

import { copy, h, shown } from "./dom.mjs";
import { dot, row } from "./matrix.mjs";

/** @typedef {import("./layers.mjs").Head} Head */

/** What a cut head's value comes to. */
export const LOST = "nothing: the head is cut";

export const CELL_STYLE = `
dl { display: grid; grid-template-columns: auto 1fr; gap: 0.15rem 0.7rem; margin: 0.5rem 0; }
dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; }
`;

/**
 * @param {Pick<import("./scene.mjs").Scene, "layers" | "layer" | "rows" | "columns"> & {state:
 *   Pick<import("./state.mjs").State, "cell" | "head">}} scene
 *   With a `name`, the head's, where the table shows several; with what becomes of it, where it is `lost`.
 * @returns {HTMLElement[]}  None where the table has no such cell.
 */
export function explained({ name, lost, state, layers, layer, rows, columns }) {
  const [i, j] = state.cell ?? [];
  const [query, key] = [rows[i], columns[j]];
  if (!query || !key) return [];
  const heads = layers[layer];
  const title = `${name ? `${name}: ` : ""}${query} attends to ${key}: `;
  if (state.head === "mean") {
    const each = heads.map(({ weights }) => row(weights, i)[j]);
    const mean = each.reduce((sum, x) => sum + x, 0) / each.length;
    return [h("p", { className: "number" }, title,
      `(${each.map((x) => shown(x)).join(" + ")}) ÷ ${each.length} = `,
      h("b", {}, shown(mean)),
      ", the mean of the heads. Choose one head to see its q, k and scores.")];
  }
  const head = heads[state.head];
  const [q, k] = [row(head.q, i), row(head.k, j)];
  const product = dot(head.q, i, head.k, j);
  const score = row(head.scores, i)[j];
  const hidden = score === -Infinity;
  const total = row(head.scores, i).reduce((sum, x) => sum + Math.exp(x), 0);
  const weight = shown(row(head.weights, i)[j], 3);
  const numbers = (x) => Array.from(x, (number) => shown(number, 1)).join(" ");
  const lines = {
    [`q of ${query}`]: numbers(q),
    [`k of ${key}`]: numbers(k),
    "q · k": shown(product) + (hidden ? ", but the mask hides this key" : ""),
    [`÷ √${q.length}`]: `score ${shown(score, 4)}`,
    softmax: hidden
      ? "weight 0"
      : `e^${shown(score, 4)} ÷ sum over the row = ${shown(Math.exp(score))} ÷ ${shown(total)}`
        + ` = weight ${weight}`,
    "passes on": lost || (hidden ? "nothing" : `${weight} × v of ${key}: ${numbers(row(head.v, j))}`),
  };
  return [
    h("p", {}, h("b", {}, title)),
    h("dl", { className: "number" },
      ...Object.entries(lines).flatMap(([name, text]) => [h("dt", {}, name), h("dd", {}, text)])),
    h("div", { className: "row" }, h("button", {
      onclick: (event) => copy(asPyTorch(head, i), event.currentTarget),
    }, "Copy this row as PyTorch")),
  ];
}

/**
 * PyTorch code that computes one row of weights again.
 *
 * @param {Head} head
 * @param {number} i  The query.
 */
export function asPyTorch(head, i) {
  const list = (numbers, digits = 5) =>
    `[${Array.from(numbers, (x) => +x.toFixed(digits)).join(", ")}]`;
  const scores = row(head.scores, i);
  const seen = [...scores.keys()].filter((j) => scores[j] !== -Infinity);
  return [
    "import torch",
    "",
    `q = torch.tensor(${list(row(head.q, i))})`,
    "k = torch.tensor([",
    ...seen.map((j) => `    ${list(row(head.k, j))},`),
    "])",
    "scores = k @ q / q.shape[0] ** 0.5",
    "weights = scores.softmax(dim=0)",
    `# the figure shows ${list(seen.map((j) => row(head.weights, i)[j]), 4)}`,
    "print(weights)",
    "",
  ].join("\n");
}
