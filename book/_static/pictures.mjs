// A figure opens at full size: by its button, or by a click on the picture.

const ICON = `<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
<path d="M9.5 2H14v4.5M14 2 9.5 6.5M6.5 14H2V9.5M2 14l4.5-4.5" fill="none"
stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/></svg>`;

const dialog = document.createElement("dialog");
dialog.className = "tt-enlarged";
dialog.innerHTML = `<form method="dialog"><button>Close</button></form>
<div class="tt-full-size" tabindex="0" role="group" aria-label="Picture"></div>
<p class="tt-full-caption"></p>`;
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});
document.body.append(dialog);

function open(figure, name) {
  const room = dialog.querySelector(".tt-full-size");
  const copies = [...figure.querySelectorAll("img")].map((img) => img.cloneNode());
  room.replaceChildren(...copies);
  const caption = figure.querySelector(".caption-text");
  dialog.querySelector("p").replaceChildren(...(caption?.cloneNode(true).childNodes ?? []));
  dialog.setAttribute("aria-label", name);
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
