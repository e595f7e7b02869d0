/** Elements of drawings, and the colours that mean one thing everywhere. */

import { withIndex } from "./dom.mjs";

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

/** A text in a drawing, with small letters below the line where it says `d_k`. */
export function label(x, y, text, name = "") {
  const lower = (part) => s("tspan", { dy: 3, "font-size": "70%" }, part);
  const [before, ...rest] = withIndex(text, lower);
  const parts = rest.map((part) => (typeof part === "string" ? s("tspan", { dy: -3 }, part) : part));
  return s("text", { x, y, class: name }, before, ...parts);
}

export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}
