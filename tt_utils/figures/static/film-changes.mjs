/** What the reader changes in the film's model: heads, blocks, mask, positions, words, training. */

import { h } from "./dom.mjs";
import { wordsOf } from "./model-file.mjs";
import { CHANGED, every, like } from "./parts.mjs";

const BLOCK = /^((?:en|de)coder)\.layers\.(\d)\.residuals\.(\d)$/;

/** What a state holds of them. */
export const CHANGES = { ...CHANGED, skipped: [[], every(like(BLOCK))] };

export const CHANGES_STYLE = `
.panel button, .changed button { font-size: 0.85rem; padding: 0.1rem 0.5rem; min-height: 1.75rem; }
.changed { border-left: 4px solid #d08c00; padding-left: 0.7rem; }
`;

const toggled = (list, one) => (list.includes(one) ? list.filter((other) => other !== one) : [...list, one]);

const STACK = { self: "encoder", masked: "decoder", cross: "cross" };
const KIND = { encoder: "the encoder’s self-attention", decoder: "the masked self-attention", cross: "the cross-attention" };

/** A head as the engine calls it. */
export const headOf = ({ kind, layer }, head) => `${STACK[kind]}.${layer}.${head}`;

/** Of the heads, blocks and words that a link names, those that this model has. */
export function existing({ info: { config: { n_heads, n_encoder_layers, n_decoder_layers } }, target }, { cut, skipped, forced }) {
  const has = (side, layer) => layer < (side === "encoder" ? n_encoder_layers : n_decoder_layers);
  const lacking = forced.findIndex((id) => id >= target.length);
  return {
    cut: cut.filter((name) => {
      const [kind, layer, head] = name.split(".");
      return has(kind, layer) && head < n_heads;
    }),
    skipped: skipped.filter((name) => {
      const [, side, layer, part] = name.match(BLOCK);
      return has(side, layer) && part < (side === "encoder" ? 2 : 3);
    }),
    // After a word that this model doesn't have, others would stand in the wrong place.
    forced: lacking < 0 ? forced : forced.slice(0, lacking),
  };
}

/** As the engine takes them. */
export const forEngine = ({ cut, skipped, unplaced, unmasked }) =>
  ({ cut: new Set(cut), skipped: new Set(skipped), unplaced, unmasked });

export const anyOf = ({ cut, skipped, unplaced, unmasked, forced }) =>
  Boolean(unplaced || unmasked || cut.length || skipped.length || forced.length);

/** A button that cuts a head, or takes it back. */
export function headSwitch({ chosen, change }, level, head) {
  const name = headOf(level, head);
  const gone = chosen.cut.includes(name);
  return h("button", { onclick: () => change({ cut: toggled(chosen.cut, name) }) }, `${gone ? "Restore" : "Cut"} head ${head + 1}`);
}

/** A button that leaves a block or the positions out, or puts them back; not every block has one. */
export function blockSwitch({ chosen, change }, { kind, adds, tensor }) {
  if (kind === "place") {
    return h("button", { onclick: () => change({ unplaced: !chosen.unplaced }) },
      chosen.unplaced ? "Add positions again" : "Add no positions");
  }
  return adds && h("button", { onclick: () => change({ skipped: toggled(chosen.skipped, tensor) }) },
    chosen.skipped.includes(tensor) ? "Put this block back" : "Leave this block out");
}

/** Make the model write this word here. */
export const force = ({ trace, change }, lane, id) => change({ forced: [...trace.wrote.slice(0, lane), id] });

/** A button that takes the mask from the decoder, or gives it back. */
export const maskSwitch = ({ chosen: { unmasked }, change }) =>
  h("button", { onclick: () => change({ unmasked: !unmasked }) }, unmasked ? "Give the mask back" : "Take the mask away");

/** A button that makes the model write another word here. */
export function forceSwitch(film, lane, id) {
  return id === film.trace.wrote[lane] ? "written"
    : h("button", { onclick: () => force(film, lane, id) }, "write this");
}

/** Words as a sentence, with no room before a comma or a question mark. */
export const sentenceOf = (words) => words.join(" ").replace(/ (?=[,?])|(?<=¿) /g, "");

const spanish = (ids, { target }) => (ids.length ? h("i", { lang: "es" }, sentenceOf(wordsOf(ids, target))) : "nothing");

/** What the changed model writes, said beside what changes it. */
export const nowWrites = (film) => anyOf(film.chosen) && h("p", { className: "changed" }, ...outcome(film), ".");

function outcome({ model, trace: { written }, plain }) {
  const same = plain.join(" ") === written.join(" ");
  return same ? ["It writes the same: ", spanish(written, model)]
    : ["Now it writes ", spanish(written, model), ". Unchanged it writes ", spanish(plain, model)];
}

/** Which earlier state of its training this model is; nothing, if it is the last. */
export function youngNote({ snapshots }, snapshot) {
  const last = snapshots.at(-1);
  const now = snapshots.find(({ file }) => file === snapshot) ?? last;
  const count = ({ step }) => step.toLocaleString("en");
  return now === last ? "" : `This is the model after ${count(now)} of ${count(last)} steps of training. `;
}

/** What is changed, and what the model writes without that. */
export function changedNote(film) {
  const { chosen, change } = film;
  if (!anyOf(chosen)) return [];
  const { cut, skipped, unplaced, unmasked, forced } = chosen;
  const block = (name) => {
    const [, side, layer, part] = name.match(BLOCK);
    const attention = side === "encoder" ? ["self-attention"] : ["masked self-attention", "cross-attention"];
    return `the ${side}’s ${attention[part] ?? "feed-forward block"} in layer ${Number(layer) + 1} left out`;
  };
  const parts = [
    ...cut.map((name) => name.split(".")).map(([kind, layer, head]) =>
      `head ${Number(head) + 1} of ${KIND[kind]} in layer ${Number(layer) + 1} cut`),
    ...(skipped.length > 2 ? [`${skipped.length} blocks left out, with a line through their names`] : skipped.map(block)), unplaced && "no positions added", unmasked && "no mask in the decoder",
    forced.length && `${forced.length === 1 ? "the first word" : `the first ${forced.length} words`} fixed`,
  ].filter(Boolean);
  return [`Changed: ${parts.join("; ")}. `, ...outcome(film), ". ",
    h("button", { onclick: () => change({ cut: [], skipped: [], unplaced: false, unmasked: false, forced: [] }) }, "Undo all")];
}

/** The choice of an earlier state of the same training, where there is one. */
export const trainedFor = ({ snapshots }, change) =>
  snapshots.length > 1 && h("label", {}, "trained for ",
    h("select", {
      onchange: ({ target }) => change({ snapshot: target.value }),
    }, ...snapshots.map(({ step, file }) => h("option", { value: file }, `${step.toLocaleString("en")} steps`))));
