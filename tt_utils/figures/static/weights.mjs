/** The table of the head on show: each query's weights for all keys, beside the gold alignment. */

import { h } from "./dom.mjs";
import { headName } from "./greedy.mjs";
import { grid } from "./grid.mjs";
import { KINDS } from "./state.mjs";

/**
 * The table, and what it says of itself.
 *
 * @param {import("./scene.mjs").Scene} scene
 * @param {number | null} covered  A row whose numbers a question hides.
 */
export function weightsTable(scene, covered) {
  const { state: { kind, head, cell, gold, unmasked }, layer, weights, masked, change } = scene;
  const example = kind === "cross" ? goldOf(scene) : undefined;
  const which = headName(head);
  return {
    caption: [`Layer ${layer + 1}, ${which}. ${ROWS[kind]} The weights of a row add up to 1. Choose a cell to see how it is computed.`
      + `${kind === "decoder" && !unmasked ? " Hatched: the mask forbids it." : ""}${unmasked && kind !== "encoder" ? LATER : ""}`],
    table: [
      grid({
        label: `${KINDS[kind]}; layer ${layer + 1}, ${which}`,
        rows: scene.rows, columns: scene.columns, later: kind === "encoder" ? 0 : scene.last - scene.t,
        rowsLanguage: kind === "encoder" ? "en" : "es",
        columnsLanguage: kind === "decoder" ? "es" : "en",
        weight: (i, j) => weights.data[i * weights.columns + j], masked,
        mark: gold && example ? (i, j) => markOf(example, j, i) : undefined,
        selected: cell, covered,
        select: (i, j) => change({ cell: [i, j] }),
      }),
    ],
    gold: [kind === "cross" && h("label", {}, h("input", {
      type: "checkbox", checked: gold && example, disabled: !example,
      onchange: ({ target }) => change({ gold: target.checked }),
    }), `Frame the gold alignment${example ? ": who translates whom (dashed: possibly)"
      : " (the example sentences have one)"}`)],
  };
}

/** The grammar's own alignment, where the output is its translation. */
function goldOf({ model, result }) {
  const written = result.written.map((id) => model.target[id]).join(" ");
  return model.info.examples.find(({ source, target }) =>
    source === result.words.join(" ") && target === written);
}

function markOf({ sure, possible }, source, target) {
  const among = (links) => links.some(([i, j]) => i === source && j === target);
  if (among(sure)) return "sure";
  return among(possible) ? "possible" : undefined;
}

const ROWS = {
  encoder: "Each row is an English word that gathers from all of them.",
  decoder: "Each row is a step (has read ▸ writes) that gathers from what has been read.",
  cross: "Each row is a step (has read ▸ writes) that gathers from the English words.",
};

const LATER = " Without the mask earlier rows change as the sentence grows: this is how they "
  + "attend now, and not when they wrote.";
