"""Draws the film's first seconds, moving before scripts and model are there.

The encoder reads the first page's sentence: each tile and each line is what that page's
model computes, drawn where the film will stand.
"""

from __future__ import annotations

import argparse
import base64
import io
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
WIDTHS = {
    "wide": 760,
    "narrow": 330,
}  # px of the picture; in windows from 700 px on, the first
SIDE, HALF = 8, 12  # of a tile: numbers, px
LINE = 12  # px from one line of a name to the next
SHADES = 7  # of each sign
BELOW, ABOVE = (67, 147, 195), (214, 96, 77)
FAINT = 0.02  # a weight that isn't drawn
BEGIN, STEP = 0.0, 0.7  # s
# What the film's own modules say of its tiles, lines and places.
READ = """async ([text, widths]) => {
  const names = ["tt-film", "film-moments", "film-plan", "film-drawing", "matrix"];
  const [{ filmOf, Model }, { attends, weightsAt }, { planOf }, { linesOf }, { row }] =
    await Promise.all(names.map((name) => import(`/${name}.mjs`)));
  const film = filmOf(await Model.load(new URL("/everyday/", location), null), text);
  const lanes = [...film.words.encoder.keys()];
  const levels = film.levels.encoder;
  return {
    words: film.words.encoder,
    levels: levels.map((level) => ({
      tiles: level.tensor
        ? lanes.map((i) => [...row(film.trace.seen.get(level.tensor), i)]) : [],
      weights: attends(level) ? lanes.map((i) => [...weightsAt(film, level, i)]) : [],
    })),
    plans: widths.map((width) => {
      const plan = planOf(width, film, "encoder");
      return { width: plan.width, across: plan.across, title: plan.title("encoder"),
        names: levels.map((level, n) => {
          const lines = linesOf(level);
          return [lines, ...plan.name("encoder", n, lines.length)];
        }),
        at: levels.map((_, level) => lanes.map((i) => plan.at("encoder", level, i))) };
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
    tiles = sprite([tile for level in found["levels"] for tile in level["tiles"]])
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


def sprite(tiles: list[list[float]]) -> str:
    """All tiles, one below the other, in as many shades as a PNG of four bits has."""
    numbers = np.array(tiles).reshape(len(tiles), SIDE * SIDE)
    full = 2 * np.sqrt((numbers**2).mean(axis=1, keepdims=True))
    shades = np.rint(SHADES * np.clip(numbers / full, -1, 1)).astype(np.int8) + SHADES
    image = Image.fromarray(shades.astype(np.uint8).reshape(-1, SIDE), "P")
    signs = range(-SHADES, SHADES + 1)
    image.putpalette([part for n in signs for part in (BELOW if n < 0 else ABOVE)])
    data = io.BytesIO()
    opaque = bytes(round(255 * abs(n) / SHADES) for n in signs)
    image.save(data, "PNG", bits=4, optimize=True, transparency=opaque)
    return base64.b64encode(data.getvalue()).decode()


def picture(found: dict, plan: dict, kind: str, tiles: str) -> str:
    """The encoder's blocks, one after the other; the data of the tiles stand once."""
    levels, at = found["levels"], plan["at"]
    count = len(found["words"])
    height = round(max(y for level in at for _, y in level)) + 2 * HALF
    parts = [text(*plan["title"], "Encoder", "b")]
    for lane, word in enumerate(found["words"]):
        x, y = at[0][lane]
        parts.append(text(x, y + 5, word))
        (x1, y1), (x2, y2) = at[1][lane], at[-1][lane]
        parts.append(f'<path class="l" d="M{x1:g} {y1:g}L{x2:g} {y2:g}"/>')
    for number, level in enumerate(levels):
        parts += name(*plan["names"][number])
        if not level["tiles"]:
            continue
        first = sum(len(before["tiles"]) for before in levels[:number])
        late = f' style="animation-delay:{BEGIN + STEP * (number - 1):.1f}s"'
        for lane, weights in enumerate(level["weights"]):
            parts += [
                line(at[number - 1][key], at[number][lane], weight, late, plan)
                for key, weight in enumerate(weights)
                if weight >= FAINT
            ]
        parts.append(f"<g{late}>")
        parts += [tile(*at[number][lane], first + lane, kind) for lane in range(count)]
        parts.append("</g>")
    rows = sum(len(level["tiles"]) for level in levels) * SIDE
    source = f'<image id="tt-{kind}" width="{SIDE}" height="{rows}" '
    source += f'href="data:image/png;base64,{tiles}"/>'
    return (
        f'<svg class="{kind}" aria-hidden="true" width="{plan["width"]:g}" '
        f'height="{height}" viewBox="0 0 {plan["width"]:g} {height}">'
        f"<defs>{source}</defs>{''.join(parts)}</svg>"
    )


def text(x: float, y: float, words: str, kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x:.0f}" y="{y:.0f}">{escape(words)}</text>'


def name(lines: list[str], x: float, y: float, look: str) -> list[str]:
    """A block's name: above its tiles, or beside them."""
    kind = "n e" if look == "end" else "n"
    return [text(x, y + LINE * i, one, kind) for i, one in enumerate(lines)]


def line(start: list, end: list, weight: float, late: str, plan: dict) -> str:
    (a, b), (x, y) = start, end
    if plan["across"]:
        a, x = a + HALF, x - HALF
        way = f"M{a:.0f} {b:.0f}C{(a + x) / 2:.0f} {b:.0f} {(a + x) / 2:.0f} {y:.0f}"
    else:
        b, y = b + HALF, y - HALF
        way = f"M{a:.0f} {b:.0f}C{a:.0f} {(b + y) / 2:.0f} {x:.0f} {(b + y) / 2:.0f}"
    return (
        f'<path class="k" pathLength="1" d="{way} {x:.0f} {y:.0f}" stroke-width="'
        f'{0.8 + 5 * weight:.1f}" stroke-opacity="{0.25 + 0.7 * weight:.2f}"{late}/>'
    )


def tile(x: float, y: float, number: int, kind: str) -> str:
    left, top, side = f"{x - HALF:.0f}", f"{y - HALF:.0f}", 2 * HALF
    box = f'x="{left}" y="{top}" width="{side}" height="{side}"'
    return (
        f'<rect class="f" {box}/><svg {box} viewBox="0 {SIDE * number} {SIDE} {SIDE}">'
        f'<use href="#tt-{kind}"/></svg>'
    )


if __name__ == "__main__":
    main()
