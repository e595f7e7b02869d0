// A word of the glossary shows its entry on a card: on hover, on focus, at a tap.

const GLOSSARY = "/book/glossary.html";
const HOVER = 180; // ms before a card comes, and before it goes
const GAP = 8; // px

const isTerm = (link) => link.hash && link.pathname.endsWith(GLOSSARY);

let glossary;

/** The glossary's page, fetched when the first card is asked for. */
function load(link) {
  glossary ??= fetch(link.pathname)
    .then((answer) => answer.text())
    .then((text) => new DOMParser().parseFromString(text, "text/html"));
  return glossary;
}

/** An entry's name and text; its links are words here, as the card closes too easily. */
function entry(page, id) {
  const section = page.getElementById(id);
  if (!section) return null;
  const name = section.querySelector("h3").firstChild.cloneNode();
  const texts = [...section.querySelectorAll(":scope > :not(h3)")].map((text) => {
    const copy = document.importNode(text, true);
    copy.querySelector(".tt-explained")?.remove();
    for (const link of copy.querySelectorAll("a")) link.replaceWith(...link.childNodes);
    return copy;
  });
  return { name, texts };
}

const card = document.createElement("div");
card.className = "tt-term";
card.popover = "manual";
card.innerHTML = `<b></b><div id="tt-term-text"></div><a tabindex="-1">Glossary</a>`;
const [title, words, more] = card.children;

let shown = null; // the link whose card is open
let wanted = null; // the link whose card is to open
let timer;

function hide() {
  clearTimeout(timer);
  wanted = null;
  shown?.removeAttribute("aria-describedby");
  if (shown) shown.ariaDescribedByElements = null;
  shown = null;
  if (card.matches(":popover-open")) card.hidePopover();
}

/** Below the word, or above it where there is no room below; never beyond the window. */
function place(link) {
  const word = link.getClientRects()[0];
  const { width, height } = card.getBoundingClientRect();
  const below = word.bottom + GAP;
  const top = below + height <= innerHeight ? below : Math.max(GAP, word.top - GAP - height);
  const left = Math.min(Math.max(GAP, word.left), document.documentElement.clientWidth - width - GAP);
  card.style.translate = `${left}px ${top}px`;
}

async function show(link) {
  if (shown === link) return;
  wanted = link;
  const found = entry(await load(link), decodeURIComponent(link.hash.slice(1)));
  if (!found || wanted !== link) return;
  hide();
  title.replaceChildren(found.name);
  words.replaceChildren(...found.texts);
  more.href = link.href;
  shown = link;
  link.setAttribute("aria-describedby", words.id);
  // From inside a figure no name reaches out of it.
  if (link.getRootNode() !== document) link.ariaDescribedByElements = [words];
  card.showPopover();
  place(link);
}

function later(step, ...what) {
  clearTimeout(timer);
  timer = setTimeout(step, HOVER, ...what);
}

function watch(link) {
  let touched = false;
  link.addEventListener("pointerdown", ({ pointerType }) => { touched = pointerType === "touch"; });
  link.addEventListener("pointerenter", ({ pointerType }) => {
    if (pointerType === "mouse") later(show, link);
  });
  link.addEventListener("pointerleave", ({ pointerType }) => {
    if (pointerType === "mouse") later(hide);
  });
  link.addEventListener("focus", () => {
    if (link.matches(":focus-visible") && !touched) show(link);
  });
  link.addEventListener("blur", () => later(hide));
  link.addEventListener("click", (event) => {
    if (!touched || shown === link) return;
    event.preventDefault();
    show(link);
  });
}

const watched = new WeakSet();

/** Give the terms in here their cards. */
function explain(place) {
  for (const link of place.querySelectorAll("a")) {
    if (!isTerm(link) || watched.has(link)) continue;
    watched.add(link);
    watch(link);
  }
}

if (card.showPopover) {
  document.body.append(card);
  for (const article of document.querySelectorAll(".bd-article")) explain(article);
  for (const film of document.querySelectorAll("tt-film")) {
    const inside = () => {
      explain(film.shadowRoot);
      if ([shown, wanted].some((link) => link && !link.isConnected)) hide();
    };
    if (film.shadowRoot) inside();
    film.addEventListener("change", inside);
  }
  card.addEventListener("pointerenter", () => clearTimeout(timer));
  card.addEventListener("pointerleave", ({ pointerType }) => {
    if (pointerType === "mouse") later(hide);
  });
  addEventListener("keydown", ({ key }) => key === "Escape" && hide());
  addEventListener("pointerdown", (event) => {
    const [touched] = event.composedPath();
    if (shown && !card.contains(touched) && !shown.contains(touched)) hide();
  });
  // Focus itself may scroll, and late: a card that came with it stays by its word.
  addEventListener("scroll", () => {
    if (shown) (shown === shown.getRootNode().activeElement ? place : hide)(shown);
  }, { passive: true });
}
