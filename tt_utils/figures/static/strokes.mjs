/**
 * Strokes of a pen as the images of the data set: 8 × 8 counts of ink.
 *
 * Those came from bitmaps of 32 × 32 that NIST's programs had prepared: as high as the box, at
 * most 20 wide, as thick as gives much the same ink to each, and slanted until the leftmost
 * ink of the top row and that of the bottom row stand in one column. Each block of 4 × 4 was
 * then counted. Source: Garris et al. 1994, NISTIR 5469; Alpaydin and Kaynak 1998.
 */

const BOX = 32;
const WIDEST = 20;
const BLOCK = 4;
export const SIDE = BOX / BLOCK;
export const FULL = BLOCK * BLOCK;
const INK = 313; // of the 1,024 pixels: the mean of the data set
const THIN = 0.8;
const THICK = 6;
const HALVINGS = 8;

/** @typedef {[number, number][]} Stroke  Points on the way of the pen, in any unit. */

/**
 * @param {Stroke[]} strokes
 * @returns {number[][]}  8 rows of 8 counts, from 0 (paper) to 16 (ink).
 */
export function asImage(strokes) {
  return counted(upright(bitmap(strokes)));
}

/** The bitmap whose ink comes nearest to that of the data set. */
function bitmap(strokes) {
  let [thin, thick] = [THIN, THICK];
  for (let i = 0; i < HALVINGS; i++) {
    const radius = (thin + thick) / 2;
    if (inkOf(inked(strokes, radius)) > INK) thick = radius;
    else thin = radius;
  }
  return inked(strokes, thin);
}

const inkOf = (rows) => rows.flat().reduce((sum, on) => sum + on, 0);

/** Fill every pixel whose middle lies under a pen of this radius, in the middle of the box. */
function inked(strokes, radius) {
  const fitted = fit(strokes, WIDEST - 2 * radius, BOX - 2 * radius);
  const rows = Array.from({ length: BOX }, () => Array(BOX).fill(0));
  for (const stroke of fitted) {
    stroke.forEach((to, i) => dab(rows, stroke[Math.max(i - 1, 0)], to, radius));
  }
  return rows;
}

/** Move and stretch strokes: as high as they may be, no wider, no flatter than they were. */
function fit(strokes, width, height) {
  const [xs, ys] = [0, 1].map((axis) => strokes.flat().map((point) => point[axis]));
  const [left, right, top, bottom] = [
    Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys),
  ];
  const [wide, high] = [right - left, bottom - top];
  const narrow = wide ? width / wide : Infinity;
  // A stroke that is nearly level stays so.
  const down = Math.min(height / (high || 1), MOST * narrow);
  const across = Math.min(down, narrow);
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return strokes.map((stroke) => stroke.map(([a, b]) =>
    [BOX / 2 + (a - x) * across, BOX / 2 + (b - y) * down]));
}

const MOST = 3;

/** Fill what lies within `radius` of the line from one point to another. */
function dab(rows, [x0, y0], [x1, y1], radius) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const length = dx * dx + dy * dy;
  const among = (x) => Math.min(Math.max(x, 0), BOX - 1);
  const [top, bottom] = [Math.min(y0, y1) - radius, Math.max(y0, y1) + radius];
  const [left, right] = [Math.min(x0, x1) - radius, Math.max(x0, x1) + radius];
  for (let y = among(Math.floor(top)); y <= among(Math.floor(bottom)); y++) {
    for (let x = among(Math.floor(left)); x <= among(Math.floor(right)); x++) {
      const [px, py] = [x + 0.5 - x0, y + 0.5 - y0];
      const along = length && Math.min(Math.max((px * dx + py * dy) / length, 0), 1);
      if (Math.hypot(px - along * dx, py - along * dy) <= radius) rows[y][x] = 1;
    }
  }
}

/** Shift each row, so that the first ink of the top row and of the bottom row are in line. */
function upright(rows) {
  const left = rows.map((row) => row.indexOf(1));
  const top = left.findIndex((x) => x >= 0);
  const bottom = left.findLastIndex((x) => x >= 0);
  const lean = bottom > top ? (left[bottom] - left[top]) / (bottom - top) : 0;
  const shifted = rows.map((row, y) => shift(row, -lean * (y - top)));
  const columns = shifted[0].map((_, x) => shifted.some((row) => row[x]));
  const off = (columns.indexOf(true) + columns.lastIndexOf(true) + 1 - BOX) / 2;
  return shifted.map((row) => shift(row, -off));
}

/** What leaves the box is lost. */
const shift = (row, by) => row.map((_, x) => row[x - Math.round(by)] ?? 0);

function counted(rows) {
  return Array.from({ length: SIDE }, (_, i) => Array.from({ length: SIDE }, (_, j) =>
    inkOf(rows.slice(BLOCK * i, BLOCK * (i + 1)).map((row) =>
      row.slice(BLOCK * j, BLOCK * (j + 1))))));
}
