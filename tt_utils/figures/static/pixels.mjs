/** The 8 × 8 image that the model sees: its ink to be changed, cell by cell, by keys, and on
 * it a dot for each patch, as large as its weight. */

import { h, shown } from "./dom.mjs";
import { FULL, SIDE } from "./strokes.mjs";

// The weight whose dot would be as broad as a patch, or a pixel where patches overlap.
export const BROADEST = 0.25;
const FILLED = 0.92; // of that breadth
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export const PIXELS_STYLE = `
.pixels { position: relative; border: 1px solid color-mix(in srgb, currentColor 55%, transparent); }
.pixels [role="row"] { display: grid; grid-template-columns: repeat(${SIDE}, 1fr); }
.pixels [role="gridcell"] { aspect-ratio: 1; cursor: pointer; forced-color-adjust: none;
  box-shadow: inset 0 0 0 0.5px color-mix(in srgb, currentColor 22%, transparent); }
.pixels [role="gridcell"]:focus-visible { position: relative; z-index: 3; outline-offset: -2px; }
.over { position: absolute; inset: 0; pointer-events: none; forced-color-adjust: none; }
.over.apart { background: linear-gradient(#8a8a8a 2px, transparent 2px),
  linear-gradient(90deg, #8a8a8a 2px, transparent 2px); background-size: var(--patch) var(--patch); }
.over > * { position: absolute; transform: translate(-50%, -50%); }
.dot { background: #e69f00; border-radius: 50%; box-shadow: 0 0 0 1px #000; }
.cut { border: 1px solid #000; background: repeating-linear-gradient(135deg, #fff 0 3px, #777 3px 5px); }
.patch { outline: 3px solid #d55e00; box-shadow: 0 0 0 4px #fff, inset 0 0 0 1px #fff; }
`;

/** The diameter of a weight's dot: the dot's area is the weight. */
export const broad = (weight) => Math.sqrt(Math.min(weight, BROADEST) / BROADEST);

export const percent = (share) =>
  (share > 0 && share < 0.001 ? "under 0.1\u00a0%" : `${shown(100 * share, 1)}\u00a0%`);

/**
 * @typedef {object} Patches  Where they lie, and how much each is attended to.
 * @property {number} across  Patches along a side.
 * @property {number} patch
 * @property {number} stride
 * @property {number[]} weights
 * @property {number[]} cut  Patches that are left out.
 */

/** The patch whose middle is nearest to a cell. */
export function patchAt({ across, patch, stride }, [i, j]) {
  const nearest = (n) =>
    Math.min(Math.max(Math.round((n + 0.5 - patch / 2) / stride), 0), across - 1);
  return nearest(i) * across + nearest(j);
}

/** What a patch gets, in words. */
export const shareOf = ({ weights, cut }, p) => (cut.includes(p) ? "left out" : percent(weights[p]));

export class Pixels {
  #given = null;
  #hovered = null;
  #edit;
  #choose;
  #look;

  /**
   * @param {object} calls
   * @param {(cell: [number, number], ink: number) => void} calls.edit
   * @param {(cell: [number, number]) => void} calls.choose
   * @param {() => void} calls.look  Called when the pointer has come to another cell.
   */
  constructor({ edit, choose, look }) {
    this.#edit = edit;
    this.#choose = choose;
    this.#look = look;
    this.cells = Array.from({ length: SIDE }, (_, i) => Array.from({ length: SIDE }, (_, j) =>
      h("div", {
        role: "gridcell", tabIndex: -1,
        onclick: ({ currentTarget }) => currentTarget.focus(),
        onfocus: () => this.#choose([i, j]),
        onpointerenter: ({ pointerType }) => pointerType === "mouse" && this.#hover([i, j]),
      })));
    this.over = h("div", { className: "over", "aria-hidden": "true" });
    this.element = h("div", {
      className: "pixels", role: "grid", "aria-label": "The image of 8 × 8 pixels that the model sees",
      "aria-describedby": "keys", onkeydown: (event) => this.#pressed(event),
      onpointerleave: () => this.#hover(null),
    }, ...this.cells.map((row) => h("div", { role: "row" }, ...row)), this.over);
  }

  /** The cell that is explained: the one under the mouse, else the chosen one. */
  get cell() {
    return this.#hovered ?? this.#given?.cell ?? null;
  }

  #hover(cell) {
    if (String(cell) === String(this.#hovered)) return;
    this.#hovered = cell;
    this.#look();
  }

  /** Arrow keys move; space fills or empties; + and − change the ink by one step. */
  #pressed(event) {
    const { key } = event;
    const [i, j] = this.#at(event.target);
    if (i < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const ink = this.#given.image[i][j];
    if (STEPS[key]) this.cells[i + STEPS[key][0]]?.[j + STEPS[key][1]]?.focus();
    else if (key === "Home") this.cells[i][0].focus();
    else if (key === "End") this.cells[i].at(-1).focus();
    else if (key === " " || key === "Enter") this.#edit([i, j], ink ? 0 : FULL);
    else if (key === "+" || key === "=") this.#edit([i, j], Math.min(ink + 1, FULL));
    else if (key === "-" || key === "−") this.#edit([i, j], Math.max(ink - 1, 0));
    else return;
    event.preventDefault();
  }

  #at(cell) {
    const i = this.cells.findIndex((row) => row.includes(cell));
    return [i, i < 0 ? -1 : this.cells[i].indexOf(cell)];
  }

  /**
   * @param {object} given
   * @param {number[][]} given.image
   * @param {[number, number] | null} given.cell  The chosen one.
   * @param {Patches | null} given.patches  Null where nothing has been read.
   */
  show(given) {
    this.#given = given;
    const { image, patches } = given;
    const [a, b] = given.cell ?? [0, 0];
    this.cells.forEach((row, i) => row.forEach((cell, j) => {
      const ink = image[i][j];
      const weight = patches && `, its patch ${shareOf(patches, patchAt(patches, [i, j]))}`;
      cell.tabIndex = i === a && j === b ? 0 : -1;
      cell.setAttribute("aria-selected", String(given.cell !== null && i === a && j === b));
      cell.setAttribute("aria-label",
        `row ${i + 1}, column ${j + 1}: ink ${ink} of ${FULL}${weight ?? ""}`);
      cell.style.background = `color-mix(in srgb, currentColor ${(100 * ink) / FULL}%, transparent)`;
    }));
    this.#draw();
  }

  /** The dots, and the patch of the cell that is explained. */
  #draw() {
    const { patches } = this.#given;
    const unit = 100 / SIDE;
    this.over.classList.toggle("apart", patches?.patch === patches?.stride);
    this.over.style.setProperty("--patch", `${(patches?.patch ?? SIDE) * unit}%`);
    if (!patches) {
      this.over.replaceChildren();
      return;
    }
    const { across, patch, stride, weights, cut } = patches;
    /** Something in the middle of a patch, so many pixels broad. */
    const mark = (p, className, pixels) => {
      const [y, x] = [Math.floor(p / across), p % across].map((n) => n * stride + patch / 2);
      const width = `${pixels * unit}%`;
      return h("span", { className,
        style: { top: `${y * unit}%`, left: `${x * unit}%`, width, height: width } });
    };
    const all = weights.map((weight, p) => (cut.includes(p) ? mark(p, "cut", FILLED * stride)
      : mark(p, "dot", FILLED * stride * broad(weight))));
    const frame = this.cell && mark(patchAt(patches, this.cell), "patch", patch);
    this.over.replaceChildren(...all, ...[frame].filter(Boolean));
  }
}
