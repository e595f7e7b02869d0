/** What the smaller figures share: a question first, then the thing itself. */

import { h, style } from "./dom.mjs";

const STYLE = `
svg { width: 100%; height: auto; max-width: 30rem; display: block; touch-action: none; }
svg text { fill: currentColor; font-size: 13px; }
.line { stroke: currentColor; stroke-opacity: 0.35; fill: none; }
.sliders { display: grid; grid-template-columns: auto minmax(6rem, 1fr) minmax(3.5rem, auto);
  gap: 0.3rem 0.7rem; align-items: center; max-width: 30rem; }
input[type="range"] { width: 100%; accent-color: currentColor; }
`;

export const [QUERY, KEY, VALUE, GREY] = ["#0072b2", "#d55e00", "#009e73", "#8a8a8a"];

/** An element of a drawing. */
export function s(tag, given = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(given)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * A figure whose question comes before what it shows.
 *
 * A subclass sets `label` and `question`, builds its controls once in `build(place)` and
 * draws in `draw()`.
 */
export class Figure extends HTMLElement {
  connectedCallback() {
    if (this.shadowRoot) return;
    const root = this.attachShadow({ mode: "open" });
    style(root, STYLE + (this.constructor.css ?? ""));
    const place = h("div", { hidden: true });
    root.append(h("div", { role: "group", "aria-label": this.constructor.label },
      ask(this.constructor.question, () => { place.hidden = false; }), place));
    this.build(place);
    this.draw();
  }

  /** A slider with its name and its number; changes draw again. */
  slider(name, key, min, max, step, show = String) {
    const number = h("output", { className: "number" });
    const input = h("input", {
      type: "range", min, max, step, value: this[key], id: key,
      oninput: () => {
        this[key] = Number(input.value);
        tell();
        this.draw();
      },
    });
    const tell = () => {
      number.textContent = show(this[key]);
      input.setAttribute("aria-valuetext", show(this[key]));
    };
    tell();
    return [h("label", { for: key }, name), input, number];
  }
}

/**
 * @typedef {object} Question
 * @property {string} text
 * @property {string[]} answers  The first is right; they are shown in `order`.
 * @property {number[]} [order]
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
  const buttons = (order ?? answers.map((_, i) => i)).map((i) => h("button", {
    type: "button",
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
