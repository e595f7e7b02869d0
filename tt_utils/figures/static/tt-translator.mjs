/**
 * <tt-translator>: a small trained Transformer that translates inside the page, and
 * shows where every head of every attention looks.
 *
 * Attributes: `state`, a record as JSON, to begin with, and `model`, the folder of the model's
 * files if they don't lie beside this one. Properties: `state`; setting it redraws. `result`,
 * what the model reads and writes. `loader`, where the models come from if not from files.
 * Events: `choose`, when the reader has changed the state, before it is drawn; `change`, after
 * what the figure shows has changed.
 */

import { explained } from "./cell.mjs";
import { copy, define, h, keepFocus, shown, stateAttribute, style } from "./dom.mjs";
import { END } from "./engine.mjs";
import { top, translate, weightsOf } from "./greedy.mjs";
import { grid, GRID_STYLE, thumbnail } from "./grid.mjs";
import { Model, ModelError } from "./model-file.mjs";
import { FRESH, fromLink, KINDS, START, toLink, valid } from "./state.mjs";

const STYLE = `
${GRID_STYLE}
.translation { font-size: 1.15rem; min-height: 1.8rem; }
.translation .later { opacity: 0.45; }
.translation .forced { text-decoration: underline dotted; }
.heads { display: grid; gap: 0.3rem; justify-content: start; align-items: end; }
.heads > span { align-self: center; }
.heads button { padding: 0.2rem; min-height: 0; line-height: 1.2; font-size: 0.72rem;
  white-space: nowrap; }
.heads button canvas { margin: 0 auto 0.15rem; }
.heads .cut { text-decoration: line-through; }
.choice { display: inline-flex; gap: 0.4rem; align-items: center; margin-right: 0.6rem; }
.message { border-left: 4px solid #d55e00; padding-left: 0.7rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0.15rem 0.7rem; margin: 0.5rem 0; }
dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; }
`;

export class TTTranslator extends HTMLElement {
  #state = { ...START };
  #models = new Map();
  #model = null;
  #snapshot = null;
  #parts = null;
  #question = null;
  #loader = null;
  #computed = {};
  #current = null;
  #failure = "";

  connectedCallback() {
    if (this.#parts || !(this.#loader ?? this.#files())) return;
    const root = this.attachShadow({ mode: "open" });
    style(root, STYLE);
    this.#parts = this.#frame(root);
    Object.assign(this.#state, valid(stateAttribute(this)), fromLink(this.id));
    addEventListener("hashchange", () => {
      const given = fromLink(this.id);
      if (Object.keys(given).length) this.state = { ...START, ...given };
    });
    this.#load();
  }

  /** In a notebook there is no folder to fetch from. */
  #files() {
    const folder = this.getAttribute("model");
    if (folder) return (wanted) => Model.load(new URL(folder, document.baseURI), wanted);
    return PLACE.startsWith("http") && ((wanted) => Model.load(new URL("model/", PLACE), wanted));
  }

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
    if (!this.#current) return { words: [], unknown: [], translation: [] };
    const { words, unknown, steps } = this.#current.result;
    return structuredClone({ words, unknown, translation: this.#said(steps) });
  }

  #said(steps) {
    return steps.filter(({ wrote }) => wrote !== END).map(({ wrote }) => this.#model.target[wrote]);
  }

  #change(changes) {
    Object.assign(this.#state, changes);
    this.dispatchEvent(new Event("choose"));
    this.#load();
  }

  /** Fetch what is needed, once, then draw. */
  async #load() {
    const wanted = this.#state.snapshot;
    try {
      if (!this.#models.has(wanted)) {
        this.#models.set(wanted, (this.#loader ?? this.#files())(wanted));
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

  // The frame, made once

  #frame(root) {
    const input = h("input", {
      type: "text", autocomplete: "off", spellcheck: false, lang: "en",
      "aria-describedby": "message", id: "text",
      oninput: () => this.#change({ ...FRESH, text: input.value }),
    });
    const parts = {
      input,
      examples: h("select", {
        "aria-label": "Example sentences",
        onchange: (event) => {
          if (event.target.value) this.#change({ ...FRESH, text: event.target.value });
        },
      }),
      message: h("p", { className: "message", id: "message", role: "status", hidden: true }),
      fallback: h("slot"),
      output: h("div", { className: "translation", lang: "es", "aria-live": "polite" }),
      compare: h("p", { className: "quiet" }),
      steps: h("span", { className: "row", role: "group", "aria-label": "Steps of the decoder" }),
      status: h("span", { role: "status" }),
      choices: h("fieldset"),
      kinds: h("fieldset"),
      heads: h("div"),
      caption: h("p", { className: "quiet" }),
      grid: h("div"),
      question: h("div"),
      cell: h("div", { "aria-live": "polite" }),
      switches: h("fieldset"),
      view: h("div"),
      body: h("div", { hidden: true }),
    };
    parts.view.append(
      h("p", { className: "quiet" }, "In Spanish:"), parts.output, parts.compare,
      h("div", { className: "row" }, parts.steps, parts.status), parts.choices,
      parts.kinds, parts.heads, parts.caption, parts.grid, parts.cell, parts.question,
      parts.switches,
    );
    parts.body.append(h("div", { className: "row" }, parts.examples), parts.view);
    root.append(
      h("div", { role: "group", "aria-label": "A Transformer that translates" },
        h("p", {}, h("label", { for: "text" }, "Write an English sentence")),
        input, parts.message, parts.body),
      parts.fallback,
    );
    return parts;
  }

  // Drawing

  #draw() {
    const { text } = this.#state;
    const parts = this.#parts;
    if (parts.input.value !== text) parts.input.value = text;
    this.#drawExamples();
    const message = this.#messageFor(text);
    this.#say([this.#failure, message.text].filter(Boolean).join(" "));
    parts.view.hidden = message.stop;
    if (message.stop) {
      this.#current = null;
      parts.output.replaceChildren();
      return;
    }
    const { result, plain, changed } = this.#translated();
    const last = result.steps.length - 1;
    const t = Math.min(this.#state.step ?? last, last);
    this.#current = { result, plain, changed, t };
    this.#drawOutput();
    this.#drawSteps();
    this.#drawKinds();
    this.#drawHeads();
    this.#drawGrid();
    this.#drawChoices();
    this.#drawCell();
    this.#drawSwitches();
  }

  /** Another cell, head or step asks for no new calculation. */
  #translated() {
    const { text, forced, cut, unmasked, unplaced } = this.#state;
    const key = JSON.stringify([text, forced, cut, unmasked, unplaced]);
    if (this.#computed.key !== key || this.#computed.model !== this.#model) {
      const model = this.#model;
      const changes = { cut: new Set(cut), unmasked, unplaced };
      const result = translate(model, text, changes, forced);
      const changed = cut.length || unmasked || unplaced || forced.length;
      const plain = changed ? translate(model, text) : result;
      this.#computed = { key, model, result, plain, changed };
    }
    return this.#computed;
  }

  #messageFor(text) {
    const longest = Math.min(this.#model.info.config.max_len, LONGEST_SOURCE);
    const { words, ids, unknown } = this.#model.read(text);
    if (words.length === 0) return { text: "There are no words yet: write a sentence.", stop: true };
    if (ids.length > longest) {
      return {
        text: `The sentence has ${words.length.toLocaleString("en")} words; `
          + `the model reads at most ${longest - 1}.`,
        stop: true,
      };
    }
    if (unknown.length === 0) return { text: "", stop: false };
    const names = [...new Set(unknown)].slice(0, 5).map((word) => `“${word.slice(0, 20)}”`).join(", ");
    if (unknown.length > words.length / 2) {
      return {
        text: `The model never saw ${names}. It knows too little of this sentence to translate it.`,
        stop: true,
      };
    }
    return {
      text: `The model never saw ${names}: to it, only “some word”, written ⟨?⟩. `
        + "It may err in the rest, too.",
      stop: false,
    };
  }

  #target(id) {
    const word = this.#model.target[id];
    return SIGNS.get(word) ?? word;
  }

  #drawExamples() {
    const list = this.#parts.examples;
    list.hidden = !this.#model.info.examples.length;
    if (list.options.length) return;
    list.append(
      h("option", { value: "" }, "or choose one"),
      ...this.#model.info.examples.map(({ source }) => h("option", { value: source }, source)),
    );
  }

  #drawOutput() {
    const { result, plain, changed, t } = this.#current;
    const words = ({ steps }) => steps.filter(({ wrote }) => wrote !== END)
      .map(({ wrote }) => `${this.#target(wrote)} `);
    const [now, before] = [words(result), words(plain)];
    const yours = (i) => i < this.#state.forced.length && now[i] !== before[i];
    this.#parts.output.replaceChildren(...now.map((word, i) =>
      h("span", { className: `${i > t ? "later" : ""} ${yours(i) ? "forced" : ""}` }, word)));
    const same = now.join("") === before.join("");
    this.#parts.compare.replaceChildren(...(changed
      ? ["Without your changes: ", same ? "the same." : h("span", { lang: "es" }, ...before)] : []));
  }

  #drawSteps() {
    const { result, t } = this.#current;
    const last = result.steps.length - 1;
    const go = (label, step, name) => h("button", {
      type: "button", "aria-label": name, disabled: step < 0 || step > last || step === t,
      onclick: () => this.#change({ step: step === last ? null : step, cell: null }),
    }, label);
    const { read, wrote } = result.steps[t];
    this.#parts.steps.replaceChildren(
      go("|◂", 0, "First word"), go("◂", t - 1, "One word back"),
      go("▸", t + 1, "Next word"), go("▸|", last, "Last word"),
    );
    this.#parts.status.replaceChildren(`Step ${t + 1} of ${last + 1}: has read `,
      h("i", { lang: "es" }, this.#target(read.at(-1))), ", writes ",
      h("i", { lang: "es" }, this.#target(wrote)), ".");
  }

  #drawKinds() {
    const { kind } = this.#state;
    if (!this.#parts.kinds.childElementCount) {
      this.#parts.kinds.append(h("legend", {}, "Which attention?"),
        ...Object.entries(KINDS).map(([name, label]) => h("p", {}, h("label", {},
          h("input", {
            type: "radio", name: "kind", value: name,
            onchange: () => this.#change({ kind: name, cell: null }),
          }), label))));
    }
    for (const input of this.#parts.kinds.querySelectorAll("input")) {
      input.checked = input.value === kind;
    }
  }

  /** The layers of the attention on show. */
  #layers() {
    const { result, t } = this.#current;
    const { kind } = this.#state;
    return kind === "encoder" ? result.encoder : result.steps[t][kind];
  }

  #layer() {
    return Math.min(this.#state.layer ?? Infinity, this.#layers().length - 1);
  }

  #drawHeads() {
    const { kind, head, cut } = this.#state;
    const layers = this.#layers();
    const shownLayer = this.#layer();
    const button = (l, which) => {
      const gone = cut.includes(`${kind}.${l}.${which}`);
      const name = which === "mean" ? "mean" : `head ${which + 1}`;
      return h("button", {
        type: "button", className: gone ? "cut" : "",
        "aria-pressed": l === shownLayer && which === head,
        "aria-label": `Layer ${l + 1}, ${name}${gone ? ", cut" : ""}`,
        onclick: () => this.#change({ layer: l, head: which }),
      }, thumbnail(weightsOf(layers[l], which), THUMBNAIL), name);
    };
    const count = layers[0].length;
    this.#parts.heads.replaceChildren(h("div", { className: "scroll", role: "group",
      "aria-label": "Layers and heads" },
      h("div", { className: "heads",
        style: { "grid-template-columns": `repeat(${count + 2}, auto)` } },
        ...layers.flatMap((_, l) => [
          h("span", { className: "quiet" }, `layer ${l + 1}`),
          ...Array.from({ length: count }, (_, which) => button(l, which)),
          button(l, "mean"),
        ]))));
  }

  /** The words along both sides of the table. */
  #labels() {
    const { result, t } = this.#current;
    const source = [...result.words, "end"];
    const steps = result.steps.slice(0, t + 1);
    const asks = steps.map((s) => `${this.#target(s.read.at(-1))} ▸ ${this.#target(s.wrote)}`);
    return {
      encoder: { rows: source, columns: source },
      decoder: { rows: asks, columns: steps.map((s) => this.#target(s.read.at(-1))) },
      cross: { rows: asks, columns: source },
    }[this.#state.kind];
  }

  #drawGrid() {
    const { kind, head, cell, unmasked } = this.#state;
    this.#dropOldQuestion();
    this.#parts.heads.hidden = this.#question?.answer === null;
    const layer = this.#layer();
    const weights = weightsOf(this.#layers()[layer], head);
    const { rows, columns } = this.#labels();
    const example = this.#gold();
    const mark = this.#state.gold && example && kind === "cross"
      ? (i, j) => markOf(example, j, i) : undefined;
    const which = head === "mean" ? "mean of the heads" : `head ${head + 1}`;
    this.#parts.caption.textContent = `Layer ${layer + 1}, ${which}. ${ROWS[kind]} The shares of a `
      + "row add up to 1. Choose a cell to see how it is computed."
      + (unmasked && kind !== "encoder" ? ` ${LATER}` : "");
    this.#parts.grid.replaceChildren(
      grid({
        label: `${KINDS[kind]}; layer ${layer + 1}, ${which}`,
        rows, columns,
        rowsLanguage: kind === "encoder" ? "en" : "es",
        columnsLanguage: kind === "decoder" ? "es" : "en",
        weight: (i, j) => weights.data[i * weights.columns + j],
        mark, selected: cell,
        covered: this.#question?.answer === null ? new Set([this.#question.row]) : undefined,
        select: (i, j) => this.#change({ cell: [i, j] }),
      }),
      example && kind === "cross"
        ? h("p", {}, h("label", {}, h("input", {
          type: "checkbox", checked: this.#state.gold,
          onchange: (event) => this.#change({ gold: event.target.checked }),
        }), "Frame the gold alignment: who translates whom (dashed: possibly)"))
        : "",
    );
    this.#drawQuestion();
  }

  /** The grammar's own alignment, where the output is its translation. */
  #gold() {
    const { result } = this.#current;
    const said = this.#said(result.steps).join(" ");
    return this.#model.info.examples.find((example) =>
      example.source === result.words.join(" ") && example.target === said);
  }

  // Predict, then reveal

  #canAsk() {
    const { kind, unmasked } = this.#state;
    return kind === "cross" && !unmasked && this.#current.result.words.length > 1;
  }

  /** What a question is about; with another sentence or head it is another question. */
  #topic() {
    return [...this.#current.result.words, this.#layer(), this.#state.head].join(" ");
  }

  #dropOldQuestion() {
    const { t } = this.#current;
    const { row: asked, about } = this.#question ?? {};
    if (!this.#canAsk() || about !== this.#topic() || asked > t) this.#question = null;
  }

  #drawQuestion() {
    const { result, t } = this.#current;
    const place = this.#parts.question;
    if (!this.#canAsk()) {
      place.replaceChildren();
      return;
    }
    if (!this.#question) {
      place.replaceChildren(h("button", { type: "button", onclick: () => {
        const rows = result.steps.slice(0, t + 1).map((_, i) => i)
          .filter((i) => result.steps[i].wrote !== END);
        const asked = rows[Math.floor(Math.random() * rows.length)] ?? 0;
        this.#question = { row: asked, answer: null, about: this.#topic() };
        this.#drawGrid();
        place.querySelector("button")?.focus();
      } }, "Ask me first"));
      return;
    }
    const { row: asked, answer } = this.#question;
    const weights = weightsOf(this.#layers()[this.#layer()], this.#state.head);
    const shares = weights.data.subarray(asked * weights.columns, (asked + 1) * weights.columns);
    const best = top(shares, 1)[0];
    const source = [...result.words, "end"];
    const word = this.#target(result.steps[asked].wrote);
    if (answer === null) {
      place.replaceChildren(
        h("p", {}, "Which English word is looked at most when ",
          h("i", { lang: "es" }, word), " is written?"),
        h("div", { className: "row" }, ...source.map((name, j) => h("button", {
          type: "button",
          onclick: () => { this.#question.answer = j; this.#drawGrid(); place.querySelector("button")?.focus(); },
        }, name))));
      return;
    }
    place.replaceChildren(
      h("p", { role: "status" }, answer === best ? "Right: to write " : `Not ${source[answer]}: to write `,
        h("i", { lang: "es" }, word), " it looks most at ", h("b", {}, source[best]),
        `, with ${shown(shares[best])} of the weight.`),
      h("button", { type: "button", onclick: () => { this.#question = null; this.#drawGrid(); } },
        "Done"));
  }

  // The next word, and the reader's own choice

  #drawChoices() {
    const { result, t } = this.#current;
    const { chances, wrote } = result.steps[t];
    const best = top(chances, 5);
    this.#parts.choices.replaceChildren(
      h("legend", {}, `Candidates for word ${t + 1}`),
      h("div", { className: "row number" },
        ...best.map((id) => h("span", { className: "choice" }, h("button", {
          type: "button", lang: "es", "aria-pressed": id === wrote,
          "aria-label": `Write ${this.#target(id)}`,
          onclick: () => this.#change({
            forced: [...result.steps.slice(0, t).map((s) => s.wrote), id], step: t, cell: null,
          }),
        }, this.#target(id)), percent(chances[id]))),
        `all others ${percent(1 - best.reduce((sum, id) => sum + chances[id], 0))}`),
      h("p", { className: "quiet" }, "Choose another word, and the model goes on from there. "
        + "At an earlier step more of them are likely."),
      this.#state.forced.length
        ? h("button", { type: "button", onclick: () => this.#change({ forced: [], step: null }) },
          "Take my words back")
        : "",
    );
  }

  #drawCell() {
    const { cell, head } = this.#state;
    const { rows, columns } = this.#labels();
    const there = cell && cell[0] < rows.length && cell[1] < columns.length;
    const heads = this.#layers()[this.#layer()];
    this.#parts.cell.replaceChildren(
      ...(there ? explained(heads, head, cell, rows[cell[0]], columns[cell[1]]) : []),
    );
  }

  // Switches

  #drawSwitches() {
    const { kind, head, cut, unmasked, unplaced, snapshot } = this.#state;
    const layer = this.#layer();
    const name = `${kind}.${layer}.${head}`;
    const gone = cut.includes(name);
    const check = (key, label, checked) => h("label", {}, h("input", {
      type: "checkbox", checked, onchange: (event) => this.#change({ [key]: event.target.checked }),
    }), label);
    const snapshots = this.#model.info.snapshots;
    this.#parts.switches.replaceChildren(
      h("legend", {}, "Change the model"),
      h("div", { className: "row" },
        head === "mean"
          ? h("span", { className: "quiet" }, "Choose a single head to cut it.")
          : h("button", {
            type: "button",
            onclick: () => this.#change({ cut: gone ? cut.filter((x) => x !== name) : [...cut, name] }),
          }, `${gone ? "Restore" : "Cut"} head ${head + 1} of layer ${layer + 1}`),
        cut.length
          ? h("button", { type: "button", onclick: () => this.#change({ cut: [] }) }, "Restore all")
          : ""),
      cut.length
        ? h("p", { className: "quiet" }, "A cut head still looks, as you see, but what it fetches "
          + "is thrown away.")
        : "",
      h("div", { className: "row" },
        check("unmasked", "without the causal mask", unmasked),
        check("unplaced", "without positions", unplaced)),
      unmasked
        ? h("p", { className: "quiet" }, "While the model writes, no later word exists yet, so the "
          + "newest row sees what it always saw. But the rows before it now look forward, which "
          + "they never did in training, and hand on something else.")
        : "",
      h("div", { className: "row" },
        snapshots.length < 2 ? "" : h("label", {}, "trained for ",
          h("select", {
            onchange: (event) => this.#change({ snapshot: event.target.value }),
          }, ...snapshots.map(({ step, file }, i) => h("option", {
            value: file, selected: snapshot === file || (!snapshot && i === snapshots.length - 1),
          }, `${step.toLocaleString("en")} steps`)))),
        this.#loader ? "" : h("button", { type: "button", onclick: (event) => {
          const url = toLink(this.id, this.#state);
          history.replaceState(null, "", url);
          copy(String(url), event.currentTarget);
        } }, "Copy a link to this")),
    );
  }
}

const LONGEST_SOURCE = 24;
const SIGNS = new Map([["<s>", "start"], ["</s>", "end"], ["<unk>", "⟨?⟩"], ["<pad>", "⟨pad⟩"]]);
const THUMBNAIL = 36;
const PLACE = import.meta.url;

const ROWS = {
  encoder: "Each row is an English word that gathers from all of them.",
  decoder: "Each row is a step (has read ▸ writes) that gathers from what has been read.",
  cross: "Each row is a step (has read ▸ writes) that gathers from the English words.",
};

const LATER = "Without the mask earlier rows change as the sentence grows: this is how they look "
  + "now, and not when they wrote.";

const percent = (share) => (share < 0.0005 ? "< 0.1 %" : `${shown(100 * share, 1)} %`);

function markOf(example, source, target) {
  const among = (links) => links.some(([i, j]) => i === source && j === target);
  if (among(example.sure)) return "sure";
  return among(example.possible) ? "possible" : undefined;
}

define("tt-translator", TTTranslator);
