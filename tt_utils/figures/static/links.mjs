/** A link that sets a figure's state: `#figure=tt-film&state={"moment":2}`. */

/** Only what differs from the start goes into a link. */
export function linkTo(id, state, start) {
  const kept = Object.fromEntries(Object.entries(state).filter(([key, value]) =>
    JSON.stringify(value) !== JSON.stringify(start[key])));
  const url = new URL(location.href);
  url.hash = new URLSearchParams({ figure: id, state: JSON.stringify(kept) }).toString();
  return url;
}

/** The state that a link's end asks of this figure, as it stands there; empty if of none. */
export function stateIn(id, hash) {
  const given = new URLSearchParams(hash.slice(1));
  if (given.get("figure") !== id) return {};
  try {
    return Object(JSON.parse(given.get("state")));
  } catch {
    return {};
  }
}
