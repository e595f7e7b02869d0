// A figure opens at full size: by its button, or by a click on the picture.

const ICON = `<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
<path d="M9.5 2H14v4.5M14 2 9.5 6.5M6.5 14H2V9.5M2 14l4.5-4.5" fill="none"
stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/></svg>`;

const dialog = document.createElement("dialog");
dialog.className = "tt-enlarged";
dialog.innerHTML = `<form method="dialog"><button>Close</button></form>
<div class="tt-full-size" tabindex="0" role="group" aria-label="Picture"></div>`;
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});
document.body.append(dialog);

function open(figure, name) {
  const copy = figure.cloneNode(true);
  copy.removeAttribute("id");
  copy.querySelectorAll("button, .headerlink").forEach((part) => part.remove());
  dialog.setAttribute("aria-label", name);
  const room = dialog.querySelector(".tt-full-size");
  room.replaceChildren(copy);
  dialog.showModal();
  room.scrollTo(0, 0);
}

for (const figure of document.querySelectorAll(".bd-article figure")) {
  const pictures = figure.querySelectorAll("img");
  if (!pictures.length) continue;
  const number = figure.querySelector(".tt-figure-number")?.textContent ?? "Picture";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "tt-enlarge";
  button.innerHTML = ICON;
  button.setAttribute("aria-label", `Enlarge ${number.toLowerCase()}`);
  button.addEventListener("click", () => open(figure, number));
  for (const picture of pictures) {
    picture.addEventListener("click", () => {
      button.focus({ preventScroll: true }); // where focus returns to
      open(figure, number);
    });
  }
  figure.prepend(button);
}
