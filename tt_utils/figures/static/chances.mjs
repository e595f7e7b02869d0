/** How probable the model holds each digit to be: ten bars. */

import { h } from "./dom.mjs";
import { softmax } from "./matrix.mjs";

export const CHANCES_STYLE = `
.chances { list-style: none; margin: 0; padding: 0; }
.chances li { display: grid; grid-template-columns: 0.8rem minmax(0, 1fr) 3rem; gap: 0.4rem;
  align-items: center; line-height: 1.45; }
.chances .bar { height: 0.85rem; border-radius: 2px; background: #0072b2; min-width: 1px;
  forced-color-adjust: none; }
.chances .share { text-align: right; }
.chances .first { font-weight: 700; } .chances .first .bar { background: #d55e00; }
`;

/** A probability as the bars write it. */
export const chance = (share) => {
  const whole = Math.round(100 * share);
  if (share > 0 && whole === 0) return "<\u00a01\u00a0%";
  return whole === 100 && share < 1 ? ">\u00a099\u00a0%" : `${whole}\u00a0%`;
};

/**
 * @param {Float32Array | null} logits
 * @returns {{digit: number, share: number}[]}  The most probable first; none without logits.
 */
export function ranked(logits) {
  if (!logits) return [];
  const shares = softmax(logits);
  return Array.from(shares, (share, digit) => ({ digit, share })).sort((a, b) => b.share - a.share);
}

export class Chances {
  constructor() {
    this.bars = Array.from({ length: 10 }, (_, digit) => {
      const bar = h("span", { className: "bar", "aria-hidden": "true" });
      const share = h("span", { className: "share number" });
      return { bar, share, row: h("li", {}, h("span", {}, String(digit)), bar, share) };
    });
    this.element = h("ul", { className: "chances", role: "list", "aria-label": "Probability of each digit" },
      ...this.bars.map(({ row }) => row));
  }

  /** @param {ReturnType<typeof ranked>} order */
  show(order) {
    this.bars.forEach(({ bar, share, row }, digit) => {
      const found = order.find((one) => one.digit === digit);
      row.classList.toggle("first", Boolean(found) && found === order[0]);
      bar.style.width = `${100 * (found?.share ?? 0)}%`;
      share.textContent = found ? chance(found.share) : "–";
    });
  }
}
