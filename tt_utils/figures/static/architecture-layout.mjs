/** Where everything stands in the drawing of the architecture: geometry, and nothing else. */

import { blocksOf } from "./architecture-blocks.mjs";

const BOX = 26;
const TWO_LINES = 38;
const GAP = 21;
const SPLIT = 24; // where a road becomes queries, keys and values
const SUM = 24;
const HEAD = 26; // a stack's name, within its frame
const TURN = 12;
const LANE = 17; // the road round a sub-layer
const PAD = 5;
const ROOM = 92; // for a shape beside its arrow

/**
 * @typedef {object} Box
 * @property {string} id
 * @property {number} x
 * @property {number} y  Its upper edge.
 * @property {number} w
 * @property {number} h
 * @property {"box" | "words" | "sum" | "name"} form
 *
 * @typedef {object} Wire
 * @property {string[]} ids  The blocks that it joins.
 * @property {number[][]} points
 * @property {boolean} head  Does it end in an arrowhead?
 * @property {"wire" | "road" | "memory" | "q" | "k" | "v"} kind
 *
 * @typedef {object} Note  A text beside a wire.
 * @property {number} x
 * @property {number} y
 * @property {string} text
 * @property {"start" | "end"} anchor
 * @property {string} kind
 * @property {string[]} ids
 */

/** A column that grows upwards; heights count from the ground. */
class Column {
  boxes = [];
  wires = [];
  notes = [];
  frame = null;
  level = 0;
  #fork = null;
  #last = null;

  /** @param {-1 | 1} out  On which side the residual roads run. */
  constructor(x, w, out) {
    Object.assign(this, { x, w, out });
    const inset = Math.max(19, Math.min(w / 2, w - ROOM));
    this.arrow = out < 0 ? x + inset : x + w - inset;
    this.spread = w > 130 ? 18 : 14;
  }

  note(text, level, ids, kind = "shape", x = this.arrow - 6 * this.out) {
    this.notes.push({ text, x, y: level, ids, kind, anchor: this.out < 0 ? "start" : "end" });
  }

  line(ids, points, kind = "wire", head = true) {
    this.wires.push({ ids, points, kind, head });
  }

  box(block, h, form = "box") {
    const round = form === "sum";
    const more = form === "words" ? PAD : 0;
    this.boxes.push({
      id: block.id, form, h, x: round ? this.arrow - h / 2 : this.x - more,
      w: round ? h : this.w + 2 * more, y: this.level + h,
    });
    const middle = this.level + h / 2;
    if (this.#fork !== null && /\.add_/.test(block.id)) {
      const lane = this.x + (this.out > 0 ? this.w + LANE / 2 : -LANE / 2);
      const edge = round ? this.arrow + this.out * h / 2 : this.x + (this.out > 0 ? this.w : 0);
      this.line([block.id], [[this.arrow, this.#fork], [lane, this.#fork], [lane, middle],
        [edge, middle]], "road");
      this.#fork = null;
    }
    this.level += h;
    this.#last = block.id;
  }

  /**
   * An arrow to the next block, with the shape of what it carries.
   *
   * @param {boolean} given.fork  Does a residual road leave it?
   * @param {boolean} given.split  Does it become queries, keys and values?
   * @param {boolean} given.enters  Does it cross the frame's edge, above the shape?
   */
  rise(block, shape, { fork = false, split = false, enters = false, kind = "wire" } = {}) {
    const ids = [this.#last ?? block.id, block.id];
    const { arrow: a, level } = this;
    this.note(shape, level + GAP / 2 - 4, ids);
    if (fork) this.#fork = level + (enters ? GAP + 1 : 6);
    this.level += GAP + (split ? SPLIT : enters ? 12 : kind === "q" ? 8 : 0);
    if (!split) {
      this.line(ids, [[a, level], [a, this.level]], kind);
      if (kind !== "wire") this.letter(kind, a + 7, ids);
      return;
    }
    const parting = this.level - SPLIT + 7;
    this.line(ids, [[a, level], [a, parting]], "wire", false);
    ["q", "k", "v"].forEach((kind, i) => {
      const x = a + (i - 1) * this.spread;
      this.line(ids, [[a, parting], ...(i === 1 ? [] : [[x, parting]]), [x, this.level]], kind);
      this.letter(kind, x + 4, ids);
    });
  }

  letter(kind, x, ids) {
    this.notes.push({ text: kind, x, y: this.level - 11, ids, kind: "letter", anchor: "start" });
  }
}

/** A stack's layer, in its frame, and its name. */
function climb(column, blocks, shape, stack) {
  const layer = blocks.filter((block) => block.stack === stack && block.id !== stack);
  const bottom = column.level + GAP - 4;
  layer.forEach((block, i) => {
    const sub = /attention|feed_forward/.test(block.id);
    const cross = block.id === "decoder.cross_attention";
    const sum = block.label[0] === "+";
    column.rise(block, shape, {
      fork: /norm_/.test(block.id) || (sub && !/norm_/.test(layer[i - 1]?.id)),
      split: /self_attention/.test(block.id), enters: i === 0, kind: cross ? "q" : "wire",
    });
    const tall = cross || block.label.length > 1;
    column.box(block, sum ? SUM : tall ? TWO_LINES : BOX, sum ? "sum" : "box");
  });
  const top = column.level + HEAD + 8;
  const inner = 10;
  const x = column.out < 0 ? column.arrow + inner : column.x;
  const w = column.out < 0 ? column.x + column.w - x : column.arrow - inner - x;
  column.boxes.push({ id: stack, form: "name", x, w, h: HEAD - 2, y: top - 4 });
  const left = column.x - (column.out < 0 ? LANE : PAD);
  column.frame = {
    id: stack, x: left, y: top, w: column.w + LANE + PAD, h: top - bottom,
  };
  return top;
}

/**
 * @param {number} width
 * @param {boolean} normFirst
 */
export function layout(width, normFirst) {
  const blocks = blocksOf(normFirst);
  const of = (id) => blocks.find((block) => block.id === id);
  const middle = Math.max(30, Math.min(70, width * 0.14));
  const w = (width - 2 - 2 * (LANE + PAD) - middle) / 2;
  const left = new Column(1 + LANE, w, -1);
  const right = new Column(width - 1 - LANE - w, w, 1);
  const tops = [[left, "source", "t_src", "encoder"], [right, "target", "t_tgt", "decoder"]]
    .map(([column, side, t, stack]) => {
      const shape = `${t} × d_model`;
      column.box(of(`${side}.tokens`), TWO_LINES, "words");
      column.rise(of(`${side}.embedding`), t);
      column.box(of(`${side}.embedding`), BOX);
      column.rise(of(`${side}.position`), shape);
      column.box(of(`${side}.position`), BOX);
      const top = climb(column, blocks, shape, stack);
      const norm = of(`${stack}.norm`);
      if (!norm) return top;
      // The road leaves the frame before the last norm.
      column.line([stack], [[column.arrow, column.level], [column.arrow, top + GAP]]);
      column.note(shape, top + GAP / 2 - 4, [stack]);
      column.level = top + GAP;
      column.box(norm, BOX);
      return column.level;
    });
  const [encoderTop] = tops;
  memory(left, right, encoderTop);
  finish(right, of, tops[1]);
  return turned([left, right], width, right.level + 2);
}

/** From the encoder's top across to the decoder, as keys and values. */
function memory(left, right, top) {
  const cross = right.boxes.find(({ id }) => id === "decoder.cross_attention");
  const ids = ["encoder", cross.id];
  const across = top + TURN;
  const lane = (left.x + left.w + PAD + right.x - PAD) / 2 - 4;
  left.line(ids, [[left.arrow, left.level], [left.arrow, across], [lane, across],
    [lane, cross.y - 28]], "memory", false);
  for (const [kind, down] of [["k", 12], ["v", 28]]) {
    const level = cross.y - down;
    left.line(ids, [[lane, level], [right.x, level]], kind);
    left.notes.push({ text: kind, x: lane + 5, y: level + 4, ids, kind: "letter", anchor: "start" });
  }
  left.note("memory", across + 19, ids, "strong");
  left.note("t_src × d_model", across + 6, ids);
}

/** From the decoder's top to the next word. */
function finish(column, of, top) {
  const { arrow } = column;
  const shapes = [["linear", "t_tgt × d_model"], ["softmax", "t_tgt × vocab"], ["word", "t_tgt × vocab"]];
  shapes.forEach(([id, shape], i) => {
    const from = column.level;
    const start = i === 0 ? top : from;
    const ids = [i === 0 ? "decoder" : shapes[i - 1][0], id];
    column.line(ids, [[arrow, from], [arrow, start + GAP]]);
    column.note(shape, start + GAP / 2 - 4, ids);
    column.level = start + GAP;
    column.box(of(id), id === "word" ? TWO_LINES : BOX, id === "word" ? "words" : "box");
  });
}

/** From heights above the ground to a drawing's coordinates, which count down from its top. */
function turned(columns, width, height) {
  const down = (level) => height - level;
  return {
    width, height,
    void: { x: columns[0].x - LANE, w: columns[0].w + LANE },
    frames: columns.map(({ frame }) => ({ ...frame, y: down(frame.y) })),
    boxes: columns.flatMap(({ boxes }) => boxes.map((box) => ({ ...box, y: down(box.y) }))),
    wires: columns.flatMap(({ wires }) => wires.map((wire) => ({
      ...wire, points: wire.points.map(([x, level]) => [x, down(level)]),
    }))),
    notes: columns.flatMap(({ notes }) => notes.map((note) => ({ ...note, y: down(note.y) }))),
  };
}
