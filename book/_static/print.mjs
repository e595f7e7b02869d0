// Paper is light, shows the answers, and has a picture where the page has controls.

let undo = [];

addEventListener("beforeprint", () => {
  const page = document.documentElement;
  const { theme } = page.dataset;
  page.dataset.theme = "light";
  undo.push(() => { page.dataset.theme = theme; });
  for (const answer of document.querySelectorAll(".bd-article details:not(.hide, [open])")) {
    answer.open = true;
    undo.push(() => { answer.open = false; });
  }
  for (const picture of document.querySelectorAll(".bd-article .tt-stand-in > img")) {
    const copy = picture.cloneNode();
    copy.classList.add("tt-printed");
    picture.parentElement.after(copy);
    undo.push(() => copy.remove());
  }
});

addEventListener("afterprint", () => {
  for (const step of undo) step();
  undo = [];
});
