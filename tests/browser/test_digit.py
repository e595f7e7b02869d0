"""The digit to draw: by mouse, finger and keyboard, and what the ViT says of it."""

import json

import numpy as np
import pytest
import torch
from axe_playwright_python.base import AXE_SCRIPT
from first_visit import WATCH
from visit import AXE, PATIENCE, SETTLED, resize, too_wide
from without_type_checks import types_unchecked

from tt_utils import figures
from tt_utils.blocks.recording import record_attention
from tt_utils.data.digits import GREYS, load_digits
from tt_utils.figures.bundle import MODEL
from tt_utils.figures.page_model import page_vit

INFO = json.loads((MODEL / "digits.json").read_text(encoding="utf-8"))
COUNT = 200
PAGE = "book/notation.html"
FIGURE = """<div class="cell_output docutils container"><div class="output text_html">
{}</div></div><script type="module">import "../figures/tt-digit.mjs";</script>"""
READY = "() => document.querySelector('tt-digit')?.result?.logits.length"
SILENT = "() => document.querySelector('tt-digit')?.result?.logits.length === 0"
STATE = "document.querySelector('tt-digit').state"
RESULT = "document.querySelector('tt-digit').result"
SAID = "document.querySelector('tt-digit').shadowRoot.querySelector('.told').innerText"

# The way of a pen over each digit, in a box of 100.
CIRCLE = [(50 + 26 * np.sin(a), 50 - 45 * np.cos(a)) for a in np.linspace(0, 6.28, 33)]
DRAWN = {
    0: [CIRCLE],
    1: [[(35, 25), (52, 5), (52, 95)]],
    2: [[(22, 25), (35, 8), (60, 6), (76, 22), (70, 45), (22, 94), (80, 94)]],
    3: [
        [
            *[(22, 15), (45, 5), (70, 15), (70, 35), (45, 48)],
            *[(72, 58), (78, 78), (55, 95), (20, 86)],
        ]
    ],
    4: [[(60, 5), (15, 65), (85, 65)], [(62, 40), (62, 95)]],
    5: [
        [
            *[(75, 6), (30, 6), (26, 45), (55, 40), (76, 55)],
            *[(76, 78), (55, 94), (22, 86)],
        ]
    ],
    6: [
        [
            *[(65, 5), (40, 25), (26, 60), (30, 85), (50, 94)],
            *[(72, 84), (74, 65), (55, 52), (30, 62)],
        ]
    ],
    7: [[(18, 8), (82, 8), (45, 95)]],
    8: [
        [
            *[(70, 18), (50, 6), (30, 16), (32, 34), (68, 62), (74, 82), (50, 95)],
            *[(26, 82), (32, 62), (68, 34), (70, 18)],
        ]
    ],
    9: [
        [
            *[(74, 32), (55, 52), (30, 45), (26, 22), (48, 6), (72, 14), (74, 32)],
            *[(70, 65), (64, 95)],
        ]
    ],
}


@pytest.fixture(scope="module")
def html(book):
    """A page of the book that begins with the figure, as a notebook stores it."""
    text = (book / PAGE).read_text(encoding="utf-8")
    # The theme's copy for printing has a title, too; it comes first.
    before, title, after = text.rpartition("</h1>")
    assert title
    return before + title + FIGURE.format(figures.Digit().stand_in()) + after


@pytest.fixture
def figure(chromium, address, html):
    """Open pages; what they say on the console or ask of others is collected."""
    contexts, trouble = [], []

    def open_page(width=1100, scheme="light", until=READY, route=None, **options):
        context = chromium.new_context(
            color_scheme=scheme, viewport={"width": width, "height": 900}, **options
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.add_init_script(WATCH)
        page.on("pageerror", lambda error: trouble.append(str(error)))
        if not route:
            page.on(
                "console", lambda said: said.type == "error" and trouble.append(said)
            )
        page.on(
            "request",
            lambda request: (
                request.url.startswith((address, "data:")) or trouble.append(request)
            ),
        )
        page.route(
            f"**/{PAGE}", lambda on: on.fulfill(body=html, content_type="text/html")
        )
        if route:
            page.route(*route)
        page.goto(f"{address}/{PAGE}")
        if until:
            page.wait_for_function(until)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert trouble == []


def place(page, part=".pen"):
    shown = page.locator(f"tt-digit {part}")
    shown.scroll_into_view_if_needed()
    return shown.bounding_box()


def draw(page, strokes, share=0.7):
    """Draw with the mouse, in a part of the square."""
    box = place(page)
    unit = share * box["width"] / 100
    for stroke in strokes:
        points = [
            (box["x"] + 20 + x * unit, box["y"] + 20 + y * unit) for x, y in stroke
        ]
        page.mouse.move(*points[0])
        page.mouse.down()
        for x, y in points[1:]:
            page.mouse.move(x, y, steps=4)
        page.mouse.up()
    page.wait_for_timeout(120)


def cell(page, i, j):
    return page.locator("tt-digit [role=gridcell]").nth(8 * i + j)


READ = """async ([folder, images, cut]) => {
  const { DigitModel } = await import(`${folder}/tt-digit.mjs`);
  const model = await DigitModel.load(new URL("model/", `${folder}/`));
  const list = m => ({shape: [m.rows, m.columns], data: [...m.data]});
  return JSON.stringify(images.map(image => {
    const { logits, layers } = model.vit.read(image, cut);
    return { logits: [...logits],
      layers: layers.map(heads => heads.map(({ weights }) => list(weights))) };
  }));
}"""


@pytest.mark.parametrize("cut", [[], [0, 5, 11]])
def test_logits_and_weights_are_those_of_pytorch(chromium, address, cut):
    model, (_, _, test) = page_vit(), load_digits()
    images = test.images[:COUNT]
    page = chromium.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}/{PAGE}")
    asked = (images[:, 0] * GREYS).int().tolist()
    found = json.loads(page.evaluate(READ, [f"{address}/figures", asked, cut]))
    page.close()
    keep = torch.ones(COUNT, model.config.n_patches, dtype=torch.bool)
    keep[:, cut] = False
    with types_unchecked(), torch.no_grad(), record_attention(model) as kept:
        wanted = model(images, keep).numpy()
    logits = np.array([row["logits"] for row in found])
    assert len(logits) == COUNT
    assert abs(logits - wanted).max() <= 1e-4
    assert logits.std(axis=0).min() > 0.1  # they depend on the image
    for layer, weights in enumerate(kept.values()):
        for row, theirs in zip(found, weights.numpy(), strict=True):
            for head, there in zip(row["layers"][layer], theirs, strict=True):
                ours = np.array(head["data"]).reshape(head["shape"])
                assert abs(ours - there).max() <= 1e-5


def test_the_page_says_how_well_its_model_reads():
    test = load_digits()[2]
    with types_unchecked(), torch.no_grad():
        said = page_vit()(test.images).argmax(dim=1)
    snapshot = INFO["snapshots"][-1]
    assert snapshot["right"] == (said == test.labels).sum()
    assert snapshot["of"] == len(test) == 450
    assert snapshot["right"] / snapshot["of"] >= 0.96
    assert snapshot["same_unrounded"] >= 0.99
    assert "make_page_digits.py, seed 0" in INFO["origin"]
    assert (MODEL / snapshot["file"]).stat().st_size <= 80_000


AS_IMAGES = """async ([folder, drawings]) => {
  const { asImage } = await import(`${folder}/tt-digit.mjs`);
  return drawings.map(asImage);
}"""


@pytest.fixture(scope="module")
def as_images(chromium, address):
    page = chromium.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}/{PAGE}")

    def convert(drawings):
        given = [[[list(p) for p in stroke] for stroke in one] for one in drawings]
        return np.array(page.evaluate(AS_IMAGES, [f"{address}/figures", given]))

    yield convert
    page.close()


def test_drawings_become_what_the_data_set_holds(as_images):
    """As high, as wide and as dark as its images, and slanted alike."""
    found = as_images(DRAWN.values())
    data = (load_digits()[0].images[:, 0] * GREYS).numpy()
    for images in (data, found):
        assert images.min() == 0
        assert images.max() == 16
        assert (images[:, [0, -1]].max(axis=2) > 0).all()  # it fills the box's height
        assert (images[:, :, [0, -1]].mean(axis=1) < 6).all()
        left = (images > 0).argmax(axis=2)
        assert (abs(left[:, 0] - left[:, -1]) <= 1).mean() >= 0.9
        assert 250 < images.sum(axis=(1, 2)).mean() < 320


def test_where_and_how_large_it_is_drawn_changes_nothing(as_images):
    for strokes in DRAWN.values():
        other = [[(7 + x / 4, 90 + y / 4) for x, y in stroke] for stroke in strokes]
        first, second = as_images([strokes, other])
        assert abs(first - second).max() <= 4
        assert (first == second).mean() > 0.95


@pytest.mark.parametrize(
    ("strokes", "rows"),
    [([[(5, 5)]], range(2, 6)), ([[(5, 50), (95, 50)]], range(2, 6))],
    ids=["a dot", "a level line"],
)
def test_what_has_no_height_stays_in_the_middle(as_images, strokes, rows):
    [image] = as_images([strokes])
    assert set(np.nonzero(image.any(axis=1))[0]) <= set(rows)
    assert image.sum() > 0


@pytest.mark.parametrize("digit", DRAWN)
def test_a_drawn_digit_is_read(figure, digit):
    page = figure()
    draw(page, DRAWN[digit])
    assert page.evaluate(RESULT)["digit"] == digit
    assert f"The model reads {digit} (" in page.evaluate(SAID)
    assert page.locator("tt-digit .pen polyline").count() == len(DRAWN[digit])


def test_it_begins_with_an_example_that_is_read_already(figure):
    page = figure()
    first = INFO["examples"][0]
    assert page.evaluate(STATE)["drawing"] is None
    assert page.evaluate(RESULT)["image"] == first["image"]
    assert page.evaluate(RESULT)["digit"] == first["digit"] == 3
    assert "The model reads 3 (" in page.evaluate(SAID)


def test_a_finger_draws_and_does_not_move_the_page(figure):
    page = figure(width=375, has_touch=True)
    box = place(page)
    before = page.evaluate("scrollY")
    session = page.context.new_cdp_session(page)
    x, y = box["x"] + box["width"] / 2, box["y"] + 20
    steps = [("touchStart", 0), *[("touchMove", d) for d in range(5, 160, 5)]]
    for kind, down in steps:
        event = {"type": kind, "touchPoints": [{"x": x, "y": y + down}]}
        session.send("Input.dispatchTouchEvent", event)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(200)
    assert page.evaluate("scrollY") == before
    assert page.evaluate(RESULT)["digit"] == 1
    image = np.array(page.evaluate(STATE)["drawing"])
    assert set(np.nonzero(image.any(axis=0))[0]) <= {2, 3, 4, 5}


def test_a_second_finger_and_another_button_draw_nothing(figure):
    page = figure()
    box = place(page)
    page.mouse.move(box["x"] + 30, box["y"] + 30)
    page.mouse.down(button="right")
    page.mouse.move(box["x"] + 90, box["y"] + 90)
    page.mouse.up(button="right")
    assert page.evaluate(STATE)["drawing"] is None


def test_a_stroke_over_an_example_begins_anew_and_undo_brings_it_back(figure):
    page = figure()
    undo = page.locator("tt-digit").get_by_role("button", name="Undo")
    assert undo.get_attribute("aria-disabled") == "true"
    draw(page, DRAWN[4])
    four = page.evaluate(STATE)["drawing"]
    undo.click()
    assert page.locator("tt-digit .pen polyline").count() == 1
    assert page.evaluate(STATE)["drawing"] != four
    undo.click()
    assert page.evaluate(STATE)["drawing"] is None
    assert page.evaluate(RESULT)["digit"] == 3
    assert undo.get_attribute("aria-disabled") == "true"


def test_clear_leaves_nothing_to_read(figure):
    page = figure()
    page.locator("tt-digit").get_by_role("button", name="Clear").click()
    result = page.evaluate(RESULT)
    assert (result["logits"], result["digit"]) == ([], None)
    assert "Nothing is drawn yet" in page.evaluate(SAID)
    assert page.locator("tt-digit .dot").count() == 0
    assert page.locator("tt-digit .share").first.inner_text() == "–"
    page.locator("tt-digit").get_by_role("button", name="Undo").click()
    assert page.evaluate(RESULT)["digit"] == 3


def test_examples_are_chosen_by_name(figure):
    page = figure()
    choice = page.locator("tt-digit").get_by_label("Example")
    names = choice.locator("option").all_inner_texts()
    assert [name for name in names if name.isdigit()] == [*"3456789012"]
    for name in "706":
        choice.select_option(label=name)
        assert page.evaluate(RESULT)["digit"] == int(name)
        assert choice.input_value() != ""
    hard = [name for name in names if "a hard one" in name]
    assert hard
    choice.select_option(label=hard[0])
    assert page.evaluate(RESULT)["digit"] != int(hard[0][0])


def test_keys_draw_pixel_by_pixel(figure):
    """A bar of two columns, without a mouse."""
    page = figure()
    page.locator("tt-digit").get_by_role("button", name="Clear").focus()
    page.keyboard.press("Enter")
    while (
        page.evaluate(
            "document.querySelector('tt-digit').shadowRoot.activeElement.role"
        )
        != "gridcell"
    ):
        page.keyboard.press("Tab")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    for _ in range(8):
        page.keyboard.press("Space")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Space")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowDown")
    image = np.array(page.evaluate(STATE)["drawing"])
    assert (image[:, 3:5] == 16).all()
    assert image.sum() == 256
    assert page.evaluate(RESULT)["digit"] == 1
    page.keyboard.press("Space")
    for _ in range(5):
        page.keyboard.press("+")
    page.keyboard.press("-")
    assert page.evaluate(STATE)["drawing"][7][3] == 4
    label = cell(page, 7, 3).get_attribute("aria-label")
    assert label.startswith("row 8, column 4: ink 4 of 16, its patch ")
    page.keyboard.press("Home")
    assert page.evaluate(STATE)["cell"] == [7, 0]
    page.locator("tt-digit").get_by_role("button", name="Undo").click()
    assert page.evaluate(STATE)["drawing"][7][3] == 16


def test_buttons_change_the_ink_of_the_chosen_pixel(figure):
    page = figure()
    more = page.locator("tt-digit").get_by_role("button", name="More ink")
    assert more.get_attribute("aria-disabled") == "true"
    cell(page, 0, 0).click()
    more.click(click_count=2)
    assert page.evaluate(STATE)["drawing"][0][0] == 2
    page.locator("tt-digit").get_by_role("button", name="Less ink").click()
    assert page.evaluate(STATE)["drawing"][0][0] == 1


def test_what_is_read_is_announced_once_the_reader_pauses(figure):
    page = figure()
    told = page.locator("tt-digit .unseen[role=status]")
    assert told.inner_text() == ""
    page.locator("tt-digit").get_by_label("Example").select_option(label="7")
    assert told.inner_text() == ""
    page.wait_for_timeout(900)
    assert told.inner_text().startswith("The model reads 7, ")


def test_everything_has_a_name(figure):
    page = figure()
    for role, name in [
        ("grid", "The image of 8 × 8 pixels that the model sees"),
        ("list", "Probability of each digit"),
        ("combobox", "Layer"),
        ("combobox", "Heads"),
        ("img", "Your drawing. It takes a mouse, a pen or a finger."),
    ]:
        assert (
            page.locator("tt-digit").get_by_role(role, name=name, exact=True).count()
            == 1
        )
    assert page.locator("tt-digit").get_by_role("gridcell").count() == 64
    assert page.locator("tt-digit [role=gridcell][tabindex='0']").count() == 1


def test_dots_are_the_weights_of_the_class_token(figure):
    page, model = figure(), page_vit()
    image = torch.tensor(INFO["examples"][0]["image"])[None, None] / GREYS
    with types_unchecked(), torch.no_grad(), record_attention(model) as kept:
        model(image)
    for layer, weights in enumerate(kept.values()):
        page.locator("tt-digit").get_by_label("Layer").select_option(index=layer)
        for head in ("mean", 1):
            page.locator("tt-digit").get_by_label("Heads").select_option(str(head))
            row = weights[0].mean(dim=0)[0] if head == "mean" else weights[0, head, 0]
            widths = page.locator("tt-digit .dot").evaluate_all(
                "dots => dots.map(dot => parseFloat(dot.style.width))"
            )
            wanted = 0.92 * 12.5 * (row[1:].clamp(max=0.25) / 0.25).sqrt()
            assert widths == pytest.approx(wanted.tolist(), abs=1e-2)


def test_a_pixel_shows_its_patch_and_its_weight(figure):
    page = figure()
    cell(page, 4, 4).hover()
    about = page.locator("tt-digit .about")
    assert "Row 5, column 5" in about.inner_text()
    assert "Patch 22 of 36 (rows 4 to 6, columns 4 to 6) gets" in about.inner_text()
    assert page.evaluate(STATE)["cell"] is None
    frame = page.locator("tt-digit .patch").bounding_box()
    box = place(page, ".pixels")
    assert frame["width"] == pytest.approx(3 * (box["width"] - 2) / 8, abs=1)
    page.mouse.move(1, 1)
    assert "Point at a pixel" in about.inner_text()
    cell(page, 0, 7).click()
    page.mouse.move(1, 1)
    assert "Patch 6 of 36 (rows 1 to 3, columns 6 to 8)" in about.inner_text()
    assert page.evaluate(STATE)["cell"] == [0, 7]


def test_a_patch_can_be_left_out_and_brought_back(figure):
    page = figure()
    before = page.evaluate(RESULT)["logits"]
    leave = page.locator("tt-digit").get_by_role("button", name="Leave the patch out")
    assert leave.get_attribute("aria-disabled") == "true"
    cell(page, 2, 3).click()
    leave.click()
    assert page.evaluate(STATE)["cut"] == [8]
    assert page.evaluate(RESULT)["logits"] != before
    assert "without 1 patch; with all, 3 (" in page.evaluate(SAID)
    assert cell(page, 2, 3).get_attribute("aria-label").endswith("its patch left out")
    assert page.locator("tt-digit .dot").count() == 35
    cell(page, 7, 7).click()
    page.locator("tt-digit").get_by_role("button", name="Leave the patch out").click()
    page.locator("tt-digit").get_by_role("button", name="Bring the patch back").click()
    assert page.evaluate(STATE)["cut"] == [8]
    page.locator("tt-digit").get_by_role("button", name="Bring all back").click()
    assert page.evaluate(RESULT)["logits"] == before
    page.evaluate("document.querySelector('tt-digit').state = { cut: [8, 99] }")
    assert "without 1 patch;" in page.evaluate(SAID)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_accessible_and_fits(figure, scheme):
    page = figure(scheme=scheme)
    draw(page, DRAWN[5])
    cell(page, 2, 3).click()
    page.locator("tt-digit").get_by_role("button", name="Leave the patch out").click()
    # The theme's own button may be in the midst of appearing.
    page.evaluate("document.getElementById('pst-back-to-top')?.remove()")
    page.evaluate(AXE_SCRIPT)
    for width in (320, 375, 800, 1440):
        resize(page, {"width": width, "height": 900})
        page.evaluate(SETTLED, width)
        assert page.evaluate(AXE, "tt-digit") == [], width
        assert too_wide(page) == [], width


def test_whatever_is_pressed_is_large_enough(figure):
    page = figure(width=320)
    parts = page.locator("tt-digit").locator("button, select, [role=gridcell]").all()
    for part in parts:
        box = part.bounding_box()
        assert min(box["width"], box["height"]) >= 24, part.evaluate("e => e.outerHTML")
    assert len(parts) == 73


HEIGHT = "document.querySelector('tt-digit').getBoundingClientRect().height"


@pytest.mark.parametrize("width", [1100, 375, 320])
def test_nothing_moves_while_one_draws_and_looks(figure, width):
    page = figure(width=width)
    heights = {page.evaluate(HEIGHT)}
    draw(page, DRAWN[8])
    heights.add(page.evaluate(HEIGHT))
    for i in (0, 4, 7):
        cell(page, i, i).click()
        heights.add(page.evaluate(HEIGHT))
    page.locator("tt-digit").get_by_role("button", name="Clear").click()
    heights.add(page.evaluate(HEIGHT))
    assert len(heights) == 1


@pytest.mark.parametrize("width", [1280, 700, 375])
def test_it_takes_the_room_of_what_stands_in_for_it(figure, width):
    page = figure(width=width)
    page.wait_for_timeout(500)
    assert page.evaluate("visit.shift") < 0.005


def test_without_scripts_a_picture_and_a_text_stand_there(figure):
    page = figure(until=None, java_script_enabled=False)
    picture = page.locator("tt-digit img")
    assert picture.is_visible()
    assert picture.get_attribute("alt") == figures.Digit.summary
    assert page.locator("tt-digit p").first.is_visible()


def test_on_paper_a_picture_stands_there(figure):
    page = figure()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator("img.tt-printed").is_visible()
    assert page.locator("tt-digit").is_hidden()


@pytest.mark.parametrize(
    ("pattern", "answer", "told"),
    [
        ("**/*.safetensors.gz", {"status": 404}, "could not be fetched (404)"),
        ("**/*.safetensors.gz", {"body": b"\x1f\x8b\x08"}, "is damaged"),
        ("**/digits.json", {"body": "{"}, "description is damaged"),
    ],
)
def test_a_missing_or_cut_file_leaves_the_picture(figure, pattern, answer, told):
    page = figure(until=None, route=(pattern, lambda route: route.fulfill(**answer)))
    page.wait_for_function("document.querySelector('tt-digit[broken]')")
    assert told in page.locator("tt-digit .message").inner_text()
    assert page.locator("tt-digit img").is_visible()


@pytest.mark.parametrize(
    "state",
    [
        {"drawing": [[17] * 8] * 8},
        {"drawing": [[1] * 8] * 7},
        {"cell": [8, 0], "head": -1, "layer": 1.5},
        {"drawing": "<img src=x onerror=alert(1)>"},
        {"toString": 1, "__proto__": 2},
    ],
)
def test_a_state_that_cannot_be_does_no_harm(figure, state):
    page = figure()
    before = page.evaluate(STATE)
    page.evaluate(
        "state => { document.querySelector('tt-digit').state = state; }", state
    )
    assert page.evaluate(STATE) == before


def test_a_layer_or_head_that_the_model_lacks_is_its_last_or_the_mean(figure):
    page = figure()
    page.evaluate("document.querySelector('tt-digit').state = { layer: 9, head: 9 }")
    assert page.locator("tt-digit").get_by_label("Layer").input_value() == "2"
    assert page.locator("tt-digit").get_by_label("Heads").input_value() == "mean"
