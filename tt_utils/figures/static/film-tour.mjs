/** Tours through the film: their stops stand in the page, and are shown here one by one. */

import { h } from "./dom.mjs";
import { asked } from "./links.mjs";

export const TOUR_STYLE = `
.tour { border-left: 4px solid #009e73; padding-left: 0.7rem; margin-bottom: 0.6rem; }
.tour .row { margin: 0 0 0.3rem; }
.tour .stop { scroll-margin-top: calc(var(--top, 0px) + 3.5rem); }
::slotted([slot="tour"]) { font-size: 0.95rem; line-height: 1.5; }
`;

/** Marks what is on show, for the page's style. */
const NOW = "tt-now";

const stopsOf = (tour) => tour.querySelectorAll(":scope > ol > li");

/**
 * @param {HTMLElement} host  Its children in the slot `tour` hold a list of stops each; the
 *   attribute `data-name` names them. A stop's first link says at what moment the film waits.
 * @param {string} id  The figure that the links name.
 * @param {(state: object) => void} go  Takes the film to a moment.
 * @returns {HTMLElement | string}  Empty, where the page has no tours.
 */
export function toursOf(host, id, go) {
  const tours = [...host.querySelectorAll(':scope > [slot="tour"]')];
  if (!tours.length) return "";
  let [tour, at] = [null, 0];
  const place = h("b");
  const told = h("p", { role: "status", className: "unseen" });
  const step = (name, by) => h("button", { "aria-label": `${name} stop`, onclick: () => show(tour, at + by) },
    by < 0 ? "◂" : "Next stop ▸");
  const [back, next] = [step("Last", -1), step("Next", 1)];
  const stop = h("div", { className: "row stop", hidden: true }, back, place, next);
  const choices = tours.map((one) => h("button", { "aria-pressed": false,
    onclick: () => show(one === tour ? null : one, 0) }, one.dataset.name));

  function show(wanted, number) {
    [tour, at] = [wanted, number];
    stop.hidden = !tour;
    choices.forEach((choice, i) => choice.setAttribute("aria-pressed", tours[i] === tour));
    for (const one of tours) {
      one.classList.toggle(NOW, one === tour);
      stopsOf(one).forEach((li, i) => li.classList.toggle(NOW, one === tour && i === at));
    }
    if (!tour) return;
    const stops = stopsOf(tour);
    place.textContent = `${at + 1} of ${stops.length}`;
    back.disabled = at === 0;
    next.disabled = at === stops.length - 1;
    told.textContent = `${place.textContent}: ${stops[at].querySelector("p").textContent}`;
    const { text, moment } = asked(id, stops[at].querySelector("a[href*=figure]").hash);
    go({ text, moment });
  }

  return h("div", { className: "tour", role: "group", "aria-label": "Guided tours" },
    h("div", { className: "row" }, ...choices), stop,
    h("slot", { name: "tour", onclick: (event) => {
      const link = event.target.closest("a[href*=figure]");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault(); // or each press would be a page for *back*
      location.replace(link.hash);
    } }), told);
}
