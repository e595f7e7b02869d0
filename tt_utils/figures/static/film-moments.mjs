/** The order of the film: which block works when, and what is said of it. */

import { h, shown } from "./dom.mjs";
import { END } from "./engine.mjs";
import { headOf } from "./film-changes.mjs";
import { headName, top, weightsOf } from "./greedy.mjs";
import { linear, matrix, row } from "./matrix.mjs";
import { wordsOf } from "./model-file.mjs";

/** @typedef {import("./matrix.mjs").Matrix} Matrix */

/**
 * @typedef {object} Level  All lanes of one side, after one block.
 * @property {keyof typeof CHAPTER} kind
 * @property {string} name
 * @property {number} [layer]
 * @property {string} [tensor]  The module that gives the lanes' numbers; words have none.
 * @property {string} [normed]  The module whose numbers the block reads.
 * @property {string} [adds]  The module whose numbers the block adds.
 */

/**
 * @typedef {object} Moment
 * @property {"encoder" | "decoder"} side
 * @property {number} level
 * @property {number | null} lane  The decoder's newest; the encoder's work together.
 * @property {boolean} first  Is it the first of its kind?
 */

/** Where each kind of block is explained. */
export const CHAPTER = {
  word: "02", rows: "02", place: "09", self: "07", masked: "08", cross: "12", network: "10",
  memory: "11", next: "13",
};

/** The glossary's entry on it. */
const ENTRY = {
  word: "token", rows: "embedding", place: "positional-encoding", self: "self-attention", masked: "causal-mask",
  cross: "cross-attention", network: "feed-forward-network", memory: "layer-normalisation", next: "logits",
};

const before = (word, table) => [
  { kind: "word", name: word },
  { kind: "rows", name: "embedding", tensor: `${table}.rows` },
  { kind: "place", name: "+ position", tensor: table },
];

const sublayers = (stack, count, parts) => Array.from({ length: count }, (_, layer) =>
  parts.map(([kind, name, module], n) => {
    const place = `${stack}.layers.${layer}`;
    const tensor = `${place}.residuals.${n}`;
    return { kind, name, layer, tensor, normed: `${tensor}.norm`, adds: `${place}.${module}` };
  })).flat();

/**
 * The rows of the picture, from below.
 *
 * @param {import("./engine.mjs").Config} config
 * @returns {Record<"encoder" | "decoder", Level[]>}
 */
export function levelsOf({ n_encoder_layers, n_decoder_layers }) {
  const network = ["network", "feed-forward", "feed_forward"];
  return {
    encoder: [
      ...before("reads", "src_embedding"),
      ...sublayers("encoder", n_encoder_layers, [["self", "self-attention", "self_attention"], network]),
      { kind: "memory", name: "norm", tensor: "encoder.norm" },
    ],
    decoder: [
      ...before("reads", "tgt_embedding"),
      ...sublayers("decoder", n_decoder_layers, [
        ["masked", "masked self-attention", "self_attention"],
        ["cross", "cross-attention", "cross_attention"], network]),
      { kind: "next", name: "writes", tensor: "decoder.norm" },
    ],
  };
}

/**
 * First the encoder, all lanes at once; then the decoder, lane by lane.
 *
 * @param {Record<"encoder" | "decoder", Level[]>} levels
 * @param {number} lanes  Of the decoder.
 * @returns {Moment[]}
 */
export function momentsOf(levels, lanes) {
  const moments = levels.encoder.map((_, level) => ({ side: "encoder", level, lane: null }));
  for (let lane = 0; lane < lanes; lane++) {
    levels.decoder.forEach((_, level) => moments.push({ side: "decoder", level, lane }));
  }
  const known = new Set();
  return moments.map((moment) => {
    const { kind: block } = levels[moment.side][moment.level];
    // The second word is the first that comes from the decoder itself, and the first to look back.
    const again = moment.lane > 0 && ["word", "masked"].includes(block);
    const kind = [block, again, block === "word" && moment.side].join(" ");
    const first = !known.has(kind);
    known.add(kind);
    return { ...moment, first };
  });
}

/** The number of the moment at which this block works; the encoder's lanes have one together. */
export const momentAt = ({ moments }, side, level, lane) => moments.findIndex((one) =>
  one.side === side && one.level === level && (one.lane ?? lane) === lane);

/** Is it the decoder's last look at the source? */
export const isLastCross = ({ decoder }, level) => level === decoder.findLastIndex(({ kind }) => kind === "cross");

export const attends = ({ kind }) => ["self", "masked", "cross"].includes(kind);

/**
 * @typedef {object} Film
 * @property {import("./model-file.mjs").Model} model
 * @property {import("./trace.mjs").Trace} trace
 * @property {Record<"encoder" | "decoder", Level[]>} levels
 * @property {Moment[]} moments
 * @property {Record<"encoder" | "decoder", string[]>} words  At the foot of each lane.
 * @property {string[]} wrote  What each lane of the decoder writes.
 * @property {import("./layers.mjs").Changes} changes  What is otherwise than in training.
 * @property {{cut: string[], skipped: string[], unplaced: boolean, unmasked: boolean, forced: number[]}} chosen
 *   The same as the reader has set it, and the first words that he or she gave.
 * @property {number[]} plain  What the unchanged model writes.
 * @property {number | "mean"} head
 * @property {boolean} alone  Is the encoder drawn alone, until the decoder begins?
 * @property {boolean} lens  Does each lane say what the model would write there?
 * @property {boolean} [asking]  Is the reader asked first where this moment's attention goes?
 * @property {(text: string, entry: string) => Node | string} term  A word of the glossary.
 * @property {Map<string, string>} tiles  The pictures of lanes, by tensor and lane.
 * @property {Map<number, Pick<Film, "trace" | "tiles">>} past  Without the mask, by the lane that was the newest.
 * @property {{temperature: number, kept: string, cell: {of: string, at: [number, number]} | null, everyone?: boolean, gold?: boolean, heard: string}} panel  What is set in the opened point, and what is said aloud of it.
 */

/** The words to which the lanes of this side attend here; without the mask, those that are there by now. */
export const keysOf = ({ words, trace }, side, { kind, adds }) =>
  words[kind === "cross" ? "encoder" : side].slice(0, trace.heads.get(adds)[0].weights.columns);

/** The heads of this attention that are cut, from 0. */
export const goneAt = ({ changes, model }, level) =>
  [...Array(model.info.config.n_heads).keys()].filter((head) => changes.cut.has(headOf(level, head)));

/** Whose weights are on show. */
export function whoseWeights(film, level) {
  const { head } = film;
  const gone = goneAt(film, level);
  return `${headName(head)}${!gone.length ? "" : head === "mean" ? " that are left" : gone.includes(head) ? ", which is cut" : ""}`;
}

/** Does the chosen head, or one of all, bring what it attends to? */
export function fetches(film, level) {
  const { changes, head, model } = film;
  const gone = goneAt(film, level);
  return !changes.skipped.has(level.tensor)
    && (head === "mean" ? gone.length < model.info.config.n_heads : !gone.includes(head));
}

/** Words, numbered where one comes twice: the₁, the₂. */
export const apart = (words) => words.map((word, i) => {
  const number = words.slice(0, i + 1).filter((one) => one === word).length;
  return words.indexOf(word) === words.lastIndexOf(word) ? word : word + [...String(number)].map((digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]).join("");
});

/** The chosen head's weights of an attention, or the mean of the heads that aren't cut. */
export const tableAt = (film, level) => weightsOf(film.trace.heads.get(level.adds), film.head, goneAt(film, level));

/** @returns {Float32Array}  How much a lane attends to each word; the mask's words have 0. */
export const weightsAt = (film, level, lane) => row(tableAt(film, level), lane);

/** Does the lane stand before the newest, and change with it, as the mask is gone? */
export const readAgain = ({ changes, trace }, side, lane) =>
  changes.unmasked && side === "decoder" && lane < trace.seen.get("softmax").rows - 1;

/** What a head fetches for a lane. */
export const fetched = ({ trace }, level, head, lane) => row(trace.heads.get(level.adds)[head].fetched, lane);

/** What the hidden units of a feed-forward network hold for one lane. */
export function hidden({ model, trace }, level, lane) {
  const given = trace.seen.get(level.normed);
  const one = { rows: 1, columns: given.columns, data: row(given, lane) };
  const { transformer } = model;
  const wide = linear(one, transformer.tensor(`${level.adds}.widen.weight`),
    transformer.tensor(`${level.adds}.widen.bias`));
  return wide.data.map((x) => transformer.activation(x));
}

/**
 * The logit lens: what the decoder would write if it stopped here.
 *
 * @returns {Float32Array}  A logit for every word.
 */
export function lens({ model, trace }, level, lane) {
  const x = trace.seen.get(level.tensor);
  const one = matrix(1, x.columns);
  one.data.set(row(x, lane));
  const { transformer } = model;
  const normed = level.kind === "next" ? one : transformer.norm(one, "decoder.norm");
  return transformer.score(normed).data;
}

/**
 * One sentence about a block, with what it does to this sentence.
 *
 * @param {Film} film
 * @param {Moment} moment
 * @param {number} [about]  The lane to speak of; else the newest, or the last word.
 * @returns {(string | HTMLElement)[]}
 */
export function said(film, { side, level: number, lane }, about) {
  const level = film.levels[side][number];
  const { words, wrote, trace } = film;
  const width = film.model.info.config.d_model;
  const lastWord = words.encoder.slice(0, -1).findLastIndex((one) => /\p{L}/u.test(one));
  const here = about ?? lane ?? Math.max(lastWord, 0);
  const word = (text, language = side === "encoder" ? "en" : "es") => h("i", { lang: language }, text);
  const asking = word(words[side][here]);
  const again = readAgain(film, side, here);
  const gone = attends(level) ? goneAt(film, level) : [];
  const whose = attends(level) && whoseWeights(film, level);
  const most = () => {
    const shares = weightsAt(film, level, here);
    const [best] = top(shares, 1);
    const language = side === "encoder" || level.kind === "cross" ? "en" : "es";
    return ["most to ", word(apart(keysOf(film, side, level))[best], language),
      ` (${shown(shares[best])}, ${whose})`];
  };
  if (film.changes.skipped.has(level.tensor)) return ["This block is left out: the lanes go on as they were."];
  if (gone.length === film.model.info.config.n_heads) return ["All heads of this attention are cut: it fetches nothing. Only the bias of its last matrix is added, the same for every word."];
  const cut = gone.map((one) => one + 1);
  const lost = cut.length ? ` What ${cut.length === 1 ? "head" : "heads"} ${cut.join(", ")} fetched is thrown away.` : "";
  const told = {
    word: () => (side === "encoder" ? [`${words.encoder.length} tokens go in: the words and a sign for the end.`]
      : lane === 0 ? ["The decoder begins with a sign for the start."]
        : [asking, ", written last, is read next.", film.changes.unmasked
          ? " Without the mask the lanes before it are calculated anew: you see them with this word already." : ""]),
    rows: () => [side === "encoder"
      ? `Each token fetches its ${width} numbers from a table. A tile shows them: blue below 0, red above.`
      : `It fetches its ${width} numbers from the Spanish table, the same in every position.`],
    place: () => [film.changes.unplaced ? "No positions are added: nothing says where it stands." : "The sines and cosines of its position are added: now the numbers say where it stands, too."],
    self: () => ["Each word attends to all: ", asking, " ", ...most(), ". What it fetches there is added to its lane."],
    masked: () => {
      if (again) {
        const later = Array.from(weightsAt(film, level, here).slice(here + 1), (x) => shown(x)).join(" + ");
        return ["Without the mask ", asking, ` sees what was written later and gives it ${later} (${whose}).`];
      }
      if (here === 0) return ["It may attend to itself and to what stands before it. So far that is ", asking, " alone."];
      return film.changes.unmasked
        ? [asking, " is the newest and attends to all that is there, ", ...most(), ". Without the mask the words before it attend to it, too, and their lanes change."]
        : [asking, " may attend to itself and to what stands before it, and does so ", ...most(), `.${here < words.decoder.length - 1 ? " What comes later (✕) is hidden." : ""}`];
    },
    cross: () => ["Now it attends to the English words, ", ...most(), ", and adds what it fetches."],
    network: () => {
      const units = hidden(film, level, here);
      const fire = units.filter((x) => x > 0).length;
      return ["Each lane by itself, with what attention brought: for ", asking, fire ? ` ${fire} of ${units.length} hidden units fire, and what they give is added.`
        : ` none of the ${units.length} hidden units fires. Only the block’s bias is added, the same for every word.`];
    },
    memory: () => ["A last norm brings every lane to a common scale. These numbers are all that the decoder will have of the sentence."],
    next: () => {
      const shares = row(trace.seen.get("softmax"), here);
      const [best] = top(shares, 1);
      const share = shares[trace.wrote[here]];
      if (again) {
        return ["Read again, with the later words in sight: here it would now write ", word(wordsOf([best], film.model.target)[0]), ` (${percent(shares[best])}).`];
      }
      if (here < film.chosen.forced.length && trace.wrote[here] !== best) {
        return ["Given or drawn: ", word(wrote[here]), ` (${share < 0.0005 ? "less than 0.1 %" : percent(share)}); by itself it would write `,
          word(wordsOf([best], film.model.target)[0]), ` (${percent(shares[best])}).`];
      }
      return ["Compared with every Spanish word, ", word(wrote[here]), ` comes first, with ${percent(share)}`,
        trace.wrote[here] === END ? ": the sentence is complete."
          : here < wrote.length - 1 ? ". It is written." : `. It is written, and here the film ends: after ${wrote.length} words.`];
    },
  }[level.kind]();
  return lost ? [...told, lost] : told;
}

export const percent = (share) => (share > 0.9995 ? "more than 99.9 %" : `${shown(100 * share, 1)} %`);

/** The same, its block linked to the glossary. */
export function titled(film, moment) {
  const { name, kind } = film.levels[moment.side][moment.level];
  const [start, end] = nameOf(film, moment).split(name);
  return h("b", {}, start, film.term(name, ENTRY[kind]), end);
}

/** Where in the film this is, in words. */
export function nameOf({ levels }, { side, level: number, lane }) {
  const { name, layer } = levels[side][number];
  const block = layer === undefined ? name : `${name}, layer ${layer + 1}`;
  return side === "encoder" ? `Encoder: ${block}` : `Decoder, word ${lane + 1}: ${block}`;
}
