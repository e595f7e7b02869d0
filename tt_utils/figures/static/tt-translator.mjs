/**
 * <tt-translator>: a small trained Transformer that translates inside the page, and
 * shows where every head of every attention looks.
 *
 * Attribute: `state`, a record as JSON, to begin with. Properties: `state`; setting it redraws.
 * `result`, what the model reads and writes. `loader`, where the models come from if not from
 * the folder `model` beside this file.
 * Events: `choose`, when the reader has changed the state, before it is drawn; `change`, after
 * what the figure shows has changed.
 */

import { explained } from "./cell.mjs";
import { define, h, keepFocus, stateAttribute } from "./dom.mjs";
import { fill, frame } from "./frame.mjs";
import { translate } from "./greedy.mjs";
import { heads } from "./heads.mjs";
import { Model, ModelError } from "./model-file.mjs";
import { notice } from "./notice.mjs";
import { Question } from "./question.mjs";
import { sceneOf } from "./scene.mjs";
import { fromLink, START, toLink, valid } from "./state.mjs";
import { candidates, output, steps } from "./steps.mjs";
import { switches } from "./switches.mjs";
import { weightsTable } from "./weights.mjs";

const PLACE = import.meta.url;
// In a notebook there is no folder to fetch from.
const IN_PAGE = PLACE.startsWith("http");

class Translator extends HTMLElement {
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

  connectedCallback() {
    addEventListener("hashchange", this.#follow);
    if (this.#parts || !this.#loader) return;
    this.#parts = frame(this.attachShadow({ mode: "open" }), this.#change);
    Object.assign(this.#state, valid(stateAttribute(this)), fromLink(this.id));
    this.#load();
  }

  disconnectedCallback() {
    removeEventListener("hashchange", this.#follow);
  }

  /** A link to another state was followed while the page was open. */
  #follow = () => {
    const given = fromLink(this.id);
    if (Object.keys(given).length) this.state = { ...START, ...given };
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
    Object.assign(this.#state, structuredClone(valid(given)));
    if (this.#parts) this.#load();
  }

  get result() {
    if (!this.#scene) return { words: [], unknown: [], translation: [] };
    const { words, unknown, written } = this.#scene.result;
    return structuredClone({ words, unknown, translation: written.map((id) => this.#model.target[id]) });
  }

  #change = (changes) => {
    Object.assign(this.#state, changes);
    this.dispatchEvent(new Event("choose"));
    this.#load();
  };

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
      if (!(error instanceof ModelError)) console.error(error);
      this.#failure = error instanceof ModelError ? error.message : "The model could not be read.";
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
    this.#parts.message.textContent = text;
    this.#parts.message.hidden = !text;
  }

  #draw() {
    const { text, kind } = this.#state;
    const parts = this.#parts;
    if (parts.input.value !== text) parts.input.value = text;
    this.#offerExamples();
    const { told, stop } = notice(this.#model, text);
    this.#say([this.#failure, told].filter(Boolean).join(" "));
    parts.view.hidden = stop;
    if (stop) {
      this.#scene = null;
      fill(parts, { output: [] });
      return;
    }
    const scene = sceneOf({
      model: this.#model, state: this.#state, change: this.#change, ...this.#translated(),
    });
    this.#scene = scene;
    for (const input of parts.kinds.querySelectorAll("input")) input.checked = input.value === kind;
    fill(parts, {
      ...output(scene), ...steps(scene), candidates: candidates(scene), heads: [heads(scene)],
      cell: explained(scene),
      switches: switches(scene, IN_PAGE && (() => toLink(this.id, this.#state))),
    });
    this.#drawTable();
  }

  /** A question hides what would give its answer away. */
  #drawTable() {
    const covered = this.#question.covers(this.#scene);
    this.#parts.heads.hidden = covered !== null;
    fill(this.#parts, {
      ...weightsTable(this.#scene, covered), question: this.#question.shown(this.#scene),
    });
  }

  #offerExamples() {
    const list = this.#parts.examples;
    const { examples } = this.#model.info;
    list.hidden = !examples.length;
    if (list.options.length) return;
    list.append(h("option", { value: "" }, "or choose one"),
      ...examples.map(({ source }) => h("option", { value: source }, source)));
  }

  /** Another cell, head or step asks for no new calculation. */
  #translated() {
    const { text, forced, cut, unmasked, unplaced } = this.#state;
    const model = this.#model;
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
