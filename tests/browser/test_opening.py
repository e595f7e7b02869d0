"""The picture that moves on the first page until the film is there."""

import base64
import io
import re
from pathlib import Path

import nbfiles
import numpy as np
import pytest
import torch
from make_opening import PICTURE, SHADES, SIDE, TEXT, asked, drawing
from module_outputs import outputs
from PIL import Image
from without_type_checks import types_unchecked

from tt_utils.data.tokenizer import EOS
from tt_utils.figures.bundle import EVERYDAY
from tt_utils.figures.page_model import page_translator

DRAWN = Path(nbfiles.ROOT, PICTURE).read_text("utf-8")
BLOCKS = [
    "src_embedding.rows",
    "src_embedding",
    *(f"encoder.layers.{n}.residuals.{part}" for n in range(2) for part in range(2)),
    "encoder.norm",
]
# What a film of now would draw, without what another processor may round otherwise.
PLACES = re.compile(r"<text.*?</text>|<rect[^>]*>|<path class=.l[^>]*>|<svg[^>]*>")
MOVING = """() => [...document.querySelectorAll(".tt-opening > svg > :is(g, .k)")]
  .filter((part) => part.checkVisibility()).map((part) => getComputedStyle(part))
  .map(({ animationName, animationDelay }) => [animationName, animationDelay])"""


def test_its_tiles_are_what_the_model_computes():
    translator = page_translator(folder=EVERYDAY)
    src = torch.tensor([[*translator.source.encode(TEXT.split()), EOS]])
    with types_unchecked(), torch.no_grad():
        lanes = outputs(translator.model, src, src[:, :1])
    wanted = np.concatenate([lanes[name].numpy() for name in BLOCKS])
    full = 2 * np.sqrt((wanted**2).mean(axis=1, keepdims=True))
    wanted = SHADES * np.clip(wanted / full, -1, 1)
    found = re.findall(r"base64,([\w+/=]+)", DRAWN)
    assert len(found) == 2
    for data in found:
        image = Image.open(io.BytesIO(base64.b64decode(data)))
        shades = np.array(image, dtype=float).reshape(len(wanted), SIDE**2) - SHADES
        assert abs(shades - wanted).max() < 0.51


def test_its_words_and_tiles_stand_where_the_film_puts_them(chromium):
    assert PLACES.findall(drawing(asked(chromium))) == PLACES.findall(DRAWN)


@pytest.mark.parametrize("width", [1440, 375])
def test_it_moves_before_any_script_has_come(chromium, address, width):
    page = chromium.new_page(viewport={"width": width, "height": 900})
    page.route("**/*.mjs", lambda route: route.abort())
    page.goto(f"{address}/book/welcome.html")
    page.locator(".tt-opening > svg:visible").wait_for()
    found = page.evaluate(MOVING)
    page.close()
    assert "tt-flow" in {name for name, _ in found}
    delays = [float(delay[:-1]) for name, delay in found if name == "tt-come"]
    assert len(delays) == len(BLOCKS)
    assert delays == sorted(delays)
    assert delays[0] < 0.1


def test_it_stands_still_for_who_wants_that(chromium, address):
    context = chromium.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.route("**/*.mjs", lambda route: route.abort())
    page.goto(f"{address}/book/welcome.html")
    assert {name for name, _ in page.evaluate(MOVING)} == {"none"}
    context.close()


def test_it_leaves_when_the_film_is_there(chromium, address):
    page = chromium.new_page()
    page.goto(f"{address}/book/welcome.html")
    page.locator("tt-film .said b").wait_for()
    assert not page.locator(".tt-opening").is_visible()
    page.close()
