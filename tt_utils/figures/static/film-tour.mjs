/** Tours through the film: their stops stand in the page, and are shown here one by one. */

import { h } from "./dom.mjs";
import { found, LINK, plain } from "./film-links.mjs";
import { stateIn } from "./links.mjs";

export const TOUR_STYLE = `
.tour { border-left: 4px solid #009e73; padding-left: 0.7rem; margin-bottom: 0.6rem; scroll-margin-top: 2.6rem; }
.tour .row { margin: 0 0 0.3rem; }
::slotted([slot="tour"]) { font-size: 0.95rem; line-height: 1.5; }
`;

/** Marks what is on show, for the page's style. */
const NOW = "tt-now";

const stopsOf = (tour) => tour.querySelectorAll(":scope > ol > li");

/**
 * @param {HTMLElement} host  Its children in the slot `tour` hold a list of stops each; the
 *   attribute `data-name` names them. A stop's first link says at what moment the film waits.
 * @param {string} id  The figure that the links name.
 * @param {(state: object) => void} go  Shows a state of the film.
 * @returns {HTMLElement | string}  Empty, where the page has no tours.
 */
export function toursOf(host, id, go) {
  const tours = [...host.querySelectorAll(':scope > [slot="tour"]')];
  if (!tours.length) return "";
  let [tour, at] = [null, 0];
  const place = h("b");
  const told = h("p", { role: "status", className: "unseen" });
  const step = (text, name, by) => h("button", { "aria-label": name, onclick: ({ currentTarget }) => {
    if (currentTarget.getAttribute("aria-disabled") !== "true") show(tour, at + by); // `disabled` would lose the focus
  } }, text);
  const [back, next] = [step("◂", "Stop before", -1), step("Next ▸", "Next stop", 1)];
  const choices = h("div", { className: "row" }, ...tours.map((one) =>
    h("button", { onclick: () => { show(one, 0); next.focus(); } }, one.dataset.name)));
  const end = h("button", { "aria-label": "End the tour", onclick: () => {
    const ended = tours.indexOf(tour);
    show(null);
    choices.children[ended].focus();
  } }, "✕");
  const stop = h("div", { className: "row", hidden: true }, back, place, next, end);

  function show(wanted, number) {
    [tour, at] = [wanted, number];
    [choices.hidden, stop.hidden] = [Boolean(tour), !tour];
    for (const one of tours) {
      one.classList.toggle(NOW, one === tour);
      stopsOf(one).forEach((li, i) => li.classList.toggle(NOW, one === tour && i === at));
    }
    if (!tour) return;
    const stops = stopsOf(tour);
    place.textContent = `${at + 1} of ${stops.length}`;
    back.setAttribute("aria-disabled", at === 0);
    next.setAttribute("aria-disabled", at === stops.length - 1);
    told.textContent = `${tour.dataset.name}, ${place.textContent}: ${stops[at].querySelector("p").textContent}`;
    const { text, moment, ...more } = stateIn(id, stops[at].querySelector(LINK).hash);
    go(Object.keys(more).length ? { text, moment } : { moment }); // the sentence may be what is asked about
  }

  return h("div", { className: "tour", role: "group", "aria-label": "Guided tours" },
    choices, stop,
    h("slot", { name: "tour", onclick: (event) => {
      const { state } = found(id, event);
      if (!state || !plain(event)) return;
      event.preventDefault(); // or each press would be a page for *back*
      go(state);
    } }), told);
}
