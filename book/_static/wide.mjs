// Formulas wider than the page scroll, and the keyboard reaches what scrolls.

const FORMULAS = ".bd-article span.math";
const SCROLLED = ".bd-article :is(span.math, div.math, div.output, pre, .tt-picture)";

const all = (selector) => [...document.querySelectorAll(selector)];
const width = (element) => element.getBoundingClientRect().width;

function fit() {
  const formulas = all(FORMULAS);
  for (const formula of formulas) formula.classList.remove("tt-wide");
  const wide = formulas.filter((formula) => {
    const room = width(formula.parentElement);
    return room > 0 && width(formula) > room + 1;
  });
  for (const formula of wide) formula.classList.add("tt-wide");
  const scrolled = all(SCROLLED);
  const over = scrolled.map((part) => part.scrollWidth > part.clientWidth);
  scrolled.forEach((part, index) => {
    const inline = getComputedStyle(part).display === "inline";
    if (over[index] && !inline) part.tabIndex = 0;
    else part.removeAttribute("tabindex");
  });
}

let waiting = false;

function fitSoon() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    fit();
  });
}

document.fonts.ready.then(fit);
document.fonts.addEventListener("loadingdone", fitSoon); // a late font changes widths
document.addEventListener("toggle", fitSoon, true); // what opens had no width before
let seen = innerWidth;
addEventListener("resize", () => {
  if (innerWidth !== seen) fitSoon();
  seen = innerWidth;
});
