/** Links in the page's text to moments of a film on the same page. */

import { stateIn } from "./links.mjs";

const LINK = "a[href*='figure=']";

/** The link to a figure that an event comes from, with the state that it asks for. */
function found(id, { target }) {
  const link = target.closest?.(LINK);
  const state = link ? stateIn(id, link.hash) : {};
  return Object.keys(state).length ? { link, state } : {};
}

/**
 * Watch the links, until what comes back is called.
 *
 * @param {string} id  The figure that they name.
 * @param {(state: object | null) => void} light  Called while one is pointed at or has the focus.
 * @returns {() => void}
 */
export function watchLinks(id, light) {
  const seen = (event) => {
    const { state } = event.pointerType === "touch" ? {} : found(id, event);
    if (state) light(/over|in$/.test(event.type) ? state : null);
  };
  // One that leads to the film's own page finds a film here already.
  const pressed = (event) => {
    const { link } = found(id, event);
    if (!link || link.pathname === location.pathname || !plain(event)) return;
    event.preventDefault();
    location.hash = link.hash;
  };
  const all = { pointerover: seen, pointerout: seen, focusin: seen, focusout: seen,
    ...(location.protocol.startsWith("http") && { click: pressed }) };
  for (const [type, heard] of Object.entries(all)) document.addEventListener(type, heard);
  return () => {
    for (const [type, heard] of Object.entries(all)) document.removeEventListener(type, heard);
  };
}

/** Is it an ordinary press, not one for another window? */
export const plain = ({ ctrlKey, metaKey, shiftKey }) => !(ctrlKey || metaKey || shiftKey);
