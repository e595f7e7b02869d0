"""Draws the picture that stands beside a shared link: `book/_static/card.png`."""

import sys
import tempfile
from pathlib import Path
from shutil import copy, copytree

import browser
import nbfiles
from playwright.sync_api import sync_playwright

BOOK = nbfiles.ROOT / "book"
CARD = BOOK / "_static" / "card.png"
SIZE = {"width": 1200, "height": 630}
PAGE = """<!DOCTYPE html><meta charset="utf-8"><style>
@font-face { font-family: Source; font-weight: 400 700;
  src: url(fonts/source-serif-4-latin-wght-normal.woff2); }
body { margin: 0; width: 1200px; height: 630px; display: flex; align-items: center;
  background: #16191d; color: #dcdfe3; font: 34px/1.4 Source; }
div { flex: 1; padding-left: 76px; }
h1 { font-size: 74px; font-weight: 600; line-height: 1.1; margin: 0 0 28px; }
p { margin: 0; color: #a3abb5; max-width: 15em; }
img { height: 520px; margin-right: 56px; filter: brightness(1.35); }
</style><div><h1>The<br>Transformer<br>Textbook</h1>
<p>From a dot product to a translation model that you trained yourself.</p></div>
<img src="alignment.svg" alt="">"""


def main() -> None:
    if browser.path() is None:
        sys.exit(browser.MISSING)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        copytree(BOOK / "_static" / "fonts", Path(folder, "fonts"))
        copy(BOOK / "images" / "alignment.svg", folder)
        Path(folder, "card.html").write_text(PAGE, "utf-8")
        chromium = browser.launch(playwright)
        with browser.serving(Path(folder)) as address:
            page = chromium.new_page(viewport=SIZE)
            page.goto(f"{address}/card.html")
            page.evaluate("document.fonts.ready")
            page.screenshot(path=CARD)
        chromium.close()


if __name__ == "__main__":
    main()
