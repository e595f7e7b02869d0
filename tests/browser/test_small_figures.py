"""The figures inside chapters: a question first, then something to move."""

import json
import re

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from traitlets import TraitError
from visit import AXE, too_wide

from tt_utils import figures

HOMES = {
    "tt-dot-product": "01_dot_product",
    "tt-soft-lookup": "04_soft_lookup",
    "tt-scale": "05_scaled_dot_product",
    "tt-masks": "08_masks",
    "tt-clocks": "09_position",
}
RIGHT = {
    "tt-dot-product": "it stays 0",
    "tt-soft-lookup": "to 2.33, the mean of all three",
    "tt-scale": "nearly all of it",
    "tt-masks": "the last two columns",
    "tt-clocks": "the same",
}


@pytest.fixture
def figure(chromium, address):
    contexts, trouble = [], []

    def open_figure(tag, width=1100, scheme="light"):
        view = {"width": width, "height": 900}
        context = chromium.new_context(color_scheme=scheme, viewport=view)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.goto(f"{address}/notebooks/{HOMES[tag]}.html")
        found = page.locator(tag)
        found.locator("button").first.wait_for()
        return found

    yield open_figure
    for context in contexts:
        context.close()
    assert trouble == []


def opened(figure, tag, **view):
    found = figure(tag, **view)
    found.get_by_role("button", name=RIGHT[tag]).click()
    return found


def slide(found, name, value):
    found.get_by_label(name).evaluate(
        "(e, value) => { e.value = value; e.dispatchEvent(new Event('input')); }", value
    )


@pytest.mark.parametrize("tag", HOMES)
def test_the_figure_comes_after_an_answer(figure, tag):
    found = figure(tag)
    assert found.locator("svg, table").first.is_hidden()
    found.get_by_role("button", name=RIGHT[tag]).click()
    assert found.locator("[role=status]").first.inner_text().startswith("Right.")
    assert found.locator("svg, table").first.is_visible()


@pytest.mark.parametrize("kind", [getattr(figures, name) for name in figures.__all__])
def test_page_and_notebook_begin_with_the_same_state(chromium, address, kind):
    page = chromium.new_page()
    page.goto(f"{address}/book/notation.html")
    script = """async ([script, tag]) => {
      await import(script);
      return document.createElement(tag).state;
    }"""
    tag = kind.class_traits()["_tag"].default_value
    state = page.evaluate(script, [f"{address}/figures/all.mjs", tag])
    page.close()
    assert state == {name: to_json(getattr(kind(), name)) for name in state}
    assert sorted(state) == kind.class_trait_names(state=True)


def to_json(value):
    return json.loads(json.dumps(value))


VALUES = [None, True, 0, 3, -1, 1.5, "", "mean", "cross", {}, []]
VALUES += ["cross.0.2", "cross.0.2\n", "cross.0.22", "cross.٠.٢"]
VALUES += ["step-0.safetensors.gz", "../model.json"]
VALUES += [[1], [1, 2], [-1, 2], [1.5, 2], [True, 2], [[1, 2]]]
VALUES += [["cross"], ["cross.0.2"], ["cross.0.2", "all"], [["cross.0.2"]]]
TAKEN = """async ([script, states]) => {
  await import(script);
  return states.map((state) => {
    const figure = document.createElement("tt-translator");
    figure.state = state;
    const [[key, value]] = Object.entries(state);
    return JSON.stringify(figure.state[key]) === JSON.stringify(value);
  });
}"""


def test_the_translators_page_takes_what_its_traits_take(chromium, address):
    """A link's state is tested in the page, a notebook's by the traits."""
    figure, states, by_traits = figures.Translator(), [], []
    for name in figure.class_trait_names(state=True):
        for value in VALUES:
            try:
                setattr(figure, name, value)
            except TraitError:
                by_traits.append(False)
                states.append({name: value})
            else:
                by_traits.append(True)
                states.append({name: to_json(getattr(figure, name))})
    page = chromium.new_page()
    page.goto(f"{address}/book/notation.html")
    by_page = page.evaluate(TAKEN, [f"{address}/figures/all.mjs", states])
    page.close()
    rows = zip(states, by_traits, by_page, strict=True)
    assert [state for state, trait, shown in rows if trait != shown] == []


@pytest.mark.parametrize("tag", HOMES)
def test_a_wrong_answer_is_told_the_right_one(figure, tag):
    found = figure(tag)
    buttons = found.locator("button:visible")
    wrong = next(
        button for button in buttons.all() if button.inner_text() != RIGHT[tag]
    )
    wrong.click()
    told = found.locator("[role=status]").first.inner_text()
    assert told.startswith(f"No: {RIGHT[tag]}.")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("tag", HOMES)
def test_an_open_figure_is_accessible_and_fits_a_phone(figure, tag, scheme):
    found = opened(figure, tag, width=375, scheme=scheme)
    page = found.page
    # The theme lays a pale ground under a notebook's HTML in the dark.
    assert found.evaluate(
        "f => getComputedStyle(f.parentElement).background"
    ).startswith("rgba(0, 0, 0, 0)")
    page.evaluate(AXE_SCRIPT)
    assert page.evaluate(AXE) == []
    assert too_wide(page) == []


def test_arrow_keys_turn_a_vector(figure):
    found = opened(figure, "tt-dot-product")
    result = found.locator("p.number")
    assert "= 0.00; cosine 0.00" in result.inner_text()
    found.get_by_label("tip of u").focus()
    found.page.keyboard.press("ArrowUp")
    assert "u = (3.00, 1.25)" in result.inner_text()
    assert "= 0.75;" in result.inner_text()


def test_a_vector_follows_the_pointer(figure):
    found = opened(figure, "tt-dot-product")
    found.get_by_label("tip of u").scroll_into_view_if_needed()
    box = found.get_by_label("tip of u").bounding_box()
    mouse = found.page.mouse
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse.move(x, y)
    mouse.down()
    mouse.move(x - 100, y, steps=5)
    mouse.up()
    shown = re.search(r"u = \((\S+),", found.locator("p.number").inner_text())[1]
    assert float(shown) < 2


def test_heat_leads_to_the_mean_and_cold_to_the_nearest(figure):
    found = opened(figure, "tt-soft-lookup")
    slide(found, "temperature", 1.5)
    assert "= 2.3" in found.locator("p.number").inner_text()
    slide(found, "temperature", -1.5)
    assert "= 4.00" in found.locator("p.number").inner_text()


def test_the_scale_keeps_softmax_from_saturating(figure):
    found = opened(figure, "tt-scale")
    plain, scaled = map(
        float,
        re.findall(r"(\d\.\d\d) with(?:out)?", found.locator("p.number").inner_text()),
    )
    assert scaled < 0.8 < plain


@pytest.mark.parametrize(
    ("task", "closed", "told"),
    [
        ("hide the padding", lambda i, j: j > 3, "Right"),
        ("hide the padding", lambda i, j: i > 3, "lets padding be seen"),
        ("hide the future", lambda i, j: j > i, "Right"),
        ("hide the future", lambda i, j: j >= i, "a word may look at itself"),
        ("hide the future", lambda i, j: j < i, "see a later one"),
        ("hide both", lambda i, j: j > i or j > 3, "Right"),
        ("hide both", lambda i, j: j > i, "lets padding be seen"),
    ],
)
def test_a_mask_is_checked_and_the_first_wrong_cell_named(figure, task, closed, told):
    found = opened(figure, "tt-masks")
    found.get_by_label("Your task:").select_option(task)
    buttons = found.locator("td button").all()
    for n, button in enumerate(buttons):
        if closed(*divmod(n, 6)):
            button.click()
    found.get_by_role("button", name="Check").click()
    assert told in found.locator("[role=status]").last.inner_text()


def test_positions_equally_far_apart_have_equal_products(figure):
    found = opened(figure, "tt-clocks")
    product = r"= (\S+) \("
    shown = found.locator("p.number")
    before = re.search(product, shown.inner_text())[1]
    slide(found, "position p", 53)
    assert "PE(53) · PE(58)" in shown.inner_text()
    assert re.search(product, shown.inner_text())[1] == before
