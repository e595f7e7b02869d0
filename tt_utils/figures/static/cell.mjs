/** How one weight is computed: q · k, ÷ √d_k, softmax. */

import { copy, h, shown } from "./dom.mjs";
import { headName } from "./greedy.mjs";
import { dot, row } from "./matrix.mjs";

/** @typedef {import("./layers.mjs").Head} Head */

/** What a cut head's value comes to. */
export const LOST = "nothing: the head is cut";

export const CELL_STYLE = `
dl { display: grid; grid-template-columns: auto 1fr; gap: 0.15rem 0.7rem; margin: 0.5rem 0; }
dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; }
`;

/**
 * @param {object} given
 * @param {Head[]} given.heads  Of one attention.
 * @param {number | "mean"} given.which
 * @param {number[]} given.gone  The heads that are cut.
 * @param {string | false} given.lost  What is passed on in place of the value.
 * @param {[number, string]} given.asks  The query's place and its word.
 * @param {[number, string]} given.asked  The key's.
 * @returns {HTMLElement[]}
 */
export function explained({ heads, which, gone, lost, asks: [i, query], asked: [j, key] }) {
  const title = `${headName(which)}: ${query} attends to ${key}: `;
  if (which === "mean") {
    const left = heads.filter((_, head) => !gone.includes(head)).map(({ weights }) => row(weights, i)[j]);
    return [h("p", { className: "number" }, title, `(${left.map((x) => shown(x)).join(" + ")}) ÷ ${left.length} = `,
      h("b", {}, shown(left.reduce((sum, x) => sum + x, 0) / left.length)),
      ". Choose a weight of one head to see its q, k and score.")];
  }
  const head = heads[which];
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
      : `e^${shown(score, 4)} ÷ the sum of e^score over all keys = ${shown(Math.exp(score))} ÷ ${shown(total)}`
        + ` = weight ${weight}`,
    "passes on": lost || (hidden ? "nothing" : `${weight} × v of ${key}: ${numbers(row(head.v, j))}`),
  };
  return [
    h("p", {}, h("b", {}, title)),
    h("dl", { className: "number" },
      ...Object.entries(lines).flatMap(([name, text]) => [h("dt", {}, name), h("dd", {}, text)])),
    h("p", { className: "quiet" }, "q is made of the word that asks, k and v of the one that is asked, "
      + `by three matrices of this head, learned in training: ${q.length * heads.length} numbers become ${q.length}.`),
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
