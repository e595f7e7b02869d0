/** The decoder at work: what it writes, its steps, and the candidates for the next word. */

import { h, shown } from "./dom.mjs";
import { top } from "./greedy.mjs";

/** @typedef {import("./scene.mjs").Scene} Scene */

/**
 * The translation, and what it was without the reader's changes.
 *
 * @param {Scene} scene
 */
export function output({ state: { forced }, result, plain, t, word }) {
  const [now, before] = [result, plain].map(({ written }) => written.map(word));
  const yours = (i) => i < forced.length && now[i] !== before[i];
  const same = now.join(" ") === before.join(" ");
  return {
    output: !now.length ? [h("span", { className: "quiet", lang: "en" }, "(nothing)")]
      : now.flatMap((text, i) => [h("span", {
      className: `${i > t ? "later" : i === t ? "now" : ""} ${yours(i) ? "forced" : ""}`,
    }, text), " "]),
    compare: result === plain ? []
      : ["Without your changes: ", same ? "the same." : h("span", { lang: "es" }, before.join(" "))],
  };
}

/**
 * Buttons to the other steps, and what the decoder does at this one.
 *
 * @param {Scene} scene
 * @param {boolean} playing
 * @param {() => void} play  Begins to write word by word, or ends it.
 */
export function steps({ result, t, last, word, change }, playing, play) {
  const go = (label, step, name) => h("button", {
    "aria-label": name, disabled: step < 0 || step > last || step === t,
    onclick: () => change({ step: step === last ? null : step, cell: null }),
  }, label);
  const { read, wrote } = result.steps[t];
  return {
    steps: [
      go("|◂", 0, "First word"), go("◂", t - 1, "One word back"),
      go("▸", t + 1, "Next word"), go("▸|", last, "Last word"),
      h("button", { className: "play", onclick: play }, playing ? "Pause" : "Play"),
    ],
    status: [`Step ${t + 1} of ${last + 1}: has read `, h("i", { lang: "es" }, word(read.at(-1))),
      ", writes ", h("i", { lang: "es" }, word(wrote)), "."],
  };
}

/**
 * The likeliest next words; the reader may force another one.
 *
 * @param {Scene} scene
 */
export function candidates({ state, result, t, word, change }) {
  const { scores, chances, wrote } = result.steps[t];
  const best = top(chances, 5);
  const others = 1 - best.reduce((sum, id) => sum + chances[id], 0);
  const head = (text) => h("th", { scope: "col" }, text);
  const number = (text) => h("td", { className: "number" }, text);
  return [
    h("legend", {}, `Candidates for word ${t + 1}`),
    h("table", { className: "candidates" },
      h("thead", {}, h("tr", {}, head("word"), head("logit"), head("softmax"))),
      h("tbody", {}, ...best.map((id) => h("tr", {},
        h("td", {}, h("button", {
          lang: "es", "aria-pressed": id === wrote, "aria-label": `Write ${word(id)}`,
          onclick: () => change({
            forced: [...result.written.slice(0, t), id], step: t, cell: null,
          }),
        }, word(id))),
        number(shown(scores[id])), number(percent(chances[id])))),
      h("tr", {}, h("td", {}, `${chances.length - best.length} others`), number(""),
        number(percent(others))))),
    h("p", { className: "quiet" }, "Choose another word, and the model goes on from there. "
      + "At the first step more of them are likely."),
    state.forced.length
      && h("button", { onclick: () => change({ forced: [], step: 0 }) }, "Take my words back"),
  ];
}

const percent = (share) => (share < 0.0005 ? "< 0.1 %" : `${shown(100 * share, 1)} %`);
