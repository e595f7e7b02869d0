/**
 * <tt-architecture>: the map of the whole Transformer, as far as the book has explained it.
 * In chapter 13 it answers: a trained model fills the blocks with the numbers of a sentence.
 *
 * Attribute: `state`, a record as JSON, to begin with. Properties: `state`; setting it redraws.
 * `loader`, where the model comes from if not from the folder `model` beside this file.
 * Events: `choose`, when the reader has changed the state; `change`, after the drawing has.
 */

import { blocksOf, EXAMPLE, NAMES } from "./architecture-blocks.mjs";
import { drawing, DRAWING_STYLE } from "./architecture-drawing.mjs";
import { explained, PANEL_STYLE } from "./architecture-panel.mjs";
import { addressOf, BOOK, CHAPTERS, pageOf } from "./chapters.mjs";
import { define, h, keepFocus, stateAttribute, style } from "./dom.mjs";
import { Model, wordsOf } from "./model-file.mjs";
import { notice } from "./notice.mjs";
import { fitting, startOf, whole } from "./parts.mjs";
import { failureOf } from "./stored-model.mjs";
import { tensorTable } from "./tensor-table.mjs";
import { trace } from "./trace.mjs";
import { tidy } from "./words.mjs";
import { Writing, WRITING_STYLE } from "./writing.mjs";

const PLACE = import.meta.url;
const IN_PAGE = PLACE.startsWith("http");
const NARROWEST = 280;
const NEAR = "300px";
const ANSWERS = 13;

const STYLE = `
${DRAWING_STYLE}
${PANEL_STYLE}
${WRITING_STYLE}
:host { container-type: inline-size;
  --paper: var(--pst-color-background, var(--jp-layout-color0, Canvas));
  --purple: var(--tt-ask, color-mix(in srgb, #8457c9 75%, currentColor));
  --gold: color-mix(in srgb, #d08c00 80%, currentColor);
  --slate: color-mix(in srgb, currentColor 58%, var(--paper));
  --solid: color-mix(in srgb, currentColor 9%, var(--paper)); }
@media (max-width: 30rem) { :host { padding: 0.7rem; } }
.panel { margin-top: 0.8rem; padding: 0.6rem 0; }
.panel.chosen { position: sticky; bottom: 0; max-height: 40vh; overflow-y: auto;
  background: var(--paper); border-top: 1px solid var(--slate); }
@container (min-width: 37rem) {
  .both { display: grid; grid-template-columns: minmax(0, 25.5rem) minmax(0, 1fr); gap: 1rem; }
  .panel, .panel.chosen { position: sticky; bottom: auto; top: calc(var(--top, 0px) + 0.5rem); align-self: start;
    max-height: calc(100vh - var(--top, 0px) - 1rem); border: 0; margin: 0; padding: 0; }
}
summary { cursor: pointer; padding: 0.3rem 0; }
li { margin: 0.2rem 0; }
.choice { margin: 0 0 0.7rem; font-size: 0.85rem; column-gap: 1rem; } .choice label { min-height: 1.5rem; }
`;

/** What each part starts with, and what else it may be; the widget's traits say the same. */
const PARTS = {
  chapter: [13, (x) => [10, 11, 12, 13].includes(x)],
  norm_first: [null, (x) => typeof x === "boolean"],
  block: [null, (x) => NAMES.includes(x)],
  layer: [0, whole],
  text: ["the ball is blue", (x) => typeof x === "string"],
};

class Architecture extends HTMLElement {
  static Model = Model;
  #state = startOf(PARTS);
  #parts = null;
  #drawn = null;
  #width = 0;
  #near = false; // is the map seen, or about to be?
  #touched = false;
  #loader = IN_PAGE && (() => Model.load(new URL("model/", PLACE)));
  #loading = null;
  #model = null;
  #failure = "";
  #traced = {};
  #read = null; // the last text that could be translated; it stays on show

  connectedCallback() {
    if (this.#parts) return;
    this.state = stateAttribute(this);
    const root = this.attachShadow({ mode: "open" });
    style(root, STYLE);
    const bar = document.querySelector(".bd-header-article");
    this.style.setProperty("--top", `${bar?.offsetHeight ?? 0}px`);
    const norm = (value, ...name) => h("label", {}, h("input", {
      type: "radio", name: "norm", value, onchange: () => this.#change({ norm_first: value }),
    }), ...name);
    const writing = new Writing((text) => this.#change({ text }));
    const parts = {
      writing, sentence: h("b", { lang: "en" }), today: h("span"),
      map: h("div", { onkeydown: (event) => this.#pressed(event) }),
      panel: h("div", { className: "panel", role: "group", "aria-label": "The chosen block",
        tabIndex: 0 }),
      list: h("ol"),
    };
    parts.write = h("details", { className: "write" },
      h("summary", {}, "The sentence: ", parts.sentence), writing.element);
    parts.norms = h("div", { className: "row choice", role: "group",
      "aria-label": "Where the norm stands" }, norm(false, "post-norm (the paper)"), norm(true, parts.today));
    this.#parts = parts;
    root.append(h("div", { role: "group", "aria-label": "The architecture of the Transformer" },
      parts.norms, parts.write, h("div", { className: "both" }, parts.map, parts.panel),
      h("details", {}, h("summary", {}, "The map in words"), parts.list)));
    new ResizeObserver(() => this.#fit()).observe(parts.map);
    new IntersectionObserver((seen) => {
      this.#near ||= seen.some(({ isIntersecting }) => isIntersecting);
      this.#load();
    }, { rootMargin: NEAR }).observe(this);
    for (const touch of ["pointerenter", "focusin"]) {
      this.addEventListener(touch, () => {
        this.#touched = true;
        this.#load();
      }, { once: true });
    }
    this.#redraw();
  }

  /** @param {() => Promise<Model>} given */
  set loader(given) {
    this.#loader = given;
    this.#loading = this.#model = null;
    this.#load();
  }

  /** Fetch the model, once, where something asks for it: as it begins, the drawing does not. */
  async #load() {
    const { chapter, block, text } = this.#state;
    const asked = this.#touched || block !== null || text !== PARTS.text[0];
    if (chapter !== ANSWERS || !this.#near || !asked || !this.#loader || this.#loading) return;
    this.#loading = this.#loader();
    try {
      this.#model = await this.#loading;
      this.#failure = "";
    } catch (error) {
      this.#failure = failureOf(error);
    }
    this.#redraw();
  }

  get state() {
    return structuredClone(this.#state);
  }

  set state(given) {
    Object.assign(this.#state, fitting(PARTS, given));
    if (!this.#parts) return;
    this.#redraw();
    this.#load();
  }

  #change(changes) {
    const { pending } = this.#parts.writing;
    if (pending !== null) this.#state.text = pending;
    this.#parts.writing.flush();
    Object.assign(this.#state, changes);
    this.dispatchEvent(new Event("choose"));
    this.#redraw();
  }

  get #normFirst() {
    return this.#state.norm_first ?? this.#state.chapter === ANSWERS;
  }

  /** Another block asks for no new calculation. */
  get #trace() {
    const [model, text] = [this.#model, this.#read];
    if (this.#traced.text !== text || this.#traced.model !== model) {
      this.#traced = { model, text, trace: trace(model, text) };
    }
    return this.#traced.trace;
  }

  /** The block on show: where the drawing has no such one, the one that does its work. */
  get #block() {
    const wanted = this.#state.block;
    const blocks = blocksOf(this.#normFirst);
    const find = (id) => blocks.find((block) => block.id === id);
    return find(wanted) ?? find(wanted?.replace(/norm_/, "add_").replace(/\.norm$/, ""));
  }

  #address = (number) => addressOf(pageOf(number), IN_PAGE && PLACE);

  #fit() {
    const width = Math.max(NARROWEST, Math.floor(this.#parts.map.getBoundingClientRect().width));
    if (Math.abs(width - this.#width) > 1) keepFocus(this.shadowRoot, () => this.#draw());
  }

  #redraw() {
    this.#listen();
    keepFocus(this.shadowRoot, () => this.#draw());
    this.dispatchEvent(new Event("change"));
  }

  /** Read the sentence, as far as the model can. */
  #listen() {
    const { write, writing, sentence } = this.#parts;
    const model = this.#state.chapter === ANSWERS && this.#model;
    const { chapter, text } = this.#state;
    write.hidden = chapter !== ANSWERS;
    sentence.textContent = text;
    if (!model) return;
    const noticed = notice(model, text);
    if (!noticed.stop) this.#read = tidy(text);
    const still = noticed.stop && this.#read && `The map still shows “${this.#read}”.`;
    writing.say([noticed.told, still].filter(Boolean).join(" "));
    writing.show(model, text, noticed);
    if (noticed.stop) write.open = true;
    sentence.textContent = this.#read ?? "none";
  }

  /** Does the drawing show the model's own order, and has the model read something? */
  get #answering() {
    return this.#state.chapter === ANSWERS && this.#model && this.#read !== null && this.#normFirst;
  }

  #draw() {
    const { map, panel, list, norms, today } = this.#parts;
    const normFirst = this.#normFirst;
    this.#width = Math.max(NARROWEST, Math.floor(map.getBoundingClientRect().width));
    const asked = { width: this.#width, chapter: this.#state.chapter, normFirst, words: this.#words() };
    // Another block is chosen in the same drawing: the focus stays where it is.
    const key = JSON.stringify(asked);
    if (this.#drawn?.key !== key) {
      this.#drawn = { key, ...drawing({
        ...asked, address: this.#address, choose: (block) => this.#choose(block),
      }) };
      map.replaceChildren(this.#drawn.element);
    }
    const { radios } = this.#drawn;
    const chosen = this.#block;
    const stop = radios.has(chosen?.id) ? chosen.id : radios.keys().next().value;
    for (const [id, one] of radios) {
      one.setAttribute("aria-checked", id === chosen?.id);
      one.setAttribute("tabindex", id === stop ? "0" : "-1");
    }
    for (const input of norms.querySelectorAll("input")) {
      input.checked = input.value === String(normFirst);
    }
    today.textContent = `pre-norm (${this.#state.chapter === ANSWERS ? "this model" : "most today"})`;
    panel.classList.toggle("chosen", Boolean(chosen));
    panel.replaceChildren(...explained(chosen, this.#address, chosen ? this.#numbers(chosen) : []));
    list.replaceChildren(...blocksOf(normFirst).map(({ name, takes, gives, does }) =>
      h("li", {}, h("b", {}, name), `: ${takes} → ${gives}. ${does}`)));
  }

  #words() {
    if (!this.#answering) return EXAMPLE;
    const { source, target, wrote } = this.#trace;
    const join = (ids, vocabulary) => wordsOf(ids, vocabulary).join(" ");
    return {
      "source.tokens": join(source, this.#model.source),
      "target.tokens": join(target, this.#model.target),
      word: join(wrote, this.#model.target),
    };
  }

  /** The sentence's tensor in a block. */
  #numbers(block) {
    if (this.#state.chapter !== ANSWERS) return [];
    if (!this.#model) {
      return [h("p", { role: "status" }, this.#failure
        ? `${this.#failure} So there are no numbers.` : "The model is on its way.")];
    }
    if (!this.#answering) {
      return [h("p", {}, this.#normFirst ? "Write a sentence to see its numbers."
        : "The model in this page is pre-norm: its numbers belong to that drawing. ",
      !this.#normFirst && h("button", { onclick: () => this.#change({ norm_first: true }) },
        "Show its numbers"))];
    }
    const { n_encoder_layers, n_decoder_layers } = this.#model.info.config;
    const layers = block.stack === "encoder" ? n_encoder_layers : n_decoder_layers;
    const layer = Math.min(this.#state.layer, layers - 1);
    return [
      block.tensor.includes("#") && h("div", { className: "row", role: "group", "aria-label": "Layer" },
        ...Array.from({ length: layers }, (_, l) => h("button", {
          "aria-pressed": l === layer, onclick: () => this.#change({ layer: l }),
        }, `layer ${l + 1}`))),
      ...tensorTable(this.#model, this.#trace, block, layer),
    ].filter(Boolean);
  }

  /** Arrow keys go to the next block that way; Enter and space choose. */
  #pressed(event) {
    const { key } = event;
    const { radios, plan } = this.#drawn;
    const here = [...radios].find(([, one]) => one === this.shadowRoot.activeElement)?.[0];
    if (!here) return;
    if (key === "Enter" || key === " ") {
      event.preventDefault();
      this.#choose(here);
      return;
    }
    const [right, down] = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0],
      ArrowRight: [1, 0] }[key] ?? [];
    if (right === undefined) return;
    event.preventDefault();
    const centre = ({ x, y, w, h: height }) => [x + w / 2, y + height / 2];
    const [x, y] = centre(plan.boxes.find(({ id }) => id === here));
    const far = (box) => {
      const [a, b] = centre(box);
      const [along, aside] = right ? [(a - x) * right, Math.abs(b - y)] : [(b - y) * down, Math.abs(a - x)];
      const other = (a > plan.width / 2) !== (x > plan.width / 2);
      return along > 2 && other === Boolean(right) ? (right ? aside : along) : Infinity;
    };
    const next = plan.boxes.reduce((best, box) => (far(box) < far(best) ? box : best));
    if (far(next) === Infinity) return;
    this.#choose(next.id);
  }

  #choose(block) {
    this.#change({ block });
    const found = this.#drawn.radios.get(block);
    found.focus();
    // On a phone the panel may lie over the block.
    const [seen, over] = [found, this.#parts.panel].map((one) => one.getBoundingClientRect());
    if (over.left < seen.right && over.top < seen.bottom) found.scrollIntoView({ block: "center" });
  }
}

define("tt-architecture", Architecture);

// What the tests ask of the map.
export { blocksOf, BOOK, CHAPTERS, Model, trace };
