/** What the translator shows now: a state together with the translation that it asks for. */

import { row } from "./matrix.mjs";
import { weightsOf } from "./greedy.mjs";
import { named } from "./model-file.mjs";

/**
 * @typedef {object} Scene
 * @property {import("./model-file.mjs").Model} model
 * @property {import("./state.mjs").State} state
 * @property {import("./greedy.mjs").Translation} result
 * @property {import("./greedy.mjs").Translation} plain  Without the reader's changes.
 * @property {number} t  The step on show.
 * @property {import("./layers.mjs").Head[][]} layers  Of the attention on show.
 * @property {number} layer
 * @property {import("./matrix.mjs").Matrix} weights  Of the layer and head on show.
 * @property {(i: number, j: number) => boolean} masked  Does the mask hide this key?
 * @property {number} last  The last step.
 * @property {string[]} source  The words that are translated, and their end.
 * @property {string[]} rows  The words along the sides of the table.
 * @property {string[]} columns
 * @property {(id: number) => string} word  A Spanish word as the reader sees it.
 * @property {(changes: Partial<import("./state.mjs").State>) => void} change
 */

/**
 * @param {Pick<Scene, "model" | "state" | "result" | "plain" | "change">} given
 * @returns {Scene}
 */
export function sceneOf(given) {
  const { model, state: { step, kind, layer: wanted, head }, result } = given;
  const last = result.steps.length - 1;
  const t = Math.min(step ?? last, last);
  const layers = kind === "encoder" ? result.encoder : result.steps[t][kind];
  const layer = Math.min(wanted ?? Infinity, layers.length - 1);
  const word = (id) => named(model.target[id]);
  const steps = result.steps.slice(0, t + 1).map(({ read, wrote }) =>
    ({ asks: word(read.at(-1)), writes: word(wrote) }));
  const source = [...result.words, "end"];
  return {
    ...given, t, last, layers, layer, source, word,
    masked: (i, j) => row(layers[layer][0].scores, i)[j] === -Infinity,
    weights: weightsOf(layers[layer], head),
    rows: kind === "encoder" ? source : steps.map(({ asks, writes }) => `${asks} ▸ ${writes}`),
    columns: kind === "decoder" ? steps.map(({ asks }) => asks) : source,
  };
}
