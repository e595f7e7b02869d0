/**
 * <tt-architecture>: the map of the whole Transformer, as far as the book has explained it.
 *
 * Attribute: `state`, a record as JSON, to begin with. Property: `state`; setting it redraws.
 * Events: `choose`, when the reader has changed the state; `change`, after the drawing has.
 */

import { BOOK, blocksOf, CHAPTERS, EXAMPLE, NAMES } from "./architecture-blocks.mjs";
import { drawing, DRAWING_STYLE } from "./architecture-drawing.mjs";
import { explained, PANEL_STYLE } from "./architecture-panel.mjs";
import { define, h, stateAttribute, style } from "./dom.mjs";

const PLACE = import.meta.url;
const IN_PAGE = PLACE.startsWith("http");
const NARROWEST = 280;

const STYLE = `
${DRAWING_STYLE}
${PANEL_STYLE}
:host { container-type: inline-size;
  --paper: var(--pst-color-background, var(--jp-layout-color0, Canvas));
  --purple: var(--tt-ask, color-mix(in srgb, #8457c9 75%, currentColor));
  --gold: color-mix(in srgb, #d08c00 80%, currentColor);
  --slate: color-mix(in srgb, currentColor 58%, var(--paper));
  --solid: color-mix(in srgb, currentColor 9%, var(--paper)); }
@media (max-width: 30rem) { :host { padding: 0.7rem; } }
.panel { margin-top: 0.8rem; padding: 0.6rem 0; }
.panel.chosen { position: sticky; bottom: 0; max-height: 45vh; overflow-y: auto;
  background: var(--paper); border-top: 1px solid var(--slate); }
@container (min-width: 37rem) {
  .both { display: grid; grid-template-columns: minmax(0, 27.5rem) minmax(0, 1fr); gap: 1.2rem; }
  .panel, .panel.chosen { position: sticky; bottom: auto; top: calc(var(--top, 0px) + 0.5rem); align-self: start;
    max-height: calc(100vh - var(--top, 0px) - 1rem); border: 0; margin: 0; padding: 0; }
}
summary { cursor: pointer; padding: 0.3rem 0; }
li { margin: 0.2rem 0; }
.choice { margin: 0 0 0.7rem; font-size: 0.85rem; column-gap: 1rem; } .choice label { min-height: 1.5rem; }
`;

const whole = (x) => Number.isInteger(x) && x >= 0;

/** What each part starts with, and what else it may be; the widget's traits say the same. */
const PARTS = {
  chapter: [13, (x) => [10, 11, 12, 13].includes(x)],
  norm_first: [null, (x) => typeof x === "boolean"],
  block: [null, (x) => NAMES.includes(x)],
  layer: [0, whole],
  text: ["the ball is blue", (x) => typeof x === "string"],
};

class Architecture extends HTMLElement {
  #state = Object.fromEntries(Object.entries(PARTS).map(([key, [start]]) => [key, start]));
  #parts = null;
  #drawn = null;
  #width = 0;

  connectedCallback() {
    if (this.#parts) return;
    this.state = stateAttribute(this);
    const root = this.attachShadow({ mode: "open" });
    style(root, STYLE);
    const bar = document.querySelector(".bd-header-article");
    this.style.setProperty("--top", `${bar?.offsetHeight ?? 0}px`);
    const choice = (value, label) => h("label", {}, h("input", {
      type: "radio", name: "norm", value, onchange: () => this.#change({ norm_first: value }),
    }), label);
    this.#parts = {
      switch: h("div", { className: "row choice", role: "group", "aria-label": "Where the norm stands" },
        choice(false, "post-norm (the paper)"), choice(true, "pre-norm (most today)")),
      map: h("div", { onkeydown: (event) => this.#pressed(event) }),
      panel: h("div", { className: "panel", role: "region", "aria-label": "The chosen block", tabIndex: 0,
        "aria-live": "polite" }),
      list: h("ol"),
    };
    const { map, panel, list } = this.#parts;
    root.append(h("div", { role: "group", "aria-label": "The architecture of the Transformer" },
      this.#parts.switch, h("div", { className: "both" }, map, panel),
      h("details", {}, h("summary", {}, "The map in words"), list)));
    new ResizeObserver(() => this.#fit()).observe(map);
    this.#redraw();
  }

  get state() {
    return structuredClone(this.#state);
  }

  set state(given) {
    for (const [key, value] of Object.entries(given)) {
      const [start, fits] = PARTS[key] ?? [];
      if (fits && (value === start || fits(value))) this.#state[key] = value;
    }
    if (this.#parts) this.#redraw();
  }

  #change(changes) {
    Object.assign(this.#state, changes);
    this.dispatchEvent(new Event("choose"));
    this.#redraw();
  }

  get #normFirst() {
    return this.#state.norm_first ?? this.#state.chapter === 13;
  }

  /** The block on show: where the drawing has no such one, the one that does its work. */
  get #block() {
    const wanted = this.#state.block;
    const blocks = blocksOf(this.#normFirst);
    const find = (id) => blocks.find((block) => block.id === id);
    return find(wanted) ?? find(wanted?.replace(/norm_/, "add_").replace(/\.norm$/, ""));
  }

  /** In the book, a page that it has; elsewhere the published page. */
  #address = (number) => {
    const page = `notebooks/${CHAPTERS[number][0]}.html`;
    if (!IN_PAGE) return BOOK + page;
    const { href } = new URL(`../${page}`, PLACE);
    const listed = [...document.links].some((link) => link.href.split("#")[0] === href);
    return listed ? href : null;
  };

  #fit() {
    const width = Math.max(NARROWEST, Math.floor(this.#parts.map.getBoundingClientRect().width));
    if (Math.abs(width - this.#width) > 1) this.#draw();
  }

  #redraw() {
    this.#draw();
    this.dispatchEvent(new Event("change"));
  }

  #draw() {
    const { map, panel, list } = this.#parts;
    const normFirst = this.#normFirst;
    this.#width = Math.max(NARROWEST, Math.floor(map.getBoundingClientRect().width));
    const focused = this.#drawn && [...this.#drawn.radios].find(([, one]) =>
      one === this.shadowRoot.activeElement)?.[0];
    this.#drawn = drawing({
      width: this.#width, chapter: this.#state.chapter, normFirst, words: EXAMPLE,
      address: this.#address, choose: (block) => this.#change({ block }),
    });
    const { element, radios } = this.#drawn;
    const chosen = this.#block;
    for (const [id, one] of radios) one.setAttribute("aria-checked", id === chosen?.id);
    (radios.get(chosen?.id) ?? radios.values().next().value).setAttribute("tabindex", "0");
    map.replaceChildren(element);
    if (focused) (radios.get(focused) ?? radios.get(chosen?.id))?.focus({ preventScroll: true });
    for (const input of this.#parts.switch.querySelectorAll("input")) {
      input.checked = input.value === String(normFirst);
    }
    panel.classList.toggle("chosen", Boolean(chosen));
    panel.replaceChildren(...explained(chosen, this.#address));
    list.replaceChildren(...blocksOf(normFirst).map(({ name, takes, gives, does }) =>
      h("li", {}, h("b", {}, name), `: ${takes} → ${gives}. ${does}`)));
  }

  /** Arrow keys go to the next block that way; Enter and space choose. */
  #pressed(event) {
    const { key } = event;
    const { radios, plan } = this.#drawn;
    const here = [...radios].find(([, one]) => one === this.shadowRoot.activeElement)?.[0];
    if (!here) return;
    if (key === "Enter" || key === " ") {
      event.preventDefault();
      this.#change({ block: here });
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
    this.#change({ block: next.id });
    const found = this.#drawn.radios.get(next.id);
    found.focus({ preventScroll: true });
    found.scrollIntoView({ block: "nearest" });
  }
}

define("tt-architecture", Architecture);

// What the tests ask of the map.
export { blocksOf, BOOK, CHAPTERS };
