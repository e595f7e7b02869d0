/** A sentence's film: all its numbers, as the model or the reader's changes make them. */

import { anyOf, CHANGES, forEngine } from "./film-changes.mjs";
import { levelsOf, momentsOf, percent } from "./film-moments.mjs";
import { translate } from "./greedy.mjs";
import { SOME_WORD, wordsOf } from "./model-file.mjs";
import { startOf } from "./parts.mjs";
import { reading, trace } from "./trace.mjs";

const SURE = 0.6; // right words have about 0.9: the training smoothed its labels

/** What is said of a translation with a word that the model itself had doubts about. */
function doubtOf({ shares: all }, given, wrote) {
  const shares = all.map((share, lane) => (lane < given ? 1 : share));
  const least = Math.min(...shares);
  return least < SURE && `It isn’t sure of this one: “${wrote[shares.indexOf(least)]}” has only ${percent(least)}.`;
}

/** A sentence's film: all its numbers, as they are when its last word is there. */
export function filmOf(model, text, chosen = startOf(CHANGES)) {
  const changes = forEngine(chosen);
  const found = trace(model, text, changes, chosen.forced);
  const plain = anyOf(chosen) ? translate(model, text).written : found.written;
  const levels = levelsOf(model.info.config);
  const wrote = wordsOf(found.wrote, model.target);
  const { unknown } = model.read(text);
  return {
    model, text, trace: found, levels, chosen, changes, plain, doubt: doubtOf(found, chosen.forced.length, wrote), head: "mean", lens: false, tiles: new Map(), past: new Map(),
    words: { encoder: wordsOf(found.source, model.source), decoder: wordsOf(found.target, model.target) },
    wrote, passed: unknown.length === 1 && wrote.includes(SOME_WORD) ? unknown[0] : "",
    moments: momentsOf(levels, found.target.length),
  };
}

/** Without the mask each new word changes the lanes before it: the film as it was when this one was new. */
export function asOf(film, { lane }) {
  const { model, changes, trace: { source, target, ...trace }, past } = film;
  if (!changes.unmasked || lane === null || lane === target.length - 1) return film;
  if (!past.has(lane)) {
    const then = reading(model, source, target.slice(0, lane + 1), changes);
    past.set(lane, { trace: { source, target, ...trace, ...then }, tiles: new Map() });
  }
  return { ...film, ...past.get(lane) };
}
