/** Links in the page's text to moments of a film on the same page. */

import { stateIn } from "./links.mjs";

export const LINK = "a[href*='figure=']";

/** The link to a figure that an event comes from, with the state that it asks for. */
export function found(id, { target }) {
  const link = target.closest?.(LINK);
  const state = link ? stateIn(id, link.hash) : {};
  return Object.keys(state).length ? { link, state } : {};
}

/**
 * Watch the links, until what comes back is called.
 *
 * @param {string} id  The figure that they name.
 * @param {(state: object | null, link: HTMLAnchorElement) => void} light  Called when one is pointed
 *   at or comes into focus, and with null when no more, or at Escape.
 * @param {boolean} stays  Shall a link that leads to the film's own page show its moment here?
 * @returns {() => void}
 */
export function watchLinks(id, light, stays) {
  const seen = (event) => {
    const { link, state } = event.pointerType === "touch" ? {} : found(id, event);
    const come = event.type === "pointerover" || (event.type === "focusin" && link?.matches(":focus-visible"));
    if (link) light(come ? state : null, link);
  };
  const pressed = (event) => {
    const { link } = found(id, event);
    if (!link || link.pathname === location.pathname || !plain(event)) return;
    event.preventDefault();
    const before = location.hash;
    location.hash = link.hash;
    if (location.hash === before) dispatchEvent(new Event("popstate")); // it was followed already
  };
  const end = new AbortController();
  const { signal } = end;
  for (const type of ["pointerover", "pointerout", "focusin", "focusout"]) document.addEventListener(type, seen, { signal });
  document.addEventListener("keydown", ({ key }) => key === "Escape" && light(null), { signal });
  if (stays) document.addEventListener("click", pressed, { signal });
  return () => end.abort();
}

/** Is it an ordinary press, not one for another window? */
export const plain = ({ ctrlKey, metaKey, shiftKey }) => !(ctrlKey || metaKey || shiftKey);
