// Predict first: choices become buttons, and what came out opens when one is taken.

const PLACE = `tt-predictions ${location.pathname}`;
const BLANK = "____";

const taken = () => {
  try {
    return JSON.parse(localStorage.getItem(PLACE)) ?? {};
  } catch {
    return {}; // no storage here, or not ours
  }
};

function remember(key, choice) {
  const all = taken();
  if (choice === null) delete all[key];
  else all[key] = choice;
  try {
    localStorage.setItem(PLACE, JSON.stringify(all));
  } catch {
    // Without storage a prediction lasts as long as the page.
  }
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

function ask(box) {
  const key = box.dataset.prediction;
  const list = [...box.querySelectorAll("ul")].at(-1);
  const answers = [...document.querySelectorAll(`details[data-prediction="${key}"]`)];
  if (!list || !answers.length) return;
  const label = "Your prediction";
  const items = [...list.children];
  const choices = items.map((item, index) => (item.textContent.includes(BLANK)
    ? blank(item, label, (value) => choose(value))
    : button(item, index, choose)));
  const showMe = make("button", { type: "button", class: "tt-show" }, "Show me");
  const again = make("button", { type: "button", class: "tt-show", hidden: "" }, "Predict again");
  const status = make("p", { role: "status", class: "visually-hidden" });
  const said = make("p", { class: "tt-said", hidden: "" });
  answers.at(-1).querySelector("summary").after(said);

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
    showMe.hidden = chosen;
    again.hidden = !chosen;
    for (const answer of answers) answer.open = chosen;
  }

  function choose(choice) {
    remember(key, choice);
    show(choice);
    status.textContent = "Your prediction and what came out stand below.";
    again.focus({ preventScroll: true });
  }

  showMe.addEventListener("click", () => {
    for (const answer of answers) answer.open = true;
    status.textContent = "What came out stands below.";
  });
  again.addEventListener("click", () => {
    remember(key, null);
    show(null);
    status.textContent = "";
    (choices[0].element.querySelector("input") ?? choices[0].element).focus({ preventScroll: true });
  });
  for (const answer of answers) {
    answer.addEventListener("toggle", () => {
      if (answer.open) for (const other of answers) other.open = true;
    });
  }
  list.hidden = true; // paper shows it in place of the buttons
  list.after(
    make("div", { class: "tt-choices", role: "group", "aria-label": label },
      ...choices.map(({ element }) => element), showMe, again),
    status,
  );
  show(taken()[key] ?? null);
}

for (const box of document.querySelectorAll(".tt-predict[data-prediction]")) ask(box);

/** A link into a closed answer opens it. */
function follow() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const closed = target?.closest("details.tt-answer:not([open])");
  if (!closed) return;
  closed.open = true;
  target.scrollIntoView();
}

addEventListener("hashchange", follow);
follow();
