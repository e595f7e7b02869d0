/** A square to draw in, with mouse, pen or finger; it shows an image, too. */

import { FULL, SIDE } from "./strokes.mjs";
import { s, set } from "./svg.mjs";

const BOX = 32; // pixels of the bitmap, and units of the drawing
const PEN = 2.6;
const BLOCK = BOX / SIDE;

/** @typedef {import("./strokes.mjs").Stroke} Stroke */

export const PEN_STYLE = `
.pen { touch-action: none; cursor: crosshair; user-select: none; -webkit-user-select: none; }
.pen polyline { fill: none; stroke: currentColor; stroke-width: ${PEN}; stroke-linecap: round;
  stroke-linejoin: round; }
.pen .block { fill: currentColor; }
`;

export class Pen {
  #pointer = null;
  #begun;
  #moved;

  /**
   * @param {() => void} begun  Called when a stroke begins.
   * @param {(point: [number, number]) => void} moved  Called for each of its points.
   */
  constructor(begun, moved) {
    this.#begun = begun;
    this.#moved = moved;
    this.element = s("svg", { class: "pen", viewBox: `0 0 ${BOX} ${BOX}`, role: "img" });
    const listen = (name, act) => this.element.addEventListener(name, act);
    listen("pointerdown", (event) => this.#down(event));
    listen("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      listen(end, ({ pointerId }) => {
        if (pointerId === this.#pointer) this.#pointer = null;
      });
    }
  }

  /** Is the reader in the midst of a stroke? */
  get busy() {
    return this.#pointer !== null;
  }

  #down(event) {
    // A second finger draws nothing.
    if (this.busy || event.button !== 0) return;
    event.preventDefault();
    this.#pointer = event.pointerId;
    this.element.setPointerCapture(event.pointerId);
    this.#begun();
    this.#moved(this.#place(event));
  }

  #move(event) {
    if (event.pointerId !== this.#pointer) return;
    const passed = event.getCoalescedEvents?.() ?? [];
    for (const one of passed.length ? passed : [event]) this.#moved(this.#place(one));
  }

  #place({ clientX, clientY }) {
    const { left, top, width, height } = this.element.getBoundingClientRect();
    return [((clientX - left) / width) * BOX, ((clientY - top) / height) * BOX];
  }

  /**
   * Show strokes; where there are none, the image.
   *
   * @param {Stroke[]} strokes
   * @param {number[][]} image
   * @param {string} label
   */
  show(strokes, image, label) {
    set(this.element, { "aria-label": label });
    // A stroke of one point is a dot.
    const points = (stroke) => (stroke.length > 1 ? stroke : [...stroke, ...stroke]).join(" ");
    const blocks = () => image.flatMap((row, i) => row.map((ink, j) => ink && s("rect", {
      class: "block", x: j * BLOCK, y: i * BLOCK, width: BLOCK, height: BLOCK,
      "fill-opacity": ink / FULL,
    }))).filter(Boolean);
    this.element.replaceChildren(...strokes.length
      ? strokes.map((stroke) => s("polyline", { points: points(stroke) })) : blocks());
  }
}
