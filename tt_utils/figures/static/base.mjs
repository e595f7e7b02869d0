/** What the smaller figures share: a question first, then the thing itself. */

import { h, stateAttribute, style } from "./dom.mjs";

const STYLE = `
svg { width: 100%; height: auto; max-width: 30rem; display: block; touch-action: none; }
svg text { fill: currentColor; font-size: 13px; }
.line { stroke: currentColor; stroke-opacity: 0.35; fill: none; }
.sliders { display: grid; grid-template-columns: auto minmax(6rem, 1fr) minmax(3.5rem, auto);
  gap: 0.3rem 0.7rem; align-items: center; max-width: 30rem; }
input[type="range"] { width: 100%; accent-color: currentColor; }
`;

export const QUERY = "#0072b2";
export const KEY = "#d55e00";
export const VALUE = "#009e73";
export const GREY = "#8a8a8a";

/** An element of a drawing. */
export function s(tag, given = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(element, given);
  element.append(...children);
  return element;
}

export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

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
      ask(this.constructor.question, () => { place.hidden = false; }), place));
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
    return [h("label", { for: key }, name), input, number];
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
 * @param {() => void} reveal
 */
export function ask({ text, answers, order, because }, reveal) {
  const reply = h("p", { role: "status" });
  const buttons = order.map((i) => h("button", {
    onclick: (event) => {
      for (const button of buttons) button.disabled = true;
      event.currentTarget.setAttribute("aria-pressed", "true");
      reply.textContent = `${i === 0 ? "Right." : `No: ${answers[0]}.`} ${because}`;
      reveal();
    },
  }, answers[i]));
  return h("div", {}, h("p", {}, h("b", {}, "Predict first. "), text),
    h("div", { className: "row" }, ...buttons), reply);
}
