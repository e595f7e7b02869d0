/** Where the film's lanes, blocks and words stand. */

/** @typedef {"encoder" | "decoder"} Side */

/**
 * @typedef {object} Plan
 * @property {boolean} across  Do the lanes run from left to right? Else downwards.
 * @property {number} width
 * @property {number} height
 * @property {Side[]} sides  Those on show.
 * @property {number} room  For a word at a lane's foot.
 * @property {(side: Side, level: number, lane: number) => [number, number]} at  A tile's middle.
 * @property {(side: Side) => [number, number]} title
 * @property {(side: Side, level: number, lines: number) => [number, number, string]} name  Where
 *   a block's name begins, and how it is aligned.
 * @property {(side: Side, level: number) => {x: number, y: number, width: number, height: number}}
 *   band  Behind all lanes after a block.
 */

export const TILE = 24;
export const LINE = 12; // from one line of a block's name to the next
const ACROSS = 560; // px from which lanes run across
const [FOOT, HEAD, LANE, LENS, NAMES, GAP] = [66, 62, 28, 40, 58, 12];
const [MARGIN, NARROW, BROAD, STEP, EDGE] = [88, 32, 60, 46, 34];

/**
 * @param {number} width  Of the window for it.
 * @param {import("./film-moments.mjs").Film} film
 * @param {Side} side  The one at work.
 * @returns {Plan}
 */
export const planOf = (width, film, side) => (width >= ACROSS ? across(width, film, side) : falling(width, film, side));

/** The encoder above, the decoder below, each word in a row; the encoder alone, if that is asked for. */
function across(width, { levels, words, lens, alone }, side) {
  const step = (width - FOOT - HEAD) / (levels.decoder.length - 1);
  const lane = lens ? LENS : LANE;
  const tops = { encoder: NAMES, decoder: 2 * NAMES + GAP + words.encoder.length * lane };
  const x = (level) => (level ? FOOT + (level - 0.5) * step : FOOT / 2);
  const sides = alone && side === "encoder" ? [side] : ["encoder", "decoder"];
  return {
    across: true, width, sides, room: FOOT - 4,
    height: tops[sides.at(-1)] + words[sides.at(-1)].length * lane + 8,
    at: (which, level, i) => [x(level), tops[which] + (i + 0.5) * lane],
    title: (which) => [FOOT / 2, tops[which] - 28],
    name: (which, level, lines) => [x(level), tops[which] - 8 - (lines - 1) * LINE, "middle"],
    band: (which, level) => ({ x: x(level) - step / 2 + 2, y: tops[which], width: step - 4,
      height: words[which].length * lane }),
  };
}

/** One side at a time, each word a column; the memory stands above the decoder. */
function falling(width, { levels, words }, side) {
  const most = side === "encoder" ? words.encoder.length : Math.max(words.encoder.length, words.decoder.length);
  const lane = Math.min(Math.max((width - MARGIN) / most, NARROW), BROAD);
  const begin = side === "encoder" ? EDGE : EDGE + 1.8 * STEP;
  const full = MARGIN + lane * most;
  const y = (which, level) => (which === side ? begin + level * STEP : EDGE + TILE);
  return {
    across: false, width: Math.max(width, full), sides: [side], room: lane - 2,
    height: EDGE + (levels.decoder.length + 2) * STEP,
    at: (which, level, i) => [MARGIN + (i + 0.5) * lane, y(which, level)],
    title: () => [(MARGIN + full) / 2, EDGE - 18],
    name: (which, level, lines) => [MARGIN - 6, y(which, level) + 4 - ((lines - 1) * LINE) / 2, "end"],
    band: (which, level) => ({ x: MARGIN, y: y(which, level) - STEP / 2, width: full - MARGIN, height: STEP }),
  };
}
