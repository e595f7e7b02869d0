/** A small picture of a moment, beside the link that names it: for when the figure is out of sight. */

import { h } from "./dom.mjs";

const GAP = 8; // px

export const GLANCE_STYLE = `
.glance { position: fixed; inset: auto; margin: 0; padding: 0.4rem; width: min(34rem, 100vw - 1rem); pointer-events: none;
  background: var(--paper); color: inherit; border: 1px solid currentColor; border-radius: 0.4rem; }
.glance svg { width: 100%; height: auto; }
`;

export class Glance {
  element = h("div", { className: "glance", popover: "manual", inert: true });

  /**
   * @param {SVGElement} picture
   * @param {HTMLAnchorElement} link
   */
  show(picture, link) {
    const { element } = this;
    element.replaceChildren(picture);
    element.showPopover();
    const word = link.getClientRects()[0];
    const { width, height } = element.getBoundingClientRect();
    const below = word.bottom + GAP;
    const top = below + height <= innerHeight ? below : Math.max(GAP, word.top - GAP - height);
    const left = Math.max(GAP, Math.min(word.left, document.documentElement.clientWidth - width - GAP));
    Object.assign(element.style, { top: `${top}px`, left: `${left}px` });
  }

  hide() {
    if (this.element.matches(":popover-open")) this.element.hidePopover();
  }
}
