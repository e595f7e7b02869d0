/**
 * A figure in a notebook: what the reader changes goes to the kernel, and back.
 *
 * The kernel keeps the state, one name a trait, and hands out the models.
 */

import "./all.mjs";

/**
 * The element that stands, without life yet, before this place; else a new one.
 *
 * JupyterLab keeps each output apart, so it is the one in the output before. Elsewhere,
 * as on Colab, it is the nearest before that nobody has brought to life.
 *
 * @param {HTMLElement} el
 * @param {string} tag
 */
function elementFor(el, tag) {
  const output = el.closest(".jp-OutputArea-child");
  const stand = `${tag}.tt-stand-in:not([data-live])`;
  const found = output
    ? output.previousElementSibling?.querySelector(stand)
    : [...document.querySelectorAll(stand)].findLast((one) =>
      one.compareDocumentPosition(el) & Node.DOCUMENT_POSITION_FOLLOWING);
  return found ?? el.appendChild(document.createElement(tag));
}

/** Ask the kernel for one of the models of this kind. */
async function modelFrom(kernel, Model, wanted) {
  const info = kernel.get("_info");
  const { file, sha256 } = info.snapshots.find((one) => one.file === wanted) ?? info.snapshots.at(-1);
  const packed = await new Promise((resolve) => {
    const answer = (message, [view]) => {
      if (message.file !== file) return;
      kernel.off("msg:custom", answer);
      resolve(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
    };
    kernel.on("msg:custom", answer);
    kernel.send({ file });
  });
  return Model.open(info, packed, sha256);
}

const TOLD = ["choose", "change"];

/** Bind an element to the kernel's traits; the answer undoes it. */
function bind(kernel, element) {
  const names = kernel.get("_names");
  let telling = false;
  const tell = () => {
    telling = true;
    for (const [name, value] of Object.entries({ ...element.state, ...element.result })) {
      kernel.set(name, value);
    }
    telling = false;
    kernel.save_changes();
  };
  // Only what has changed: the rest may have been chosen since by the reader.
  const listeners = names.map((name) => [`change:${name}`, () => {
    if (!telling) element.state = { [name]: kernel.get(name) };
  }]);
  // The notebook's own shortcuts would take the letters that the reader types.
  element.dataset.lmSuppressShortcuts = "true";
  element.dataset.live = "";
  if (kernel.get("_info")) element.loader = (wanted) =>
    modelFrom(kernel, element.constructor.Model, wanted);
  element.state = Object.fromEntries(names.map((name) => [name, kernel.get(name)]));
  for (const event of TOLD) element.addEventListener(event, tell);
  for (const [event, hear] of listeners) kernel.on(event, hear);
  return () => {
    delete element.dataset.live;
    for (const event of TOLD) element.removeEventListener(event, tell);
    for (const [event, hear] of listeners) kernel.off(event, hear);
  };
}

function render({ model: kernel, el }) {
  let undo = () => {};
  let frame;
  // The notebook asks for the view before it has a place; the place tells what stands there.
  const start = () => {
    if (el.isConnected) undo = bind(kernel, elementFor(el, kernel.get("_tag")));
    else frame = requestAnimationFrame(start);
  };
  start();
  return () => {
    cancelAnimationFrame(frame);
    undo();
  };
}

export default { render };
