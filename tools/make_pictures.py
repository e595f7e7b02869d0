"""Draws the pictures that stand in for the figures where they can't come to life."""

from __future__ import annotations

import argparse
import io
import json
import shutil
import sys
import tempfile
from pathlib import Path

import browser
from PIL import Image
from playwright.sync_api import Locator, sync_playwright

from tt_utils.figures.bundle import MODEL, STATIC, bundle

PICTURES = STATIC / "pictures"
COLOURS = 32
FEWER = {"film": 24}  # of many small tiles
WIDTH = 760
MAPPED = range(10, 14)
PAGE = """<!doctype html><body style="background: #fff">
<tt-{tag} state='{state}'></tt-{tag}>
<script type="module" src="all.mjs"></script>"""
SHOWN = {
    "dot-product": "svg",
    "soft-lookup": "svg",
    "scale": "svg",
    "masks": "table",
    "clocks": "svg",
    "film": "svg",
    "digit": ".three:has(.dot)",
    **{f"architecture-{chapter}": "svg" for chapter in MAPPED},
}
# A picture must not give away what its figure asks.
STATES = {
    "scale": {"d_k": 16},
    "film": {"moment": 12},
    **{f"architecture-{chapter}": {"chapter": chapter} for chapter in MAPPED},
}
LINES = ("architecture", "film")
ASKS_NOTHING = ("architecture", "digit", "film")


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    if browser.path() is None:
        sys.exit(browser.MISSING)
    PICTURES.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        browser.serving(Path(folder)) as address,
        sync_playwright() as playwright,
    ):
        write_pages(Path(folder))
        chromium = browser.launch(playwright)
        view = chromium.new_context(
            viewport={"width": WIDTH, "height": 900},
            device_scale_factor=1.5,
            reduced_motion="reduce",
        )
        for name, part in SHOWN.items():
            page = view.new_page()
            page.goto(f"{address}/{name}.html")
            figure = page.locator(f"tt-{tag_of(name)}")
            if not name.startswith(ASKS_NOTHING):
                figure.locator("button").first.click()
            save(figure.locator(part).first, PICTURES / f"{name}.png")
        chromium.close()


def tag_of(name: str) -> str:
    """Name the figure of a picture: some have one for each chapter."""
    return name.rstrip("-0123456789")


def write_pages(folder: Path) -> None:
    """Write a bare page for each figure."""
    shutil.copytree(MODEL, folder / "model")
    (folder / "all.mjs").write_text(bundle("all"), encoding="utf-8")
    for name in SHOWN:
        tag = tag_of(name)
        page = PAGE.format(tag=tag, state=json.dumps(STATES.get(name, {})))
        (folder / f"{name}.html").write_text(page, encoding="utf-8")


def save(shown: Locator, path: Path) -> None:
    """Keep few colours, so that a notebook that holds the picture stays small."""
    picture = Image.open(io.BytesIO(shown.screenshot())).convert("RGB")
    tag = tag_of(path.stem)
    colours = FEWER.get(tag, COLOURS)
    palette = lines_and_areas(picture, colours) if tag in LINES else None
    few = picture.quantize(colours, palette=palette, dither=Image.Dither.NONE)
    few.save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size:,} bytes")


def lines_and_areas(picture: Image.Image, colours: int) -> Image.Image:
    """Choose half of the colours by how many dots have them, half far from each other.

    A thin line of its own colour has few dots.
    """
    half = colours // 2
    common = sorted(picture.getcolors(picture.width * picture.height))[-half:]
    far = picture.quantize(half, Image.Quantize.MAXCOVERAGE).getpalette()[: 3 * half]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for _, colour in common for part in colour] + far)
    return palette


if __name__ == "__main__":
    main()
