/** A small picture of a moment, beside the link that names it: for when the figure is out of sight. */

import { h } from "./dom.mjs";

const [GAP, CAPTION, LEAST] = [8, 60, 200]; // px

export const GLANCE_STYLE = `
.glance { position: fixed; inset: auto; margin: 0; padding: 0.4rem; width: min(34rem, 100vw - 1rem); pointer-events: none;
  background: var(--paper); color: inherit; border: 1px solid currentColor; border-radius: 0.4rem; }
.glance svg { width: 100%; height: auto; }
@media print { .glance { display: none; } }
`;

export class Glance {
  element = h("div", { className: "glance", popover: "manual", inert: true });
  #link = null; // while it is open

  /**
   * @param {HTMLAnchorElement} link
   * @param {string} name  Of the moment.
   * @param {SVGElement} picture
   */
  show(link, name, picture) {
    const { element } = this;
    if (!element.showPopover) return;
    element.replaceChildren(h("b", {}, name), picture);
    this.#link = link;
    element.showPopover();
    this.#place();
    addEventListener("scroll", this.#place, { passive: true });
  }

  /** Above the link, or below it where there is more room; nowhere, if it is small. */
  #place = () => {
    const { element } = this;
    const words = [...this.#link.getClientRects()];
    const above = words[0].top - 2 * GAP;
    const below = innerHeight - words.at(-1).bottom - 2 * GAP;
    const room = Math.max(above, below);
    if (room < LEAST || Math.min(above, below) < -2 * GAP) {
      this.hide();
      return;
    }
    element.lastChild.style.maxHeight = `${room - CAPTION}px`;
    const { width, height } = element.getBoundingClientRect();
    const top = above >= Math.min(height, room) ? words[0].top - GAP - height : words.at(-1).bottom + GAP;
    const left = Math.max(GAP, Math.min(words[0].left, document.documentElement.clientWidth - width - GAP));
    Object.assign(element.style, { top: `${top}px`, left: `${left}px` });
  };

  hide() {
    if (!this.#link) return;
    this.#link = null;
    removeEventListener("scroll", this.#place);
    this.element.hidePopover();
  }
}
