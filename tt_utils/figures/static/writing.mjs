/** The line to write in: completions, advice on unknown words, and sentences to begin with. */

import { h } from "./dom.mjs";
import { surprise } from "./surprise.mjs";
import { completions, groups, nearest, sentence, tidy, wordAt } from "./words.mjs";

const [PAUSE, SHORT_PAUSE] = [1200, 400]; // ms, after what no word is, and after what may become another
const ASKED = 3;

export const WRITING_STYLE = `
.help button, [role="option"] { padding: 0.1rem 0.6rem; min-height: 1.9rem; }
[role="listbox"] { display: flex; gap: 0.4rem; overflow-x: auto; margin-top: 0.5rem; }
[role="option"] { border: 1px solid color-mix(in srgb, currentColor 45%, transparent);
  border-radius: 1rem; cursor: pointer; white-space: nowrap; }
[role="option"][aria-selected="true"] { outline: 3px solid var(--tt-link, #0a72b2);
  outline-offset: -3px; }
.help:has([role="listbox"]:not([hidden])) > :not([role="listbox"]) { display: none; }
.message { border-left: 4px solid #d55e00; padding-left: 0.7rem; }
.help .row { margin: 0.25rem 0; }
summary { cursor: pointer; padding: 0.3rem 0; }
@container (min-width: 40rem) {
  .line { display: grid; grid-template-columns: minmax(0, 1fr) 20rem; column-gap: 0.6rem; }
  .line > p, .help { grid-column: 1 / -1; }
  .line > .row { grid-area: 2 / 2; flex-wrap: nowrap; margin: 0; }
  .line select { min-width: 0; flex: 1; } .line .row button { white-space: nowrap; }
}
`;

export class Writing {
  #wait = 0;
  #active = -1;
  #options = [];
  #model = null;
  #settle;

  /**
   * @param {(text: string, typed: boolean) => void} settle  Called when a text is ready to be
   *   read; `typed`, while letters are still coming.
   */
  constructor(settle) {
    this.#settle = (text, typed = false) => {
      clearTimeout(this.#wait);
      this.#wait = 0;
      settle(text, typed);
    };
    const put = (text) => {
      this.#offer([]);
      this.#settle(text);
    };
    this.put = put;
    this.input = h("input", {
      type: "text", id: "text", autocomplete: "off", spellcheck: false, lang: "en",
      role: "combobox", autocapitalize: "none", enterKeyHint: "done", "aria-autocomplete": "list",
      "aria-controls": "options", "aria-expanded": false, "aria-describedby": "message",
      oninput: (event) => this.#typed(event), onkeydown: (event) => this.#pressed(event),
      onblur: () => this.#offer([]),
    });
    this.list = h("div", { role: "listbox", id: "options", "aria-label": "Known words",
      hidden: true });
    this.message = h("p", { className: "message", id: "message", role: "status", hidden: true });
    this.swaps = h("div");
    this.hint = h("p", { className: "quiet" });
    this.examples = h("select", {
      "aria-label": "Example sentences",
      onchange: () => {
        put(this.examples.value);
        this.examples.value = "";
      },
    });
    this.surprise = h("button", {
      onclick: () => put(surprise(this.#model.info.grammar)),
    }, "Surprise me");
    this.known = h("details");
    this.element = h("div", {},
      h("div", { className: "line" },
        h("p", {}, h("label", { for: "text" }, "Write an English sentence from the words that it knows")), this.input,
        h("div", { className: "help" }, this.list, this.message, this.swaps, this.hint),
        h("div", { className: "row" }, this.examples, this.surprise)),
      this.known);
  }

  /** What is typed and not read yet. */
  get pending() {
    return this.#wait ? this.input.value : null;
  }

  /** Read what is typed now, as another control is used. */
  flush() {
    clearTimeout(this.#wait);
    this.#wait = 0;
  }

  /** A word that is half written is no mistake yet: it has time. */
  #typed({ isComposing }) {
    const { value, selectionStart } = this.input;
    const word = wordAt(value, selectionStart);
    const half = isComposing || !value.trim()
      || (word && this.#model?.read(tidy(word)).unknown.length);
    const longer = this.#model && word ? completions(this.#model, word) : [];
    this.#offer(longer);
    clearTimeout(this.#wait);
    const pause = half ? PAUSE : longer.length && SHORT_PAUSE;
    if (pause) this.#wait = setTimeout(() => this.#settle(this.input.value, true), pause);
    else this.#settle(value, true);
  }

  #offer(words) {
    this.#options = words.map((word, i) => h("div", {
      role: "option", id: `option-${i}`, lang: "en", "aria-selected": false,
      // The caret stays where it is.
      onpointerdown: (event) => event.preventDefault(),
      onclick: () => this.#accept(word),
    }, word));
    this.list.replaceChildren(...this.#options);
    this.list.hidden = !words.length;
    this.input.setAttribute("aria-expanded", words.length > 0);
    this.#choose(-1);
  }

  #choose(place) {
    this.#active = place;
    this.#options.forEach((option, i) => option.setAttribute("aria-selected", i === place));
    const chosen = this.#options[place];
    if (chosen) this.input.setAttribute("aria-activedescendant", chosen.id);
    else this.input.removeAttribute("aria-activedescendant");
    chosen?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  #accept(word) {
    const { value, selectionStart } = this.input;
    const before = value.slice(0, selectionStart - wordAt(value, selectionStart).length) + word;
    const after = value.slice(selectionStart).replace(/^[\p{L}\p{M}\p{N}'’]* ?/u, " ");
    this.input.value = before + after;
    this.input.setSelectionRange(before.length + 1, before.length + 1);
    this.put(this.input.value);
  }

  #pressed(event) {
    const { key } = event;
    const count = this.#options.length;
    if (key === "Enter" && !event.isComposing) {
      const chosen = this.#options[this.#active];
      if (chosen) this.#accept(chosen.textContent);
      else this.put(this.input.value);
    } else if (count && (key === "ArrowDown" || key === "ArrowUp")) {
      const step = key === "ArrowDown" ? 1 : -1;
      this.#choose(this.#active < 0 && step < 0 ? count - 1 : (this.#active + step + count) % count);
    } else if (count && key === "Escape") this.#offer([]);
    else return;
    event.preventDefault();
  }

  /**
   * Show a state's text, and what is to be said of it.
   *
   * @param {import("./model-file.mjs").Model} model
   * @param {string} text
   * @param {ReturnType<typeof import("./notice.mjs").notice>} noticed
   */
  show(model, text, { words, unknown }) {
    if (this.#model !== model) this.#know(model);
    if (!this.#wait && this.input.value !== text) this.input.value = text;
    this.swaps.replaceChildren(...unknown.slice(0, ASKED).map((word) =>
      h("div", { className: "row", role: "group", "aria-label": `Instead of ${word}` },
        h("span", {}, `Instead of “${word.slice(0, 20)}”:`),
        ...nearest(model, words, word).map((other) => h("button", {
          lang: other && "en",
          onclick: () => {
            this.put(sentence(words.map((one) => (one === word ? other : one))));
            this.input.focus();
          },
        }, other || "leave it out")))));
  }

  #know(model) {
    this.#model = model;
    const { examples, grammar } = model.info;
    const all = groups(model);
    const count = model.source.filter((word) => /^\p{L}/u.test(word)).length;
    this.hint.textContent = `The model knows ${count} words. They come up here as you type. `
      + "Capitals and commas don’t matter.";
    this.examples.hidden = !examples.length;
    this.surprise.hidden = !grammar;
    this.examples.replaceChildren(h("option", { value: "" }, "or choose one"),
      ...examples.map(({ source }) => h("option", { value: source }, source)));
    this.known.replaceChildren(h("summary", {}, "The words that it knows"),
      ...all.map(([name, words]) => h("p", {}, h("b", {}, `${name}: `),
        h("span", { lang: "en" }, words.join(", ")))));
  }

  say(text) {
    if (this.message.textContent !== text) this.message.textContent = text;
    this.message.hidden = !text;
    this.hint.hidden = Boolean(text);
  }
}
