/** <tt-masks>: build a mask cell by cell, and hear which cell is wrong, and why. */

import { Figure } from "./base.mjs";
import { define, h } from "./dom.mjs";
import { set } from "./svg.mjs";

const WORDS = ["la", "bola", "es", "azul", "<pad>", "<pad>"];
const REAL = 4;
const CELLS = WORDS.flatMap((_, i) => WORDS.map((_, j) => [i, j]));
const TASKS = {
  "hide the padding": (i, j) => j < REAL,
  "hide the future": (i, j) => j <= i,
  "hide both": (i, j) => j < REAL && j <= i,
};

class Masks extends Figure {
  static label = "Build a mask";
  static css = `
    table { border-collapse: separate; border-spacing: min(3px, 0.7vw); table-layout: fixed; width: 100%;
      max-width: 24rem; font-size: clamp(0.6rem, 3vw, 0.82rem); }
    th { font-weight: 500; padding: 0; white-space: nowrap; }
    tbody th { text-align: right; padding-right: 0.2rem; }
    td { padding: 0; } td button { width: 100%; padding: 0; }
    td button[aria-pressed="true"] { background: #009e73; color: #000; outline: none; }
    td button[aria-pressed="false"] { background: repeating-linear-gradient(135deg, transparent 0 4px,
      color-mix(in srgb, currentColor 30%, transparent) 4px 5px); }
    td button.wrong { outline: 3px solid #d55e00; }
  `;
  static question = {
    text: "A sentence of four words stands in a batch of width six. The mask hides both, the padding "
      + "and the future. How many of its 36 cells stay open?",
    answers: ["18", "10", "21"],
    order: [1, 0, 2],
    because: "The rows of the four words may attend to 1, 2, 3 and 4 words. And the two rows of "
      + "padding stay open, with 4 each: they attend, but nobody reads their output. Now build one.",
  };

  static keys = ["task", "allowed"];
  task = "hide the padding";
  allowed = WORDS.map(() => WORDS.map(() => true));

  build(place) {
    this.result = h("p", { role: "status" });
    this.tasks = h("select", {
      onchange: () => { this.task = this.tasks.value; this.redraw(); },
    }, ...Object.keys(TASKS).map((name) => h("option", {}, name)));
    this.buttons = WORDS.map((_, i) => WORDS.map((_, j) => h("button", {
      onclick: () => { this.allowed[i][j] = !this.allowed[i][j]; this.redraw(); },
    })));
    place.append(
      h("p", {}, h("label", {}, "Your task: ", this.tasks)),
      h("div", { className: "scroll", tabIndex: 0, role: "group", "aria-label": "The mask" },
        h("table", {},
          h("thead", {}, h("tr", {}, h("td"), ...WORDS.map((word) => h("th", { scope: "col" }, word)))),
          h("tbody", {}, ...WORDS.map((word, i) => h("tr", {}, h("th", { scope: "row" }, word),
            ...this.buttons[i].map((button) => h("td", {}, button))))))),
      h("p", { className: "quiet" }, "Rows are queries, columns are keys. ● may attend, × may not."),
      h("div", { className: "row" },
        h("button", { onclick: () => this.check() }, "Check"),
        h("button", { onclick: () => {
          this.allowed = WORDS.map(() => WORDS.map(() => true));
          this.redraw();
        } }, "Open all")),
      this.result);
  }

  /** Name the first wrong cell. */
  check() {
    const wanted = TASKS[this.task];
    this.draw();
    for (const [i, j] of CELLS) {
      if (this.allowed[i][j] === wanted(i, j)) continue;
      this.buttons[i][j].classList.add("wrong");
      const cell = `Row ${i + 1} (${WORDS[i]}), column ${j + 1} (${WORDS[j]})`;
      let why = `hides a word that ${WORDS[i]} may see${i === j ? ": a word may attend to itself" : ""}.`;
      if (!wanted(i, j)) {
        why = j >= REAL && this.task !== "hide the future"
          ? "lets padding be seen." : "lets a word see a later one, which it must predict.";
      }
      this.result.textContent = `${cell} ${why}`;
      return;
    }
    this.result.textContent = `Right: ${this.task}.`;
  }

  draw() {
    this.result.textContent = "";
    this.tasks.value = this.task;
    for (const [i, j] of CELLS) {
      const button = this.buttons[i][j];
      const open = this.allowed[i][j];
      button.textContent = open ? "●" : "×";
      button.classList.remove("wrong");
      set(button, { "aria-pressed": open,
        "aria-label": `${WORDS[i]} ${i + 1} ${open ? "may" : "may not"} attend to ${WORDS[j]} ${j + 1}` });
    }
  }
}

define("tt-masks", Masks);
