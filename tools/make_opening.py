"""Draws the film's first seconds, moving before scripts and model are there.

The encoder reads the first page's sentence: each tile and each line is what that page's
model computes, drawn where the film will stand.
"""

from __future__ import annotations

import argparse
import base64
import io
import re
import sys
from html import escape
from pathlib import Path

import browser
import numpy as np
from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tt_utils.figures.bundle import STATIC

PICTURE = Path("book/images/opening.html")
TEXT = "the ball is blue"
WIDTHS = {"wide": 760, "narrow": 330}  # px; windows from 700 px on have the first
SIDE = 8  # numbers of a tile
SHADES = 7  # of each sign
STEP = 0.7  # s
FRACTION = re.compile(r"\d+\.\d+")
# What the film's own modules say of its tiles, lines and places.
READ = """async ([text, widths]) => {
  const names = ["tt-film", "film-moments", "film-plan", "film-drawing", "matrix"];
  const [{ filmOf, Model }, { attends, weightsAt }, { LINE, planOf, TILE }, drawn,
    { row }] = await Promise.all(names.map((name) => import(`/${name}.mjs`)));
  const film = filmOf(await Model.load(new URL("/everyday/", location), null), text);
  const lanes = [...film.words.encoder.keys()];
  const levels = film.levels.encoder;
  const weights = (level, lane) =>
    (attends(level) ? [...weightsAt(film, level, lane)] : []);
  const seen = (level, lane) => weights(level, lane)
    .map((weight, key) => ({ weight, key }))
    .filter(({ weight }) => weight >= drawn.FAINT);
  return {
    words: film.words.encoder, colours: [drawn.BELOW, drawn.ABOVE],
    tiles: levels.map(({ tensor }) => (tensor
      ? lanes.map((i) => [...row(film.trace.seen.get(tensor), i)]) : [])),
    plans: widths.map((width) => {
      const plan = planOf(width, film, "encoder");
      const at = (level, lane) => plan.at("encoder", level, lane);
      return { width: plan.width, title: plan.title("encoder"),
        at: levels.map((_, level) => lanes.map((lane) => at(level, lane))),
        boxes: levels.map((_, level) => lanes.map((lane) => at(level, lane))
          .map(([x, y]) => [x - TILE / 2, y - TILE / 2, TILE])),
        names: levels.map((level, n) => {
          const lines = drawn.linesOf(level);
          const [x, y, look] = plan.name("encoder", n, lines.length);
          return lines.map((line, i) => [x, y + LINE * i, line, look]);
        }),
        links: levels.map((level, n) => lanes.flatMap((lane) => seen(level, lane)
          .map(({ weight, key }) => ({ ...drawn.strength(weight),
            d: drawn.curve(plan, at(n - 1, key), at(n, lane), false) })))) };
    }),
  };
}"""
STYLE = f"""
.tt-opening svg {{ display: block; max-width: 100%; height: auto; }}
.tt-opening text {{ fill: currentColor; text-anchor: middle;
  font: 13px var(--tt-sans, system-ui, sans-serif); }}
.tt-opening .n {{ font-size: 11px; }} .tt-opening .e {{ text-anchor: end; }}
.tt-opening .b {{ font-weight: 700; font-size: 12px; }}
.tt-opening :is(path, .f) {{ fill: none; stroke: currentColor; stroke-opacity: 0.5; }}
.tt-opening .l {{ stroke-width: 2; stroke-opacity: 0.35; }}
.tt-opening .k {{ stroke: #009e73; stroke-dasharray: 1; }}
.tt-opening .f {{ fill: var(--pst-color-background); }}
.tt-opening use {{ image-rendering: pixelated; }}
@media (max-width: 699px) {{ .tt-opening .wide {{ display: none; }} }}
@media (min-width: 700px) {{ .tt-opening .narrow {{ display: none; }} }}
@media (prefers-reduced-motion: no-preference) {{
  .tt-opening g {{ animation: tt-come 0.3s backwards; }}
  .tt-opening .k {{ animation: tt-flow {STEP}s ease-out backwards; }}
}}
@keyframes tt-come {{ from {{ opacity: 0; }} }}
@keyframes tt-flow {{ from {{ stroke-dashoffset: 1; }} }}
"""


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    if browser.path() is None:
        sys.exit(browser.MISSING)
    with sync_playwright() as playwright:
        found = asked(browser.launch(playwright))
    PICTURE.write_text(drawing(found), encoding="utf-8")
    print(f"{PICTURE}: {PICTURE.stat().st_size:,} bytes")


def asked(chromium: Browser) -> dict:
    """Let the film compute the sentence."""
    with browser.serving(STATIC) as address:
        page = chromium.new_page()
        page.goto(f"{address}/everyday/model.json")
        found = page.evaluate(READ, [TEXT, [*WIDTHS.values()]])
        page.close()
    return found


def drawing(found: dict) -> str:
    label = (
        f"The encoder of a Transformer reads {TEXT}. Each word has a lane; after every "
        "block a small tile shows its numbers, and green lines show to which words it "
        "attends."
    )
    tiles = sprite(
        [tile for level in found["tiles"] for tile in level], found["colours"]
    )
    pictures = [
        picture(found, plan, kind, tiles)
        for kind, plan in zip(WIDTHS, found["plans"], strict=True)
    ]
    return (
        f"<style>{STYLE}</style>\n"
        f'<div class="tt-opening" role="img" aria-label="{label}">\n'
        + "\n".join(pictures)
        + "\n</div>\n"
    )


def sprite(tiles: list[list[float]], colours: list[list[int]]) -> str:
    """All tiles, one below the other, in as many shades as a PNG of four bits has."""
    numbers = np.array(tiles).reshape(len(tiles), SIDE * SIDE)
    full = 2 * np.sqrt((numbers**2).mean(axis=1, keepdims=True))
    shades = np.rint(SHADES * np.clip(numbers / full, -1, 1)).astype(np.int8) + SHADES
    image = Image.fromarray(shades.astype(np.uint8).reshape(-1, SIDE), "P")
    signs = range(-SHADES, SHADES + 1)
    image.putpalette([part for n in signs for part in colours[n >= 0]])
    data = io.BytesIO()
    opaque = bytes(round(255 * abs(n) / SHADES) for n in signs)
    image.save(data, "PNG", bits=4, optimize=True, transparency=opaque)
    return base64.b64encode(data.getvalue()).decode()


def picture(found: dict, plan: dict, kind: str, tiles: str) -> str:
    """The encoder's blocks, one after the other; the data of the tiles stand once."""
    at, counts = plan["at"], [len(level) for level in found["tiles"]]
    height = round(
        max(y + 1.5 * side for level in plan["boxes"] for _, y, side in level)
    )
    parts = [text(*plan["title"], "Encoder", "b")]
    for lane, word in enumerate(found["words"]):
        x, y = at[0][lane]
        parts.append(text(x, y + 5, word))
        (x1, y1), (x2, y2) = at[1][lane], at[-1][lane]
        parts.append(f'<path class="l" d="M{x1:g} {y1:g}L{x2:g} {y2:g}"/>')
    for number, count in enumerate(counts):
        for x, y, words, look in plan["names"][number]:
            parts.append(text(x, y, words, "n e" if look == "end" else "n"))
        if not count:
            continue
        first = sum(counts[:number])
        late = f' style="animation-delay:{STEP * (number - 1):.1f}s"'
        parts += [line(link, late) for link in plan["links"][number]]
        parts.append(f"<g{late}>")
        boxes = enumerate(plan["boxes"][number], start=first)
        parts += [tile(*box, nth, kind) for nth, box in boxes]
        parts.append("</g>")
    source = f'<image id="tt-{kind}" width="{SIDE}" height="{sum(counts) * SIDE}" '
    source += f'href="data:image/png;base64,{tiles}"/>'
    return (
        f'<svg class="{kind}" aria-hidden="true" width="{plan["width"]:g}" '
        f'height="{height}" viewBox="0 0 {plan["width"]:g} {height}">'
        f"<defs>{source}</defs>{''.join(parts)}</svg>"
    )


def text(x: float, y: float, words: str, kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x:.0f}" y="{y:.0f}">{escape(words)}</text>'


def line(link: dict, late: str) -> str:
    way = FRACTION.sub(lambda found: f"{float(found[0]):.0f}", link["d"])
    return (
        f'<path class="k" pathLength="1" d="{way}" stroke-width="'
        f'{link["stroke-width"]:.1f}" stroke-opacity="{link["stroke-opacity"]:.2f}"'
        f"{late}/>"
    )


def tile(x: float, y: float, side: int, number: int, kind: str) -> str:
    box = f'x="{x:.0f}" y="{y:.0f}" width="{side}" height="{side}"'
    return (
        f'<rect class="f" {box}/><svg {box} viewBox="0 {SIDE * number} {SIDE} {SIDE}">'
        f'<use href="#tt-{kind}"/></svg>'
    )


if __name__ == "__main__":
    main()
