/**
 * <tt-translator>: a small trained Transformer that translates inside the page, and
 * shows where every head of every attention attends.
 *
 * Attribute: `state`, a record as JSON, to begin with. Properties: `state`; setting it redraws.
 * `result`, what the model reads and writes. `loader`, where the models come from if not from
 * the folder `model` beside this file.
 * Events: `choose`, when the reader has changed the state, before it is drawn; `change`, after
 * what the figure shows has changed.
 */

import { explained, LOST } from "./cell.mjs";
import { define, h, keepFocus, stateAttribute } from "./dom.mjs";
import { fill, frame } from "./frame.mjs";
import { translate } from "./greedy.mjs";
import { heads } from "./heads.mjs";
import { Model } from "./model-file.mjs";
import { notice } from "./notice.mjs";
import { Question } from "./question.mjs";
import { sceneOf } from "./scene.mjs";
import { fresh, fromLink, START, toLink, valid } from "./state.mjs";
import { candidates, output, steps } from "./steps.mjs";
import { failureOf } from "./stored-model.mjs";
import { surprise } from "./surprise.mjs";
import { switches } from "./switches.mjs";
import { weightsTable } from "./weights.mjs";
import { tidy } from "./words.mjs";

const PLACE = import.meta.url;
// In a notebook there is no folder to fetch from.
const IN_PAGE = PLACE.startsWith("http");
const BEAT = 1100;

const lossOf = ({ state: { kind, head, cut }, layer }) => cut.includes(`${kind}.${layer}.${head}`) && LOST;

class Translator extends HTMLElement {
  static Model = Model;
  #state = { ...START };
  #models = new Map();
  #model = null;
  #snapshot = null;
  #parts = null;
  #question = new Question(() => {
    this.#drawTable();
    this.#parts.question.querySelector("button").focus();
  });
  #loader = IN_PAGE && ((wanted) => Model.load(new URL("model/", PLACE), wanted));
  #computed = {};
  #scene = null;
  #failure = "";
  #read = null; // the last text that could be translated; it stays on show
  #stopped = false;
  #linked = false;
  #address = null; // of the page where it names no state
  #link = null; // the last one followed
  #playing = 0;
  #kept = 0; // rows that stood there before the sentence was typed; what is below keeps its place

  connectedCallback() {
    addEventListener("popstate", this.#follow);
    if (this.#parts || !this.#loader) return;
    const write = (text, typed) => this.#change(fresh(text, this.#state), typed);
    this.#parts = frame(this.attachShadow({ mode: "open" }), this.#change, write);
    const bar = document.querySelector(".bd-header-article");
    this.style.setProperty("--top", `${bar?.offsetHeight ?? 0}px`);
    const linked = fromLink(this.id);
    this.#linked = Object.keys(linked).length > 0;
    if (!this.#linked) this.#address = location.href;
    Object.assign(this.#state, valid(stateAttribute(this)), linked);
    this.#load();
  }

  disconnectedCallback() {
    removeEventListener("popstate", this.#follow);
    this.#pause();
  }

  /**
   * A link to a state was followed while the page was open, the same one perhaps again; or the
   * reader has gone back to that link, which another state may have moved.
   */
  #follow = () => {
    const given = fromLink(this.id);
    this.#linked = Object.keys(given).length > 0;
    if (this.#linked) {
      this.#link = [...document.links].find(({ href }) => href === location.href);
      this.state = { ...START, ...given };
    } else if (location.href === this.#address) {
      requestAnimationFrame(() => this.#link?.scrollIntoView({ block: "center" }));
    } else this.#address = location.href;
  };

  /** @param {(snapshot: string | null) => Promise<Model>} given */
  set loader(given) {
    this.#loader = given;
    this.#models.clear();
    if (this.isConnected) this.connectedCallback();
  }

  get state() {
    return structuredClone(this.#state);
  }

  set state(given) {
    this.#kept = 0;
    Object.assign(this.#state, structuredClone(valid(given)));
    if (this.#parts) this.#load();
  }

  get result() {
    if (!this.#scene || this.#stopped) return { words: [], unknown: [], translation: [] };
    const { words, unknown, written } = this.#scene.result;
    return structuredClone({ words, unknown, translation: written.map((id) => this.#model.target[id]) });
  }

  #change = (changes, typed = false) => {
    this.#pause();
    this.#become(changes, typed);
  };

  #become(changes, typed = false) {
    this.#kept = typed ? this.#kept || this.#rows : 0;
    const { pending } = this.#parts.writing;
    if (pending !== null) Object.assign(this.#state, fresh(pending, this.#state));
    this.#parts.writing.flush();
    Object.assign(this.#state, changes);
    this.dispatchEvent(new Event("choose"));
    this.#load();
  }

  /** Write word by word, from the start where the end is reached. */
  #play = () => {
    if (this.#playing) {
      this.#pause();
      keepFocus(this.shadowRoot, () => this.#draw());
      return;
    }
    const { t, last } = this.#scene;
    this.#playing = setInterval(() => this.#beat(), BEAT);
    this.#become({ step: t < last ? t + 1 : 0, cell: null });
  };

  #beat() {
    const { t, last } = this.#scene;
    if (t + 1 >= last) this.#pause();
    this.#become({ step: t + 1 >= last ? null : t + 1, cell: null });
  }

  #pause() {
    clearInterval(this.#playing);
    this.#playing = 0;
  }

  /** Fetch what is needed, once, then draw. */
  async #load() {
    const wanted = this.#state.snapshot;
    try {
      if (!this.#models.has(wanted)) {
        this.#models.set(wanted, this.#loader(wanted));
        this.#say("The model is on its way.");
      }
      const model = await this.#models.get(wanted);
      if (wanted !== this.#state.snapshot) return;
      this.#model = model;
      this.#fit(model);
      this.#failure = "";
    } catch (error) {
      this.#models.delete(wanted);
      this.#failure = failureOf(error);
      if (!this.#model) {
        this.#fail();
        return;
      }
      this.#state.snapshot = this.#snapshot;
    }
    this.#snapshot = this.#state.snapshot;
    this.#parts.body.hidden = false;
    this.#parts.fallback.hidden = true;
    this.removeAttribute("broken");
    keepFocus(this.shadowRoot, () => this.#draw());
    if (this.#linked) this.scrollIntoView();
    this.#linked = false;
    this.dispatchEvent(new Event("change"));
  }

  /** A state may come from a link or a kernel, and name what this model doesn't have. */
  #fit(model) {
    const { head, forced } = this.#state;
    this.#state.head = head < model.info.config.n_heads ? head : "mean";
    this.#state.forced = forced.filter((id) => id < model.target.length);
  }

  #fail() {
    this.setAttribute("broken", "");
    this.#parts.body.hidden = true;
    this.#say(`${this.#failure} The translator can't run; the picture below shows what it would show.`);
    this.#parts.fallback.hidden = false;
  }

  #say(text) {
    this.#parts.writing.say(text);
  }

  #draw() {
    const { text, kind } = this.#state;
    const parts = this.#parts;
    const noticed = notice(this.#model, text);
    this.#stopped = noticed.stop;
    if (!noticed.stop) this.#read = tidy(text);
    const still = noticed.stop && this.#read && `Below still stands “${this.#read}”.`;
    this.#say([this.#failure, noticed.told, still].filter(Boolean).join(" "));
    parts.writing.show(this.#model, text, noticed);
    parts.view.hidden = this.#read === null;
    if (this.#read === null) return;
    const scene = sceneOf({
      model: this.#model, state: this.#state, change: this.#change, ...this.#translated(),
    });
    const before = this.#scene?.result;
    this.#scene = scene;
    for (const input of parts.kinds.querySelectorAll("input")) input.checked = input.value === kind;
    parts.view.classList.toggle("playing", this.#playing > 0);
    fill(parts, {
      ...output(scene), ...steps(scene, this.#playing > 0, this.#play),
      candidates: candidates(scene), heads: [heads(scene)], cell: explained({ ...scene, lost: lossOf(scene) }),
      switches: switches(scene, IN_PAGE && (() => toLink(this.id, this.#state))),
    });
    const rows = Math.max(this.#kept, this.#rows);
    parts.table.style.minHeight = `calc(var(--head, 2rem) + ${rows} * (2rem + 2px) + 4px)`;
    this.#drawTable();
    const told = before === scene.result ? parts.status.textContent
      : `In Spanish: ${parts.output.textContent}`;
    if (parts.told.textContent !== told) parts.told.textContent = told;
  }

  get #rows() {
    return this.#scene ? this.#scene.last + 1 : 0;
  }

  /** A question hides what would give its answer away. */
  #drawTable() {
    const covered = this.#question.covers(this.#scene);
    this.#parts.heads.style.visibility = covered === null ? "" : "hidden";
    fill(this.#parts, {
      ...weightsTable(this.#scene, covered), question: this.#question.shown(this.#scene),
    });
  }

  /** Another cell, head or step asks for no new calculation. */
  #translated() {
    const { forced, cut, unmasked, unplaced } = this.#state;
    const [model, text] = [this.#model, this.#read];
    const key = JSON.stringify([text, forced, cut, unmasked, unplaced]);
    if (this.#computed.key !== key || this.#computed.model !== model) {
      const result = translate(model, text, { cut: new Set(cut), unmasked, unplaced }, forced);
      const changed = cut.length || unmasked || unplaced || forced.length;
      this.#computed = { key, model, result, plain: changed ? translate(model, text) : result };
    }
    return this.#computed;
  }
}

define("tt-translator", Translator);

// What the tests ask of the engine.
export { Model, surprise, tidy, translate };
