/** What the reader may change in the model: heads, mask, positions, and its training. */

import { copy, h } from "./dom.mjs";

/**
 * @param {import("./scene.mjs").Scene} scene
 * @param {false | (() => URL)} link  To what the figure shows; a notebook has none.
 * @returns {(HTMLElement | 0 | false)[]}
 */
export function switches({ model, state, layer, change }, link) {
  const { kind, head, cut, unmasked } = state;
  const name = `${kind}.${layer}.${head}`;
  const gone = cut.includes(name);
  const check = (key, label) => h("label", {}, h("input", {
    type: "checkbox", checked: state[key],
    onchange: ({ target }) => change({ [key]: target.checked }),
  }), label);
  return [
    h("legend", {}, "Change the model"),
    h("div", { className: "row" },
      head === "mean"
        ? h("span", { className: "quiet" }, "Choose a single head to cut it.")
        : h("button", {
          onclick: () => change({ cut: gone ? cut.filter((x) => x !== name) : [...cut, name] }),
        }, `${gone ? "Restore" : "Cut"} head ${head + 1} of layer ${layer + 1}`),
      cut.length && h("button", { onclick: () => change({ cut: [] }) }, "Restore all")),
    cut.length && h("p", { className: "quiet" }, "A cut head still attends, but what it fetches is thrown away."),
    h("div", { className: "row" },
      check("unmasked", "without the causal mask"), check("unplaced", "without positions")),
    unmasked && h("p", { className: "quiet" }, "While the model writes, no later word exists yet, "
      + "so the newest row sees what it always saw. But the rows before it now attend to later ones, "
      + "which they never did in training, and pass on something else."),
    h("div", { className: "row" },
      trainedFor(model.info, state.snapshot, change),
      link && h("button", { onclick: ({ currentTarget }) => {
        history.replaceState(null, "", link());
        copy(location.href, currentTarget);
      } }, "Copy a link to this")),
  ];
}

/** The choice of an earlier state of the same training, where there is one. */
export const trainedFor = ({ snapshots }, snapshot, change) =>
  snapshots.length > 1 && h("label", {}, "trained for ",
    h("select", {
      onchange: ({ target }) => change({ snapshot: target.value }),
    }, ...snapshots.map(({ step, file }) => h("option", {
      value: file, selected: file === (snapshot ?? snapshots.at(-1).file),
    }, `${step.toLocaleString("en")} steps`))));
