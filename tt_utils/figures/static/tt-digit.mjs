/**
 * <tt-digit>: draw a digit; a Vision Transformer inside the page reads it, patch by patch, and
 * shows where the token that gathers attends.
 *
 * Attribute: `state`, a record as JSON, to begin with. Properties: `state`; setting it redraws.
 * `result`, what the model reads and says. `loader`, where the model comes from if not from the
 * folder `model` beside this file.
 * Events: `choose`, when the reader has changed the state, before it is drawn; `change`, after
 * what the figure shows has changed.
 */

import { Chances, chance, CHANCES_STYLE, ranked } from "./chances.mjs";
import { define, h, stateAttribute, style } from "./dom.mjs";
import { row } from "./matrix.mjs";
import { fitting, startOf, whole } from "./parts.mjs";
import { Pen, PEN_STYLE } from "./pen.mjs";
import { BROADEST, patchAt, percent, Pixels, PIXELS_STYLE } from "./pixels.mjs";
import { failureOf } from "./stored-model.mjs";
import { asImage, FULL, SIDE } from "./strokes.mjs";
import { DigitModel } from "./vit.mjs";

const PLACE = import.meta.url;
// In a notebook there is no folder to fetch from.
const IN_PAGE = PLACE.startsWith("http");
const NEAR = "300px";
const BEAT = 60; // ms between two readings of a drawing
const PAUSE = 700; // ms without a change, before it is said aloud
const DOUBT = 0.05; // the second digit is named from here on
const KEPT = 50; // drawings to go back to

const STYLE = `
${PEN_STYLE}
${PIXELS_STYLE}
${CHANCES_STYLE}
:host { container-type: inline-size; }
@media (max-width: 30rem) { :host { padding: 0.7rem; } }
.three { display: grid; gap: 0.8rem 1.2rem; grid-template-columns: minmax(0, 15rem); }
.three > div { min-width: 0; }
.sees { order: 1; }
.name { font-weight: 600; margin: 0 0 0.3rem; }
.pen { width: 100%; max-width: none; aspect-ratio: 1; display: block; border-radius: 0.35rem;
  border: 2px dashed color-mix(in srgb, currentColor 55%, transparent); }
label { max-width: 100%; } select { min-width: 0; }
.told { min-height: 3em; margin: 0.3rem 0; } .about { min-height: 9em; }
.message { border-left: 4px solid #d55e00; padding-left: 0.7rem; }
.look { gap: 0.4rem 1rem; } .look .row { margin: 0; }
@container (min-width: 36rem) {
  .three { grid-template-columns: repeat(3, minmax(0, 1fr)); }
  .sees { order: 0; } .told { min-height: 1.5em; } .about { min-height: 4.5em; }
}
`;

const EMPTY = Array.from({ length: SIDE }, () => Array(SIDE).fill(0));
const ink = (x) => whole(x) && x <= FULL;
const side = (x) => whole(x) && x < SIDE;
const list = (length, test) => (x) => Array.isArray(x) && x.length === length && x.every(test);

/** What each part starts with, and what else it may be; the widget's traits say the same. */
const PARTS = {
  drawing: [null, list(SIDE, list(SIDE, ink))],
  layer: [null, whole],
  head: ["mean", whole],
  cell: [null, list(2, side)],
  cut: [[], (x) => Array.isArray(x) && x.every(whole)],
};

class Digit extends HTMLElement {
  static Model = DigitModel;

  #state = startOf(PARTS);
  #parts = null;
  #loader = IN_PAGE && (() => DigitModel.load(new URL("model/", PLACE)));
  #loading = null;
  #model = null;
  #strokes = []; // of the drawing on show; none where it came from elsewhere
  #earlier = []; // drawings, to take a change back
  #edited = null; // the cell whose ink was changed last
  #read = null; // what the model said, and of which image
  #timers = { draw: 0, say: 0 };

  connectedCallback() {
    if (this.#parts) return;
    this.state = stateAttribute(this);
    this.#parts = this.#build();
    new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) this.#load();
    }, { rootMargin: NEAR }).observe(this);
    this.#draw();
  }

  disconnectedCallback() {
    for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    this.#timers = { draw: 0, say: 0 };
  }

  #build() {
    const root = this.attachShadow({ mode: "open" });
    style(root, STYLE);
    const pen = new Pen(() => this.#begin(), (point) => this.#extend(point));
    const pixels = new Pixels({
      edit: (cell, ink) => this.#edit(cell, ink),
      choose: (cell) => this.#change({ cell }),
      look: () => this.#drawPixels(),
    });
    const chances = new Chances();
    const name = (text) => h("p", { className: "name" }, text);
    const button = (name, onclick) => h("button", { onclick }, name);
    const by = (step) => () => {
      if (!this.#state.cell) return;
      const [i, j] = this.#state.cell;
      this.#edit([i, j], Math.min(Math.max(this.#image[i][j] + step, 0), FULL));
    };
    const parts = {
      pen, pixels, chances,
      examples: h("select", { onchange: () => this.#choose() }),
      undo: button("Undo", () => this.#undo()),
      clear: button("Clear", () => {
        this.#keep();
        this.#strokes = [];
        this.#change({ drawing: EMPTY });
      }),
      cut: button("", () => this.#toggle()),
      whole: button("Bring all back", () => this.#change({ cut: [] })),
      less: button("Less ink", by(-1)), more: button("More ink", by(1)),
      told: h("p", { className: "told" }), about: h("p", { className: "about quiet number" }),
      aloud: h("p", { className: "unseen", role: "status" }),
      message: h("p", { className: "message", role: "status", hidden: true }),
      layers: h("select", {
        onchange: () => this.#change({ layer: this.#number(parts.layers) }),
      }),
      heads: h("select", {
        onchange: () => this.#change({ head: this.#number(parts.heads) ?? "mean" }),
      }),
      fallback: h("slot", { hidden: true }), body: h("div"), origin: h("span"),
    };
    parts.body.append(
      h("div", { className: "row" }, h("label", {}, "Example", parts.examples), parts.undo, parts.clear),
      parts.told,
      h("div", { className: "three" },
        h("div", {}, name("Draw a digit here"), pen.element),
        h("div", { className: "sees" }, name("What the model sees"), pixels.element),
        h("div", {}, name("Its probabilities"), chances.element)),
      h("div", { className: "row look" },
        h("b", {}, "Attention"),
        h("label", {}, "Layer", parts.layers), h("label", {}, "Heads", parts.heads)),
      parts.about,
      h("div", { className: "row" }, parts.cut, parts.whole, parts.less, parts.more,
        h("span", { className: "quiet", id: "keys" }, "By keyboard, arrows move from pixel to pixel, space "
          + "fills or empties one, + and − change its ink.")),
      h("p", { className: "quiet" }, "Each dot stands in the middle of a patch. Its area is the weight that "
        + "the gathering token, the one in front, gives to that patch; from "
        + `${100 * BROADEST} % on it is as large as it gets. Weights say where the model attends, not why `
        + "it decides: leave patches out to see which it needs. ", parts.origin),
      parts.aloud);
    root.append(h("div", { role: "group", "aria-label": "Draw a digit for a Vision Transformer" },
      parts.message, parts.body), parts.fallback);
    return parts;
  }

  #number = (select) => (/^\d+$/.test(select.value) ? Number(select.value) : null);

  /** @param {() => Promise<DigitModel>} given */
  set loader(given) {
    this.#loader = given;
    this.#loading = this.#model = null;
    this.#load();
  }

  get state() {
    return structuredClone(this.#state);
  }

  set state(given) {
    const fits = structuredClone(fitting(PARTS, given));
    if ("drawing" in fits && !same(fits.drawing, this.#state.drawing)) {
      if (this.#parts) this.#keep();
      this.#strokes = [];
    }
    Object.assign(this.#state, fits);
    if (this.#parts) this.#draw();
  }

  get result() {
    const image = this.#image;
    const logits = this.#logits;
    const digit = ranked(logits)[0]?.digit ?? null;
    return structuredClone({ image, logits: Array.from(logits ?? []), digit });
  }

  /** What the model sees: the reader's drawing, else the first example. */
  get #image() {
    return this.#state.drawing ?? this.#model?.info.examples[0]?.image ?? EMPTY;
  }

  get #blank() {
    return this.#image.flat().every((x) => x === 0);
  }

  /** Patches of this model that are left out. */
  get #cut() {
    const count = this.#model ? this.#model.vit.across ** 2 : 0;
    return this.#state.cut.filter((p) => p < count);
  }

  /** What the model says of the image; another layer or head asks for no new calculation. */
  get #said() {
    if (!this.#model || this.#blank) return null;
    const [model, image, cut] = [this.#model, this.#image, this.#cut];
    if (this.#read?.model !== model || !same([this.#read.image, this.#read.cut], [image, cut])) {
      const plain = model.vit.read(image);
      this.#read = { model, image, cut, plain, ...(cut.length ? model.vit.read(image, cut) : plain) };
    }
    return this.#read;
  }

  get #logits() {
    return this.#said?.logits ?? null;
  }

  async #load() {
    if (!this.#loader || this.#loading || !this.#parts) return;
    const asked = this.#loader();
    this.#loading = asked;
    try {
      const model = await asked;
      if (this.#loading !== asked) return;
      this.#model = model;
    } catch (error) {
      if (this.#loading !== asked) return;
      this.#fail(failureOf(error));
      return;
    }
    this.#draw();
  }

  #fail(told) {
    const { message, body, fallback } = this.#parts;
    this.setAttribute("broken", "");
    message.textContent = `${told} Nothing can read digits here; the picture below shows `
      + "what the figure would show.";
    message.hidden = fallback.hidden = false;
    body.hidden = true;
  }

  #change(changes) {
    Object.assign(this.#state, structuredClone(changes));
    this.dispatchEvent(new Event("choose"));
    this.#draw();
    this.#sayLater();
  }

  /** Keep what is on show, to come back to it. */
  #keep() {
    this.#edited = null;
    this.#earlier.push({ drawing: this.#state.drawing, strokes: this.#strokes.map((one) => [...one]) });
    if (this.#earlier.length > KEPT) this.#earlier.shift();
  }

  #undo() {
    const before = this.#earlier.pop();
    if (!before) return;
    this.#edited = null;
    this.#strokes = before.strokes;
    this.#change({ drawing: before.drawing });
  }

  #choose() {
    const { examples } = this.#parts;
    const chosen = this.#model?.info.examples[this.#number(examples)];
    if (!chosen) return;
    this.#keep();
    this.#strokes = [];
    this.#change({ drawing: chosen.image });
  }

  /** A stroke on top of what was not drawn here begins a new drawing. */
  #begin() {
    this.#keep();
    this.#strokes = [...this.#strokes, []];
    this.#load();
  }

  #extend(point) {
    this.#strokes.at(-1).push(point);
    this.#showPen();
    this.#timers.draw ||= setTimeout(() => {
      this.#timers.draw = 0;
      this.#change({ drawing: asImage(this.#strokes) });
    }, BEAT);
  }

  /** Change the ink of a cell; several changes of the same one are taken back together. */
  #edit([i, j], ink) {
    if (this.#image[i][j] === ink) return;
    const cell = String([i, j]);
    if (this.#edited !== cell) this.#keep();
    this.#edited = cell;
    this.#strokes = [];
    const drawing = structuredClone(this.#image);
    drawing[i][j] = ink;
    this.#change({ drawing, cell: [i, j] });
  }

  /** Leave the patch of the chosen cell out, or bring it back. */
  #toggle() {
    const p = this.#chosenPatch;
    if (p === null) return;
    const cut = this.#cut;
    this.#change({ cut: cut.includes(p) ? cut.filter((one) => one !== p) : [...cut, p] });
  }

  get #chosenPatch() {
    const { cell } = this.#state;
    return cell && this.#model ? patchAt(this.#patches, cell) : null;
  }

  get #patches() {
    const { vit, info } = this.#model;
    return { across: vit.across, patch: info.config.patch, stride: info.config.stride, cut: this.#cut };
  }

  #showPen() {
    const label = this.#blank && !this.#strokes.length ? "The drawing area is empty."
      : "Your drawing. It takes a mouse, a pen or a finger.";
    this.#parts.pen.show(this.#strokes, this.#image, label);
  }

  #draw() {
    const { chances, told, undo, less, more, cut, whole, examples, origin } = this.#parts;
    const order = ranked(this.#logits);
    this.#fillChoices();
    this.#showPen();
    this.#drawPixels();
    chances.show(order);
    told.replaceChildren(...this.#verdict(order));
    undo.setAttribute("aria-disabled", String(!this.#earlier.length));
    const chosen = this.#state.cell;
    const dark = chosen && this.#image[chosen[0]][chosen[1]];
    less.setAttribute("aria-disabled", String(!dark));
    more.setAttribute("aria-disabled", String(!chosen || dark === FULL));
    const p = this.#chosenPatch;
    cut.textContent = this.#cut.includes(p) ? "Bring the patch back" : "Leave the patch out";
    cut.setAttribute("aria-disabled", String(p === null));
    whole.setAttribute("aria-disabled", String(!this.#cut.length));
    const shown = this.#model?.info.examples.findIndex(({ image }) => same(image, this.#image)) ?? -1;
    examples.value = shown < 0 ? "" : String(shown);
    const snapshot = this.#model?.info.snapshots.at(-1);
    origin.textContent = snapshot?.of ? `It read ${snapshot.right} of ${snapshot.of} test images as what `
      + "they show. Whatever you draw, it answers with a digit." : "Whatever you draw, it answers with a digit.";
    this.dispatchEvent(new Event("change"));
  }

  /** The layers and heads of this model, and its examples. */
  #fillChoices() {
    const { layers, heads, examples } = this.#parts;
    const config = this.#model?.info.config;
    const options = (select, names) => {
      const key = JSON.stringify(names);
      if (select.dataset.names === key) return;
      select.dataset.names = key;
      select.replaceChildren(...names.map(([value, name]) => h("option", { value }, name)));
    };
    const count = (n) => Array.from({ length: n ?? 0 }, (_, i) => i);
    options(layers, count(config?.n_layers ?? 1).map((l) => [String(l),
      `${l + 1}${config && l === config.n_layers - 1 ? ", the last" : ""}`]));
    options(heads, [["mean", "all, their mean"], ...count(config?.n_heads)
      .map((n) => [String(n), `only ${n + 1}`])]);
    options(examples, [["", "choose one"], ...(this.#model?.info.examples ?? []).map(({ digit }, i, all) =>
      [String(i), `${digit}${all.findIndex((one) => one.digit === digit) < i ? ", a hard one" : ""}`])]);
    layers.value = String(this.#layer);
    heads.value = String(this.#head);
  }

  get #layer() {
    return Math.min(this.#state.layer ?? Infinity, (this.#model?.info.config.n_layers ?? 1) - 1);
  }

  get #head() {
    const { head } = this.#state;
    return head < (this.#model?.info.config.n_heads ?? 0) ? head : "mean";
  }

  /** Where the token in front attends: itself first, then the patches. */
  get #weights() {
    const heads = this.#said.layers[this.#layer];
    const chosen = this.#head === "mean" ? heads : [heads[this.#head]];
    const rows = chosen.map(({ weights }) => row(weights, 0));
    return Array.from(rows[0], (_, j) => rows.reduce((sum, one) => sum + one[j], 0) / rows.length);
  }

  #drawPixels() {
    const { pixels, about } = this.#parts;
    const weights = this.#said && this.#weights;
    const patches = weights && { ...this.#patches, weights: weights.slice(1) };
    pixels.show({ image: this.#image, cell: this.#state.cell, patches });
    about.textContent = weights ? this.#explained(pixels.cell, patches, weights[0])
      : "Where there is ink, the model attends.";
  }

  #explained(cell, patches, own) {
    const sum = `The gathering token keeps ${percent(own)} for itself; with the `
      + `${patches.weights.length} patches that is 100\u00a0%.`;
    if (!cell) return `Point at a pixel to see the weight of the patch around it. ${sum}`;
    const p = patchAt(patches, cell);
    const span = (n) => `${n * patches.stride + 1} to ${n * patches.stride + patches.patch}`;
    const [i, j] = cell;
    return `Row ${i + 1}, column ${j + 1}: ink ${this.#image[i][j]} of ${FULL}. Patch ${p + 1} of `
      + `${patches.weights.length} (rows ${span(Math.floor(p / patches.across))}, columns `
      + `${span(p % patches.across)}) ${patches.cut.includes(p) ? "is left out" : `gets ${percent(patches.weights[p])} of the weight`}. ${sum}`;
  }

  #verdict([first, second]) {
    if (!first) {
      return [this.#model ? "Nothing is drawn yet: draw a digit, or choose an example."
        : "The model is on its way."];
    }
    const gone = this.#cut.length;
    const plain = gone && ranked(this.#said.plain.logits)[0];
    const then = second.share >= DOUBT ? `, or ${second.digit} (${chance(second.share)})` : "";
    return ["The model reads ", h("b", {}, String(first.digit)), ` (${chance(first.share)})${then}`
      + `${gone ? ` without ${gone} patch${gone > 1 ? "es" : ""}; with all, ${plain.digit} `
        + `(${chance(plain.share)})` : ""}.`];
  }

  /** What has changed is announced once the reader pauses. */
  #sayLater() {
    clearTimeout(this.#timers.say);
    this.#timers.say = setTimeout(() => {
      const { aloud, pen, told } = this.#parts;
      if (pen.busy) {
        this.#sayLater();
        return;
      }
      const [first] = ranked(this.#logits);
      const words = first ? `The model reads ${first.digit}, ${chance(first.share)}.` : told.textContent;
      if (aloud.textContent !== words) aloud.textContent = words;
    }, PAUSE);
  }
}

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

define("tt-digit", Digit);

// What the tests ask of the figure.
export { asImage, DigitModel };
