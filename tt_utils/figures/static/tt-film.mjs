/**
 * <tt-film>: one sentence on its way through the whole Transformer, block by block.
 *
 * Attributes: `state`, a record as JSON, to begin with; `autoplay`, to begin by itself once it
 * is seen, where the reader's system allows motion; `model`, the folder beside this file where
 * the model is, if it isn't `model`. Properties: `state`; setting it redraws. `result`, what the
 * model reads and writes. `loader`, where the model comes from if not from a folder.
 * Events: `choose`, when the reader has changed the state; `change`, after the picture has.
 */

import { addressOf, CHAPTERS, GLOSSARY, pageOf, reference } from "./chapters.mjs";
import { copy, define, h, keepFocus, stateAttribute, style } from "./dom.mjs";
import { anyOf, CHANGES, CHANGES_STYLE, changedNote, existing, sentenceOf, trainedFor, youngNote } from "./film-changes.mjs";
import { drawing, DRAWING_STYLE, reached } from "./film-drawing.mjs";
import { Glance, GLANCE_STYLE } from "./film-glance.mjs";
import { watchLinks } from "./film-links.mjs";
import { CHAPTER, fetched, hidden, isLastCross, lens, nameOf, said, titled } from "./film-moments.mjs";
import { asOf, filmOf } from "./film-numbers.mjs";
import { ALL, drawn, kept, opened, PANEL_STYLE } from "./film-panel.mjs";
import { planOf } from "./film-plan.mjs";
import { Question } from "./film-question.mjs";
import { TOUR_STYLE, toursOf } from "./film-tour.mjs";
import { headName, translate } from "./greedy.mjs";
import { linkTo, stateIn } from "./links.mjs";
import { Model, SOME_WORD, wordsOf } from "./model-file.mjs";
import { notice } from "./notice.mjs";
import { readOwn } from "./own-model.mjs";
import { fitting, flag, like, startOf, whole } from "./parts.mjs";
import { failureOf } from "./stored-model.mjs";
import { surprise } from "./surprise.mjs";
import { trace } from "./trace.mjs";
import { tidy } from "./words.mjs";
import { Writing, WRITING_STYLE } from "./writing.mjs";

const PLACE = import.meta.url;
const IN_PAGE = PLACE.startsWith("http");
const [LONG, MIDDLE, SHORT, QUICK] = [2_500, 1_400, 900, 200]; // ms
const NARROWEST = 280;

const STYLE = `
${DRAWING_STYLE}
${PANEL_STYLE}
${WRITING_STYLE}
${CHANGES_STYLE}
${TOUR_STYLE}
${GLANCE_STYLE}
:host { container-type: inline-size; scroll-margin-top: 0;
  --paper: var(--pst-color-background, var(--jp-layout-color0, Canvas)); }
@media (max-width: 30rem) { :host { padding: 0.7rem; } }
p:empty { margin: 0; }
.said { min-height: 4.6em; margin: 0.4rem 0; } :is(.said, .message, .scroll, .panel) { scroll-margin-top: 3rem; }
.later { opacity: 0.7; }
.said b { display: block; }
.bar { position: sticky; top: var(--top, 0); z-index: 2; background: var(--paper); padding: 0.2rem 0; }
.bar button { min-width: 2.75rem; min-height: 2.5rem; } .bar .play { min-width: 4.5rem; font-weight: 600; }
.bar .row { margin: 0; } .bar input { flex: 1 1 4rem; min-width: 0; min-height: 2rem; accent-color: currentColor; }
.heads button { font-size: 0.85rem; }
.scroll { background: linear-gradient(90deg, var(--paper) 40%, transparent) 0 / 2rem 100% no-repeat local, linear-gradient(270deg, var(--paper) 40%, transparent) 100% / 2rem 100% no-repeat local,
    linear-gradient(90deg, #888a, transparent) 0 / 0.7rem 100% no-repeat, linear-gradient(270deg, #888a, transparent) 100% / 0.7rem 100% no-repeat; }
.own, .own input { min-width: 0; max-width: 100%; }
.panel { margin-top: 0.6rem; min-height: 3.2rem; }
.said a { color: var(--tt-link, var(--jp-content-link-color, LinkText)); }
summary { cursor: pointer; padding: 0.3rem 0; font-size: 1.1rem; }
@container (min-width: 40rem) { .said { min-height: 3.1em; } }
@container (min-width: 63rem) {
  .both { display: grid; grid-template: "lanes tour" auto "lanes panel" 1fr / minmax(0, 1fr) 19rem; column-gap: 1rem; }
  .lanes { grid-area: lanes; align-self: start; position: sticky; top: min(var(--top, 0px) + 3rem, 100vh - var(--tall)); }
  .numbers-button { display: none; } .tour { grid-area: tour; } .panel { grid-area: panel; }
}
`;

/** A word of the glossary, linked to its entry. */
function term(text, entry) {
  const page = addressOf(GLOSSARY, IN_PAGE && PLACE);
  return reference(page && `${page}#${entry}`, text);
}

/** Does the reader's system ask for less motion? */
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** What each part starts with, and what else it may be; the widget's traits say the same. */
const PARTS = {
  text: ["the ball is blue", like(/^/)],
  moment: [0, whole],
  head: ["mean", whole],
  lens: [false, flag],
  alone: [false, flag],
  point: [null, (x) => Array.isArray(x) && x.length === 3 && ["encoder", "decoder"].includes(x[0])
    && whole(x[1]) && whole(x[2])],
  ...CHANGES,
};

const START = startOf(PARTS);
/** Another sentence begins at its first moment. */
const FRESH = { moment: 0, point: null, forced: [] };

class Film extends HTMLElement {
  static Model = Model;
  #state = { ...START };
  #parts = null;
  #loader = IN_PAGE && ((wanted) => Model.load(new URL(`${this.getAttribute("model") ?? "model"}/`, PLACE), wanted));
  #models = new Map(); // by snapshot
  #model = null;
  #snapshot = null; // of the model at hand
  #failure = "";
  #film = null; // of the last text that could be translated; it stays on show
  #read = ""; // the sentence on show
  #key = ""; // what its numbers come from
  #noted = null; // the text of which something was said
  #told = null; // what a screen reader was told last, in parts
  #drawn = null;
  #width = 0;
  #playing = 0;
  #opening = 0; // files that the reader chose
  #question = new Question(() => this.#answered());
  #held = false; // does the film wait for an answer, to play on?
  #hinted = null; // what a link in the text points at
  #unwatch = null;
  #offered = null; // the model whose earlier states are on offer
  #linked = false; // to be brought into the window once it is there
  #address = location.hash; // where the reader is
  #books = null; // where the book's own models are, once a file has been opened

  connectedCallback() {
    addEventListener("popstate", this.#follow);
    this.#unwatch = watchLinks(this.#name, (...seen) => this.#light(...seen), IN_PAGE);
    if (this.#parts) return;
    const asked = fitting(PARTS, stateIn(this.#name, location.hash));
    this.state = { ...stateAttribute(this), ...asked };
    this.#linked = Object.keys(asked).length > 0;
    if (this.#linked) this.removeAttribute("autoplay");
    const root = this.attachShadow({ mode: "open" });
    style(root, STYLE);
    const bar = document.querySelector(".bd-header-article");
    this.style.setProperty("--top", `${bar?.offsetHeight ?? 0}px`);
    const writing = new Writing((text, typed) => this.#write(text, typed));
    const go = (label, name, by) => h("button", { "aria-label": name, onclick: () => this.#step(by) }, label);
    const parts = {
      writing, glance: new Glance(), sentence: h("b", { lang: "en" }), translation: h("b", { lang: "es" }),
      said: h("p", { className: "said" }), changed: h("p", { className: "changed", hidden: true }), told: h("p", { role: "status" }),
      back: go("◂", "One block back", -1), play: h("button", { className: "play", onclick: () => this.#toggle() }),
      next: go("▸", "Next block", 1),
      scrubber: h("input", { type: "range", min: 0, value: 0, "aria-label": "Where in the film",
        oninput: ({ target }) => this.#change({ moment: Number(target.value) }) }),
      numbers: h("button", { className: "numbers-button", "aria-label": "To the numbers, or back to the picture", onclick: () => this.#cross() }, "⇅"),
      heads: h("div", { className: "row heads", role: "group", "aria-label": "Whose weights" }),
      options: h("div", { className: "row" }),
      picture: h("div", { className: "scroll", onkeydown: (event) => this.#pressed(event) }),
      trained: h("span"), link: h("button", { hidden: !IN_PAGE, onclick: ({ currentTarget }) => {
        history.replaceState(null, "", linkTo(this.#name, this.#state, START));
        copy(location.href, currentTarget);
      } }, "Copy a link to this moment"),
      own: h("input", { type: "file", accept: ".gz", onchange: ({ target }) => this.#open(target.files[0]) }),
      ownTold: h("p", { role: "status", className: "quiet" }), refused: h("p", { role: "alert", className: "message" }),
      panel: h("div", { className: "panel", role: "group", "aria-label": "The opened point" }),
      heard: h("p", { role: "status", className: "unseen" }), fallback: h("slot"), body: h("div"), view: h("div"),
    };
    parts.tour = toursOf(this, this.#name, (asked) => this.#tour(asked));
    parts.write = h("details", { className: "write" }, h("summary", {}, parts.sentence, " → ", parts.translation, h("span", { className: "quiet" }, " (write another)")),
      writing.element);
    parts.lanes = h("div", { className: "lanes" }, parts.changed, parts.picture, parts.heads);
    parts.view.append(
      h("div", { className: "bar" }, h("div", { className: "row" }, parts.back, parts.play, parts.next, parts.scrubber, parts.numbers)),
      parts.refused, parts.said, h("div", { className: "both" }, parts.tour,
        parts.lanes, parts.panel),
      parts.options, h("div", { className: "row" }, parts.trained, parts.link, h("label", { hidden: !IN_PAGE || this.hasAttribute("model"), className: "own" }, "a model of your own (from tt export) ", parts.own)), parts.ownTold, parts.heard, parts.glance.element);
    parts.body.append(parts.write, parts.view);
    root.append(h("div", { role: "group", "aria-label": "One sentence in a Transformer" }, parts.told, parts.body),
      parts.fallback);
    this.#parts = parts;
    new ResizeObserver(() => this.#fit()).observe(parts.picture);
    new IntersectionObserver((seen) => seen.some(({ isIntersecting }) => isIntersecting) && this.#load())
      .observe(this);
    if (this.#linked) this.#load();
    for (const touch of ["pointerdown", "keydown"]) {
      this.addEventListener(touch, () => {
        this.removeAttribute("autoplay");
        this.#light(null);
      });
    }
    this.#redraw();
  }

  /** What links call it. */
  get #name() {
    return this.id || this.localName;
  }

  disconnectedCallback() {
    removeEventListener("popstate", this.#follow);
    this.#unwatch();
    this.#light(null);
    this.#pause();
  }

  /** A link to a moment was followed while the page was open; *back* leads to that link again. */
  #follow = () => {
    const left = this.#address;
    this.#address = location.hash;
    const asked = fitting(PARTS, stateIn(this.#name, location.hash));
    if (!location.hash) {
      const link = [...document.links].find(({ hash }) => hash === left);
      // The browser's own place for it is from before the film changed its height.
      requestAnimationFrame(() => link?.scrollIntoView({ block: "center" }));
    }
    if (!Object.keys(asked).length) return;
    this.#pause();
    this.#parts.writing.flush();
    this.#parts.refused.textContent = "";
    this.state = { ...START, ...asked };
    this.scrollIntoView();
  };

  /** A stop of a tour comes into sight with the picture: the whole figure, or from the question on. */
  #tour(asked) {
    this.#change({ ...START, ...fitting(PARTS, asked) });
    const { tour, lanes } = this.#parts;
    (tour.offsetLeft > lanes.offsetLeft ? this : tour).scrollIntoView();
    if (this.#asking) this.#parts.said.scrollIntoView({ block: "nearest" });
  }

  /** A link to a moment of this sentence draws that moment and lights up its tile; all else stays. */
  #light(state, link) {
    const before = this.#hinted;
    if (!state && !before) return;
    const { text, moment, point } = { ...START, ...fitting(PARTS, state ?? {}) };
    const { top, bottom } = this.#parts.picture.getBoundingClientRect();
    const changes = state && Object.keys(CHANGES).some((key) => key in state); // its moment would be another
    const fits = state && !changes && this.#film && !this.#state.alone && text === this.#read;
    this.#hinted = fits ? { moment, point, beside: (top < 0 || bottom > innerHeight) && link } : null;
    if (this.#hinted || before) this.#redraw();
  }

  /** @param {() => Promise<Model>} given */
  set loader(given) {
    this.#loader = given;
    this.#models = new Map();
    this.#model = null;
    if (this.#parts) this.#load();
  }

  get result() {
    if (!this.#film) return { words: [], unknown: [], translation: [] };
    const { words, unknown } = this.#model.read(this.#read);
    return { words, unknown, translation: this.#film.trace.written.map((id) => this.#model.target[id]) };
  }

  get state() {
    return structuredClone(this.#state);
  }

  set state(given) {
    Object.assign(this.#state, structuredClone(fitting(PARTS, given)));
    this.#hinted = null;
    if (this.#parts) this.#redraw();
  }

  async #load() {
    const { snapshot } = this.#state;
    if (!this.#loader || this.#models.has(snapshot)) return;
    this.#models.set(snapshot, this.#loader(snapshot));
    try {
      await this.#models.get(snapshot);
      this.#failure = "";
    } catch (error) {
      this.#failure = failureOf(error);
      this.#models.delete(snapshot);
      if (this.#model || snapshot) {
        if (snapshot === this.#state.snapshot) this.#stay();
        return;
      }
    }
    await this.#take();
    if (this.#film && this.#linked) this.scrollIntoView();
    this.#linked &&= !this.#film;
    if (this.#film && this.hasAttribute("autoplay") && !still()) this.#beat(this.#moment, SHORT);
  }

  /** An earlier state that doesn't come leaves the model on show, or at first the trained one. */
  #stay() {
    this.#snapshot ??= null;
    this.#state.snapshot = this.#snapshot;
    this.#refuse(`${this.#failure} The film shows the model chosen below it.`);
    this.#failure = "";
    this.#redraw();
    if (!this.#model) this.#load();
  }

  #refuse(why) {
    const { refused } = this.#parts;
    refused.textContent = why;
    refused.scrollIntoView({ block: "nearest" });
  }

  /** Go on with the chosen snapshot, once it is there. */
  async #take() {
    const { snapshot } = this.#state;
    const models = this.#models;
    const model = await models.get(snapshot);
    if (snapshot !== this.#state.snapshot || models !== this.#models) return;
    this.#model = model ?? this.#model;
    this.#snapshot = snapshot;
    this.#redraw();
  }

  /** A model from the reader's own disk; one that can't be read leaves all as it was. */
  async #open(file) {
    if (!file) return;
    const { own, ownTold } = this.#parts;
    const turn = (this.#opening += 1);
    let model = null;
    try {
      model = await readOwn(file);
    } catch (error) {
      if (turn === this.#opening) this.#refuse(failureOf(error));
    }
    if (turn !== this.#opening) return; // another file was chosen meanwhile
    own.value = "";
    if (!model) return;
    this.#books ??= { loader: this.#loader, models: this.#models };
    const sentences = [this.#state.text, ...model.info.examples.map(({ source }) => source), model.source.slice(4, 8).join(" ")];
    this.#restart(async () => model, new Map(), sentences.find((text) => !notice(model, text).told));
    ownTold.replaceChildren(`Now your own model runs, from ${file.name}: ${model.source.length} English and ${model.target.length} Spanish entries. `,
      h("button", { onclick: () => {
        this.#opening += 1;
        ownTold.replaceChildren();
        this.#restart(this.#books.loader, this.#books.models, START.text);
      } }, "Back to the book’s model"));
  }

  /** Begin anew with models that come from elsewhere; the old film stays until one is there. */
  #restart(loader, models, text) {
    this.#loader = loader;
    this.#models = models;
    this.#snapshot = undefined;
    if (this.#parts.tour) this.#parts.tour.hidden = loader !== this.#books.loader; // they tell of the book's model
    this.#change({ ...structuredClone(START), text });
    this.#load();
  }

  /** A sentence that is written to its end plays by itself. */
  #write(text, typed) {
    this.#pause();
    if (!typed && !still()) this.#playing = setTimeout(() => this.#beat(1), SHORT);
    this.#become({ text, ...FRESH });
    if (this.#playing && this.#read !== tidy(text)) this.#change({});
  }

  #change(changes) {
    this.#pause();
    this.#become(changes);
  }

  #become(changes) {
    const { refused, writing: { pending } } = this.#parts;
    refused.textContent = "";
    this.#hinted = null;
    if (pending !== null) Object.assign(this.#state, { text: pending, ...FRESH });
    this.#parts.writing.flush();
    Object.assign(this.#state, changes);
    this.dispatchEvent(new Event("choose"));
    this.#redraw();
  }

  #step(by) {
    this.#change({ moment: this.#moment + by });
  }

  /** Play from here, or from the start where the end is reached; an open question comes first. */
  #toggle() {
    if (this.#playing) {
      this.#pause();
      this.#redraw();
      return;
    }
    if (this.#asking) {
      this.#wait();
      this.#parts.said.querySelector("button").focus();
      return;
    }
    const over = this.#moment === this.#film.moments.length - 1;
    this.#beat(over ? 0 : this.#moment + 1);
  }

  /** A kind of block that comes for the first time stays longer; of later words what decides them. */
  #beat(moment, stay = null) {
    const { moments } = this.#film;
    if (this.matches(":active")) { // what is being pressed must stay
      this.#playing = setTimeout(() => this.#beat(moment, stay), 50);
      return;
    }
    if (moment >= moments.length) {
      this.#pause();
      this.#redraw();
      return;
    }
    const { first, lane, level } = moments[moment];
    if (this.#question.open(this.#film, moments[moment])) {
      this.#playing = 0;
      this.#become({ moment });
      this.#wait();
      return;
    }
    this.#playing = setTimeout(() => this.#beat(moment + 1), stay ?? (first ? LONG : !lane ? SHORT : decides(this.#film, level) ? MIDDLE : QUICK));
    this.#become({ moment });
  }

  #pause() {
    clearTimeout(this.#playing);
    this.#playing = 0;
    this.#held = false;
  }

  get #asking() {
    return this.#question.open(this.#film, this.#film.moments[this.#moment]);
  }

  /** The film plays on once the question is answered. */
  #wait() {
    this.#held = true;
    this.#parts.said.scrollIntoView({ block: "nearest" });
  }

  /** Show the answer, and play on where an answer was waited for. */
  #answered() {
    const { moments } = this.#film;
    const next = this.#moment + 1;
    if (this.#held && next < moments.length) this.#playing = setTimeout(() => this.#beat(next), LONG);
    this.#held = false;
    this.#film.panel.cell = null;
    this.#redraw();
    this.#parts[this.#playing ? "play" : "next"].focus();
  }

  #within({ moment }) {
    return Math.min(moment, this.#film.moments.length - 1);
  }

  get #moment() {
    return this.#within(this.#state);
  }

  /** Read the sentence, as far as the model can. */
  #listen() {
    const { writing, sentence, write } = this.#parts;
    const { text, head, lens, alone, unplaced, unmasked } = this.#state;
    const noticed = notice(this.#model, text);
    if (!noticed.stop) this.#read = tidy(text);
    const chosen = { ...existing(this.#model, this.#state), unplaced, unmasked };
    const key = JSON.stringify([this.#read, chosen]);
    const { model, text: before, panel = { temperature: 1, kept: ALL } } = this.#film ?? {};
    if (this.#read && (this.#key !== key || model !== this.#model)) {
      this.#key = key;
      if (model !== this.#model || before !== this.#read) panel.cell = null;
      this.#film = { ...filmOf(this.#model, this.#read, chosen), panel, change: (changes) => this.#change(changes), term };
    }
    if (this.#film) Object.assign(this.#film, { lens, alone, head: head < this.#model.info.config.n_heads ? head : "mean" });
    const still = noticed.stop && this.#film && `Below still runs “${this.#read}”.`;
    const passed = !noticed.stop && this.#film.passed && "Above, your own word stands in its place.";
    const message = [noticed.told, still, passed, !noticed.stop && this.#film.doubt].filter(Boolean).join(" ");
    writing.say(message);
    writing.show(this.#model, text, noticed);
    // Doubts of a model that the reader has changed are no news.
    const doubts = this.#film?.doubt && !anyOf(chosen) && !this.#state.snapshot;
    if ((noticed.told || doubts) && this.#noted !== text) write.open = true;
    this.#noted = text;
    sentence.textContent = this.#film ? this.#read : "none";
  }

  #measure() {
    this.#width = Math.max(NARROWEST, Math.floor(this.#parts.picture.getBoundingClientRect().width));
  }

  #fit() {
    const before = this.#width;
    if (!this.#parts.picture.offsetWidth) return; // not to be seen yet
    this.#measure();
    if (Math.abs(before - this.#width) > 1) this.#redraw();
  }

  #redraw() {
    const { body, view, fallback, told } = this.#parts;
    if (this.#models.size && this.#snapshot !== this.#state.snapshot) {
      if (this.#models.has(this.#state.snapshot)) this.#take().catch(() => {});
      else this.#load();
    }
    if (this.#model) this.#listen();
    body.hidden = !this.#model;
    view.hidden = !this.#film;
    fallback.hidden = Boolean(this.#film);
    told.textContent = this.#model ? "" : this.#failure && `${this.#failure} So the film can't run; the picture below shows some of it.`;
    told.hidden = !told.textContent;
    // Without a model the tours stand below the picture, as text.
    const slot = told.hidden ? "tour" : "";
    for (const tour of this.querySelectorAll(":scope > [data-name]")) if (tour.slot !== slot) tour.slot = slot;
    if (this.#film) keepFocus(this.shadowRoot, () => this.#draw());
    this.dispatchEvent(new Event("change"));
  }

  /** The lanes at a moment, and where all stands. */
  #picture(film, moment) {
    const plan = planOf(this.#width, film, moment.side);
    return { plan, ...drawing({ film, moment, plan, choose: (at) => this.#show(at), go: (state) => this.#change(state) }) };
  }

  #draw() {
    const shown = this.#hinted ?? this.#state;
    const number = this.#within(shown);
    const moment = this.#film.moments[number];
    const film = asOf(this.#film, moment);
    const { picture, panel, translation, said: place, scrubber, back, next, play, numbers, heads, options, changed, trained, heard, glance, lanes } = this.#parts;
    if (!this.#width) this.#measure();
    film.asking = this.#question.open(film, moment);
    const reading = this.#point(shown, moment);
    const covered = film.asking && reading?.[0] === moment.side && reading[1] === moment.level;
    const point = covered ? null : reading;
    const { head, lens, alone, asking } = film;
    if (this.#hinted?.beside) {
      const { element, open } = this.#picture(film, moment);
      open(point);
      glance.show(this.#hinted.beside, nameOf(film, moment), element);
      return;
    }
    glance.hide();
    const key = [number, head, lens, alone, asking, this.#width].join();
    if (this.#drawn?.key !== key || this.#drawn.of !== this.#film) {
      this.#drawn = { of: this.#film, key, ...this.#picture(film, moment) };
      lanes.style.setProperty("--tall", `${this.#drawn.plan.height + 60}px`);
      picture.replaceChildren(this.#drawn.element);
      // What may scroll must be reached by keys.
      if (this.#drawn.chips.size) picture.removeAttribute("tabindex");
      else picture.tabIndex = 0;
    }
    this.#drawn.open(point);
    if (this.#hinted) return; // what else changed could move the link away from the pointer
    const chapter = CHAPTER[film.levels[moment.side][moment.level].kind];
    const about = point?.[0] === moment.side && point[1] === moment.level ? point[2] : undefined;
    translation.replaceChildren(...written(film, moment));
    changed.replaceChildren(youngNote(this.#model.info, this.#snapshot), ...changedNote(film));
    changed.hidden = !changed.textContent;
    if (this.#offered !== this.#model) {
      this.#offered = this.#model;
      trained.replaceChildren(trainedFor(this.#model.info, (changes) => this.#change(changes)) || "");
    }
    const list = trained.querySelector("select");
    if (list) list.value = this.#state.snapshot ?? this.#model.info.snapshots.at(-1).file;
    const told = about === undefined || moment.lane === null ? moment : { ...moment, lane: about };
    const question = this.#question.said(film, moment);
    const caption = question.length ? question : said(film, told, about);
    place.replaceChildren(titled(film, told), ...caption, " ",
      film.asking ? "" : reference(addressOf(pageOf(chapter), IN_PAGE && PLACE), `Chapter ${chapter}: ${CHAPTERS[chapter][1]}`));
    scrubber.max = film.moments.length - 1;
    scrubber.value = number;
    scrubber.setAttribute("aria-valuetext", nameOf(film, moment));
    back.disabled = number === 0;
    next.disabled = number === film.moments.length - 1;
    play.textContent = this.#playing ? "Pause" : "Play";
    const count = this.#model.info.config.n_heads;
    heads.replaceChildren(h("span", { className: "quiet" }, "Lines show"), ...["mean", ...Array(count).keys()].map((head) =>
      h("button", { "aria-pressed": head === film.head, onclick: () => this.#become({ head }) },
        headName(head))));
    options.replaceChildren(h("label", {}, h("input", { type: "checkbox", checked: film.lens,
      onchange: ({ target }) => this.#become({ lens: target.checked }) }), "say what it would write if it stopped there"),
    h("label", {}, h("input", { type: "checkbox", checked: this.#question.wanted, onchange: ({ target }) => {
      this.#question.wanted = target.checked;
      const stops = this.#playing && this.#asking;
      if (stops) this.#pause();
      this.#redraw();
      if (stops) this.#wait();
    } }), "ask me first where it looks"));
    const come = point && film.words[point[0]].filter((_, lane) => reached(moment, point[0], point[1], lane)).length;
    numbers.hidden = !point;
    film.panel.heard = "";
    panel.replaceChildren(...(covered ? [h("p", { className: "quiet" }, "It opens once you have answered.")] : opened(film, point, come)));
    const plain = (parts) => parts.map((part) => part.textContent ?? part).join("");
    const now = [changed.hidden ? `${film.text}: ${plain(written(film, moment))}.` : plain([...changed.childNodes].filter(({ localName }) => localName !== "button")),
      this.#playing && !question.length ? this.#told?.[1] : `${nameOf(film, told)}. ${plain(film.asking ? caption.slice(0, 1) : caption)}`,
      film.panel.heard];
    const news = this.#told && now.filter((text, part) => text !== this.#told[part]).join(" ");
    if (news) heard.textContent = news;
    this.#told = now;
  }

  /** What is opened, if the film has come so far. */
  #point({ point }, moment) {
    const film = this.#film;
    if (!point) return null;
    const [side, level, lane] = point;
    const there = film.levels[side][level]?.tensor && lane < film.words[side].length;
    return there && reached(moment, ...point) ? point : null;
  }

  /** Open a point that was pressed, and let its panel begin within the window. */
  #show(point) {
    this.#choose(point);
    const { top } = this.#parts.panel.getBoundingClientRect();
    if (top > 0.85 * innerHeight) scrollBy({ top: top - 0.75 * innerHeight, behavior: still() ? "auto" : "smooth" });
  }

  /** From the picture to what is opened below it, and back. */
  #cross() {
    const { panel, picture, tour } = this.#parts;
    (panel.getBoundingClientRect().top > innerHeight / 2 ? panel : tour || picture).scrollIntoView();
  }

  #choose(point) {
    this.#change({ point });
    this.#drawn.chips.get(point.join(" "))?.focus();
  }

  /** Arrow keys go to the next tile that way; Enter and space open one. */
  #pressed(event) {
    const way = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    const { chips, plan } = this.#drawn;
    const here = [...chips].find(([, one]) => one === this.shadowRoot.activeElement)?.[0];
    const opens = event.key === "Enter" || event.key === " ";
    if (!here || !(way || opens)) return;
    event.preventDefault();
    const point = (name) => name.split(" ").map((part, i) => (i ? Number(part) : part));
    if (opens) {
      this.#choose(point(here));
      return;
    }
    const [x, y] = plan.at(...point(here));
    const far = (name) => {
      const [a, b] = plan.at(...point(name));
      const [along, aside] = way[0] ? [(a - x) * way[0], Math.abs(b - y)] : [(b - y) * way[1], Math.abs(a - x)];
      return along > 2 && aside < along ? along + 3 * aside : Infinity;
    };
    const next = [...chips.keys()].reduce((best, name) => (far(name) < far(best) ? name : best));
    if (far(next) < Infinity) this.#choose(point(next));
  }
}

/** Where a word is fetched last, and where it is written. */
const decides = (film, level) => isLastCross(film.levels, level) || film.levels.decoder[level].kind === "next";

/** The translation, what is still to come paler; a word that the model never saw is passed on. */
function written({ levels, model, trace, passed }, { side, level, lane }) {
  const done = side === "encoder" ? 0 : lane + (level === levels.decoder.length - 1);
  const words = wordsOf(trace.written, model.target).map((word) => (word === SOME_WORD && passed) || word);
  if (!words.length) return ["nothing"];
  const [all, now] = [words, words.slice(0, done)].map(sentenceOf);
  return [now, h("span", { className: "later" }, all.slice(now.length))];
}

define("tt-film", Film);

// What the tests and tools/make_opening.py ask of the film.
export { asOf, drawn, fetched, filmOf, hidden, kept, lens, Model, surprise, tidy, trace, translate };
