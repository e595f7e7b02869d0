/** What the smaller figures share: a question first, then the thing itself. */

import { h, stateAttribute, style, withIndex } from "./dom.mjs";

const STYLE = `
svg { width: 100%; height: auto; max-width: 26rem; display: block; }
svg text { fill: currentColor; font: 13px var(--tt-sans, system-ui, sans-serif);
  paint-order: stroke; stroke-width: 4px; stroke-linejoin: round;
  stroke: var(--pst-color-background, var(--jp-layout-color0, Canvas)); }
.line { stroke: currentColor; stroke-opacity: 0.5; fill: none; }
.faint { stroke: currentColor; stroke-opacity: 0.15; fill: none; }
.middle { text-anchor: middle; } .end { text-anchor: end; } .strong { font-weight: 700; }
.way-out { border-color: transparent; background: none; text-decoration: underline; }
.sliders { display: grid; grid-template-columns: auto minmax(6rem, 1fr) minmax(3.5rem, auto);
  gap: 0.3rem 0.7rem; align-items: center; max-width: 30rem; }
input[type="range"] { width: 100%; min-height: 2rem; accent-color: currentColor;
  touch-action: pan-y; }
`;

const indexed = (text) => withIndex(text, (part) => h("sub", {}, part));

/**
 * A figure whose question comes before what it shows.
 *
 * A subclass sets `label`, `question` and `keys`, the properties that are its state; it builds
 * its controls once in `build(place)` and draws in `draw()`.
 *
 * Attribute: `state`, a record as JSON, to begin with. Property: `state`; setting it redraws.
 * Event: `change`, after what the figure shows has changed.
 */
export class Figure extends HTMLElement {
  #sliders = [];

  connectedCallback() {
    if (this.shadowRoot) return;
    this.state = stateAttribute(this);
    const root = this.attachShadow({ mode: "open" });
    style(root, STYLE + (this.constructor.css ?? ""));
    const place = h("div", { hidden: true });
    root.append(h("div", { role: "group", "aria-label": this.constructor.label },
      ask(this.constructor.question, memory(this), () => { place.hidden = false; }), place));
    this.build(place);
    this.redraw();
  }

  get state() {
    return structuredClone(Object.fromEntries(this.constructor.keys.map((key) => [key, this[key]])));
  }

  set state(given) {
    for (const key of this.constructor.keys) {
      if (key in given) this[key] = structuredClone(given[key]);
    }
    if (this.shadowRoot) this.redraw();
  }

  redraw() {
    for (const set of this.#sliders) set();
    this.draw();
    this.dispatchEvent(new Event("change"));
  }

  /** A slider with its name and its number; changes draw again. */
  slider(name, key, min, max, step, show = String) {
    const number = h("output", { className: "number" });
    const input = h("input", {
      type: "range", min, max, step, id: key,
      oninput: () => {
        this[key] = Number(input.value);
        this.redraw();
      },
    });
    this.#sliders.push(() => {
      input.value = this[key];
      number.textContent = show(this[key]);
      input.setAttribute("aria-valuetext", show(this[key]));
    });
    return [h("label", { for: key }, h("span", {}, ...indexed(name))),
      input, number];
  }
}

/**
 * @typedef {object} Question
 * @property {string} text
 * @property {string[]} answers  The first is right; they are shown in `order`.
 * @property {number[]} order
 * @property {string} because
 */

/**
 * Ask, and after any answer say which was right and why.
 *
 * @param {Question} question
 * @param {ReturnType<typeof memory>} kept  The answer of an earlier visit.
 * @param {() => void} reveal
 */
function ask({ text, answers, order, because }, kept, reveal) {
  const reply = h("p", { role: "status" });
  let done = false;
  const answer = (button, i) => {
    if (done) return;
    done = true;
    // Not `disabled`: the focus would be lost.
    for (const one of buttons) one.setAttribute("aria-disabled", "true");
    button.setAttribute("aria-pressed", "true");
    const verdict = { 0: "Right.", [SHOWN]: `Answer: ${answers[0]}.` }[i] ?? `No: ${answers[0]}.`;
    reply.textContent = `${verdict} ${because}`;
    reveal();
  };
  const choice = (i, name, className = "") => {
    const button = h("button", {
      className, value: i, onclick: () => { answer(button, i); kept.write(i); },
    }, ...indexed(name));
    return button;
  };
  const buttons = [...order.map((i) => choice(i, answers[i])),
    choice(SHOWN, "just show me", "way-out")];
  const before = buttons.find(({ value }) => value === kept.read());
  if (before) answer(before, Number(before.value));
  return h("div", {},
    h("p", {}, h("b", {}, "Predict first. "), ...indexed(text)),
    h("div", { className: "row" }, ...buttons), reply);
}

const SHOWN = -1;

/** What this window keeps of a figure until it is closed; a browser may forbid it. */
function memory({ localName, id }) {
  const key = `${location.pathname}#${id || localName}`;
  return {
    read() {
      try { return sessionStorage.getItem(key); } catch { return null; }
    },
    write(value) {
      try { sessionStorage.setItem(key, value); } catch { /* it is asked again */ }
    },
  };
}
