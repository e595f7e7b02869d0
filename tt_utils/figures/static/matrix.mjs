/** Numbers in rows, and what the layers of a Transformer do with them. */

/**
 * @typedef {object} Matrix  Numbers in rows.
 * @property {number} rows
 * @property {number} columns
 * @property {Float32Array} data
 */

/** @returns {Matrix} */
export function matrix(rows, columns) {
  return { rows, columns, data: new Float32Array(rows * columns) };
}

/** @returns {Float32Array} A view, not a copy. */
export function row(x, i) {
  return x.data.subarray(i * x.columns, (i + 1) * x.columns);
}

/** The dot product of row i of x and row j of y: four sums at once, so that none waits for another. */
export function dot({ columns, data }, i, { data: other }, j) {
  let a = i * columns;
  let b = j * columns;
  const end = a + columns;
  let p = 0, q = 0, r = 0, s = 0;
  for (; a + 3 < end; a += 4, b += 4) {
    p += data[a] * other[b];
    q += data[a + 1] * other[b + 1];
    r += data[a + 2] * other[b + 2];
    s += data[a + 3] * other[b + 3];
  }
  for (; a < end; a++, b++) p += data[a] * other[b];
  return p + q + r + s;
}

/** x·Wᵀ + b for every row of x; W has one row an output, as PyTorch stores it. */
export function linear(x, weight, bias) {
  const out = matrix(x.rows, weight.rows);
  for (let i = 0, o = 0; i < x.rows; i++) {
    for (let j = 0; j < weight.rows; j++, o++) {
      out.data[o] = dot(x, i, weight, j) + (bias ? bias.data[j] : 0);
    }
  }
  return out;
}

/** Each row to mean 0 and variance 1, then stretched and shifted. */
export function normalise(x, weight, bias) {
  const out = matrix(x.rows, x.columns);
  for (let i = 0; i < x.rows; i++) {
    const given = row(x, i);
    const made = row(out, i);
    let mean = 0;
    for (const number of given) mean += number / x.columns;
    let variance = 0;
    for (const number of given) variance += (number - mean) ** 2 / x.columns;
    const scale = 1 / Math.sqrt(variance + 1e-5);
    for (let j = 0; j < x.columns; j++) {
      made[j] = (given[j] - mean) * scale * weight.data[j] + bias.data[j];
    }
  }
  return out;
}

/**
 * Shares that add up to 1; a row of nothing but −∞ becomes zeros.
 *
 * @param {number[] | Float32Array} scores
 * @returns {Float32Array}
 */
export function softmax(scores) {
  const largest = scores.reduce((a, b) => Math.max(a, b), -Infinity);
  const shares = new Float32Array(scores.length);
  if (largest === -Infinity) return shares;
  const powers = Float64Array.from(scores);
  let total = 0;
  for (let i = 0; i < powers.length; i++) total += powers[i] = Math.exp(powers[i] - largest);
  for (let i = 0; i < powers.length; i++) shares[i] = powers[i] / total;
  return shares;
}

/** The rows of y below those of x. */
export function below(x, y) {
  const out = matrix(x.rows + y.rows, x.columns);
  out.data.set(x.data);
  out.data.set(y.data, x.data.length);
  return out;
}

/** The columns of one head. */
export function slice(x, start, width) {
  const out = matrix(x.rows, width);
  for (let i = 0; i < x.rows; i++) {
    out.data.set(row(x, i).subarray(start, start + width), i * width);
  }
  return out;
}
