/** Small helpers that every figure shares: elements, numbers, colours, one style. */

/**
 * Make an element. Text is always set as text, so nothing that a reader types is run.
 *
 * @param {string} tag
 * @param {Record<string, any>} [given]  Properties, "onclick" and its like among
 *   them; names with a dash, `role` and `for` are attributes; `style` is a record.
 * @param {...(Node | string | 0 | null | undefined | false)} children
 * @returns {HTMLElement}
 */
export function h(tag, given = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (name === "style") Object.assign(element.style, value);
    else if (name.includes("-") || name === "role" || name === "for") {
      element.setAttribute(name, String(value));
    } else element[name] = value;
  }
  element.append(...children.filter(Boolean));
  return element;
}

/** A text whose `d_k` is to be read as d with a small k; `lower` makes the small part. */
export function withIndex(text, lower) {
  return text.split(/_(\w)/).map((part, i) => (i % 2 ? lower(part) : part));
}

/** A number as the book writes it. */
export function shown(x, digits = 2) {
  if (x === -Infinity) return "−∞";
  return x.toFixed(digits).replace(/^-(?=0\.?0*$)/, "").replace("-", "−");
}

/** Cividis, from dark blue (0) to yellow (1), as the static figures use it. */
const CIVIDIS = [
  [0, 34, 78], [18, 53, 112], [59, 73, 108], [87, 93, 109], [112, 113, 115],
  [138, 134, 120], [165, 156, 116], [195, 179, 105], [225, 204, 85], [254, 232, 56],
];

/**
 * @param {number} share  From 0 to 1.
 * @returns {{background: string, color: string}}
 */
export function shade(share) {
  const place = Math.min(Math.max(share, 0), 1) * (CIVIDIS.length - 1);
  const low = Math.min(Math.floor(place), CIVIDIS.length - 2);
  const [r, g, b] = CIVIDIS[low].map((from, c) =>
    Math.round(from + (place - low) * (CIVIDIS[low + 1][c] - from)),
  );
  // On the shade between, black and white both have a contrast of 4.5.
  const bright = 0.299 * r + 0.587 * g + 0.114 * b > 118;
  return { background: `rgb(${r} ${g} ${b})`, color: bright ? "#000" : "#fff" };
}

/** One style for all figures; `more` is a figure's own. */
export function style(root, more = "") {
  root.append(h("style", { textContent: `
:host { display: block; font: 0.95rem/1.5 var(--tt-sans, system-ui, sans-serif);
  border: 1px solid var(--tt-rule, color-mix(in srgb, currentColor 25%, transparent));
  border-radius: 0.5rem; padding: 1rem; margin: 1.5rem 0; }
:host([hidden]), [hidden] { display: none !important; }
* { box-sizing: border-box; }
p { margin: 0.5rem 0; }
button, input, select { font: inherit; color: inherit; max-width: 100%; }
button, select { background: color-mix(in srgb, currentColor 7%, transparent);
  border: 1px solid color-mix(in srgb, currentColor 45%, transparent);
  border-radius: 0.35rem; padding: 0.2rem 0.6rem; min-height: 2rem; cursor: pointer; }
option { color: initial; background: Canvas; color: CanvasText; }
button:disabled, [aria-disabled="true"] { opacity: 0.5; cursor: default; }
[aria-pressed="true"][aria-disabled="true"] { opacity: 1; }
button[aria-pressed="true"] { outline: 2px solid currentColor; outline-offset: -2px;
  font-weight: 600; }
:focus-visible { outline: 3px solid var(--tt-link, #0a72b2); outline-offset: 1px; }
input[type="text"] { width: 100%; padding: 0.4rem 0.6rem; border-radius: 0.35rem;
  background: transparent; border: 1px solid color-mix(in srgb, currentColor 55%, transparent); }
label { display: inline-flex; gap: 0.4rem; align-items: center; }
fieldset { border: 0; padding: 0; margin: 0.6rem 0; min-width: 0; }
legend { padding: 0; font-weight: 600; }
.row { display: flex; flex-wrap: wrap; gap: 0.4rem; align-items: center; margin: 0.5rem 0; }
.quiet { opacity: 0.85; font-size: 0.9em; }
.scroll { overflow-x: auto; max-width: 100%; }
.number { font-variant-numeric: tabular-nums; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
${more}` }));
}

/** The state that an element's attribute asks for. */
export function stateAttribute(element) {
  return JSON.parse(element.getAttribute("state") ?? "{}");
}

/** Copy a text; where the browser forbids it, show it ready to be copied by hand. */
export async function copy(text, button) {
  const label = (button.dataset.label ??= button.textContent);
  if (button.nextElementSibling?.localName === "textarea") button.nextElementSibling.remove();
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    const area = h("textarea", { value: text, readOnly: true, rows: 6, "aria-label": "To copy",
      style: { width: "100%" } });
    button.after(area);
    area.select();
    return;
  }
  setTimeout(() => { button.textContent = label; }, 1500);
}

/** Draw again, and leave the focus on the same control, or on one beside it. */
export function keepFocus(root, draw) {
  const all = () => [...root.querySelectorAll("a, button, select, input, summary, [tabindex]")];
  // A cell of a table is known by its place: its number changes.
  const place = (one) => one.matches("td") && `${one.closest("table").getAttribute("aria-label")} ${one.parentNode.rowIndex} ${one.cellIndex}`;
  const name = (one) => place(one) || (one.getAttribute("aria-label") ?? (one.closest("label") ?? one).textContent);
  const before = root.activeElement;
  const index = all().indexOf(before);
  const was = before && name(before);
  draw();
  if (!before || (before.isConnected && !before.disabled)) return;
  const after = all();
  const usable = after.filter((one) => !one.disabled);
  const same = [after[index], ...usable].find((one) => usable.includes(one) && name(one) === was);
  const beside = usable.find((one) => after.indexOf(one) >= index) ?? usable.at(-1);
  (same ?? beside)?.focus();
}

/** Register an element once, even if the module is on a page twice. */
export function define(name, element) {
  if (!customElements.get(name)) customElements.define(name, element);
}
