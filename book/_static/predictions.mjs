// Predict first: choices become buttons, and what came out opens when one is taken.

const PLACE = `tt-predictions ${location.pathname}`;
const ALWAYS = "tt-predictions always open";
const BLANK = "____";

function stored(place) {
  try {
    return JSON.parse(localStorage.getItem(place));
  } catch {
    return null; // no storage here, or not ours
  }
}

function store(place, value) {
  try {
    localStorage.setItem(place, JSON.stringify(value));
  } catch {
    // Without storage a prediction lasts as long as the page.
  }
}

const taken = () => stored(PLACE) ?? {};

function remember(key, choice) {
  const all = taken();
  if (choice === null) delete all[key];
  else all[key] = choice;
  store(PLACE, all);
}

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const copies = (element) => [...element.cloneNode(true).childNodes];

/** The parts of a choice, which Markdown may have put into a paragraph. */
const parts = (item) => copies(item.querySelector(":scope > p") ?? item);

/** A field for a number in the middle of the choice's words. */
function blank(item, label, choose) {
  const field = make("input", { type: "text", inputmode: "decimal", size: 6, "aria-label": label });
  const words = item.textContent.split(BLANK);
  const filled = (value) => [words[0], make("b", {}, value), words[1]];
  const form = make("form", { class: "tt-blank" }, words[0], field, words[1],
    make("button", { type: "submit" }, "That is my guess"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.value.trim()) choose(field.value.trim());
    else field.focus();
  });
  const show = (value) => { field.value = typeof value === "string" ? value : ""; };
  return { element: form, said: filled, show, typed: true };
}

function button(item, index, choose) {
  const element = make("button", { type: "button", "aria-pressed": "false" }, ...parts(item));
  element.addEventListener("click", () => choose(index));
  const show = (choice) => element.setAttribute("aria-pressed", String(choice === index));
  return { element, said: () => parts(item), show, typed: false };
}

/** What tells the outcome of a prediction: its outputs, its answer, and what follows. */
const outcome = (key) => [...document.querySelectorAll(`details[data-prediction="${key}"]`)];

/** Every prediction of the page: opens or folds as its reader wants it. */
const asked = new Map();

function ask(box) {
  const key = box.dataset.prediction;
  const list = [...box.querySelectorAll("ul")].at(-1);
  const folds = outcome(key);
  const answer = folds.filter((fold) => fold.matches(".tt-answer")).at(-1);
  if (!list || !answer) return;
  const label = "Your prediction";
  const items = [...list.children];
  const choices = items.map((item, index) => (item.textContent.includes(BLANK)
    ? blank(item, label, (value) => choose(value))
    : button(item, index, choose)));
  const showMe = make("button", { type: "button", class: "tt-show" }, "Show without predicting");
  const again = make("button", { type: "button", class: "tt-show", hidden: "" }, "Predict again");
  const always = make("input", { type: "checkbox" });
  const reads = make("label", { class: "tt-always", hidden: "" }, always,
    "Always show everything, in all chapters");
  const status = make("p", { role: "status", class: "visually-hidden" });
  const said = make("p", { class: "tt-said", hidden: "" });
  answer.querySelector("summary").after(said);

  function open(opened) {
    for (const fold of folds) fold.open = opened;
  }

  function show(choice) {
    const chosen = choice !== null;
    const taker = typeof choice === "number" ? choices[choice] : choices.find(({ typed }) => typed);
    if (chosen && !taker) return show(null); // the choices have changed since
    for (const { element, show: press } of choices) {
      press(choice);
      for (const part of element.matches("form") ? element.elements : [element]) part.disabled = chosen;
    }
    said.hidden = !chosen;
    said.replaceChildren(...(chosen ? ["You predicted: ", ...taker.said(choice)] : []));
    always.checked = Boolean(stored(ALWAYS));
    reads.hidden = chosen || !always.checked;
    showMe.hidden = chosen || always.checked;
    again.hidden = !chosen;
    open(chosen || always.checked);
  }

  function choose(choice) {
    remember(key, choice);
    show(choice);
    status.textContent = "Your prediction and what came out stand below.";
    again.focus({ preventScroll: true });
  }

  function showUnasked() {
    open(true);
    reads.hidden = false;
    status.textContent = "What came out stands below.";
  }

  showMe.addEventListener("click", showUnasked);
  again.addEventListener("click", () => {
    remember(key, null);
    show(null);
    status.textContent = "";
    (choices[0].element.querySelector("input") ?? choices[0].element).focus({ preventScroll: true });
  });
  always.addEventListener("change", () => {
    store(ALWAYS, always.checked);
    for (const redraw of asked.values()) redraw();
    if (!always.checked) showMe.focus({ preventScroll: true });
  });
  for (const fold of folds) {
    fold.addEventListener("toggle", () => {
      if (fold.open && !folds.every((other) => other.open)) showUnasked();
    });
  }
  for (const veil of folds.filter((fold) => fold.matches(".tt-veil"))) {
    const [, summary, first] = veil.children;
    first.tabIndex = -1;
    summary.addEventListener("click", (event) => {
      event.preventDefault();
      showUnasked();
      first.focus({ preventScroll: true }); // the button is no more
    });
  }
  list.classList.add("tt-listed"); // paper shows it in place of the buttons
  list.after(
    make("div", { class: "tt-choices", role: "group", "aria-label": label },
      ...choices.map(({ element }) => element), showMe, again),
    reads,
    status,
  );
  const redraw = () => show(taken()[key] ?? null);
  asked.set(key, redraw);
  redraw();
}

for (const box of document.querySelectorAll(".tt-predict[data-prediction]")) ask(box);

/** A link into what is folded opens it, with everything else that tells the outcome. */
function follow() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  let moved = false;
  for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details")) {
    const folds = fold.dataset.prediction ? outcome(fold.dataset.prediction) : [fold];
    moved ||= folds.some((other) => !other.open);
    for (const other of folds) other.open = true;
  }
  if (moved) target.scrollIntoView();
}

addEventListener("hashchange", follow);
follow();
