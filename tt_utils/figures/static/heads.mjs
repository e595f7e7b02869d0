/** Which head is on show: a button with a small picture for each head of each layer. */

import { h } from "./dom.mjs";
import { weightsOf } from "./greedy.mjs";
import { thumbnail } from "./grid.mjs";

const WIDTH = 36;

/**
 * @param {import("./scene.mjs").Scene} scene
 * @returns {HTMLElement}
 */
export function heads({ state: { kind, head, cut }, layers, layer, masked, last, source, change }) {
  const count = layers[0].length;
  // Room for all rows, so that neither a step nor another sentence moves what stands below.
  const scale = WIDTH / Math.max(source.length, kind === "encoder" ? 0 : last + 1);
  const button = (l, which) => {
    const gone = cut.includes(`${kind}.${l}.${which}`);
    const name = which === "mean" ? "mean" : `head ${which + 1}`;
    return h("button", {
      className: gone ? "cut" : "",
      "aria-pressed": l === layer && which === head,
      "aria-label": `Layer ${l + 1}, ${name}${gone ? ", cut" : ""}`,
      onclick: () => change({ layer: l, head: which }),
    }, h("span", { className: "thumb", style: { height: `${WIDTH}px` } },
      thumbnail(weightsOf(layers[l], which), scale, masked)), name);
  };
  return h("div", { className: "heads", role: "group", "aria-label": "Layers and heads" },
    ...layers.map((_, l) => h("div", { className: "scroll layer",
      style: { gridTemplateColumns: `repeat(${count + 1}, auto)` } },
      h("span", { className: "quiet" }, `layer ${l + 1}`),
      ...Array.from({ length: count }, (_, which) => button(l, which)),
      button(l, "mean"))));
}
