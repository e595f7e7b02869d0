"""The figures inside chapters: a question first, then something to move."""

import json
import re

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from traitlets import TraitError
from visit import AXE, UNVEIL, resize, too_wide

from tt_utils import figures

HOMES = {
    "tt-dot-product": "01_dot_product",
    "tt-soft-lookup": "03_soft_lookup",
    "tt-scale": "05_scaled_dot_product",
    "tt-masks": "08_masks",
    "tt-clocks": "09_position",
}
RIGHT = {
    "tt-dot-product": "it stays 0",
    "tt-soft-lookup": "to 3, between 4 and 2",
    "tt-scale": "never",
    "tt-masks": "18",
    "tt-clocks": "the fastest",
}


@pytest.fixture
def figure(chromium, address):
    contexts, trouble = [], []

    def open_figure(tag, width=1100, scheme="light", touch=False):
        view = {"width": width, "height": 900}
        context = chromium.new_context(
            color_scheme=scheme, viewport=view, has_touch=touch
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.goto(f"{address}/notebooks/{HOMES[tag]}.html")
        page.evaluate(UNVEIL)
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
    state = page.evaluate(script, [f"{address}/figures/{tag}.mjs", tag])
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
VALUES += [[7, 0], [8, 0], [0, -1], [[0] * 8] * 8, [[16] * 8] * 8, [[17] * 8] * 8]
VALUES += [[[0] * 8] * 7, [[0] * 7] * 8, [[0.5] * 8] * 8, [[True] * 8] * 8]
VALUES += [["encoder.layers.0.residuals.1"], ["encoder.layers.0", "all"]]
VALUES += [["encoder", 1, 2], ["encoder", 1], ["cross", 1, 2], ["decoder", -1, 2]]
VALUES += [9, 10, 13, 14, "13", "decoder.norm_3", "encoder.norm_3", "encoder", "word"]
TAKEN = """async ([script, tag, states]) => {
  await import(script);
  return states.map((state) => {
    const figure = document.createElement(tag);
    figure.state = state;
    const [[key, value]] = Object.entries(state);
    return JSON.stringify(figure.state[key]) === JSON.stringify(value);
  });
}"""


LARGE = [figures.Architecture, figures.Digit, figures.Film]


@pytest.mark.parametrize("kind", LARGE)
def test_the_page_takes_what_the_traits_take(chromium, address, kind):
    """A link's state is tested in the page, a notebook's by the traits."""
    figure, states, by_traits = kind(), [], []
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
    script = f"{address}/figures/{figure._tag}.mjs"
    by_page = page.evaluate(TAKEN, [script, figure._tag, states])
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


FOCUSED = "f => f.shadowRoot.activeElement?.textContent"


@pytest.mark.parametrize("tag", HOMES)
def test_the_focus_stays_on_the_answer(figure, tag):
    found = figure(tag)
    found.get_by_role("button", name=RIGHT[tag]).focus()
    found.page.keyboard.press("Enter")
    assert found.evaluate(FOCUSED) == RIGHT[tag]
    told = found.locator("[role=status]").first.inner_text()
    found.get_by_role("button", name="just show me").click(force=True)
    assert found.locator("[role=status]").first.inner_text() == told


@pytest.mark.parametrize("tag", HOMES)
def test_a_quiet_way_out_shows_the_figure(figure, tag):
    found = figure(tag)
    found.get_by_role("button", name="just show me").click()
    told = found.locator("[role=status]").first.inner_text()
    assert told.startswith(f"Answer: {RIGHT[tag]}.")
    assert found.locator("svg, table").first.is_visible()


@pytest.mark.parametrize("tag", ["tt-scale", "tt-clocks"])
def test_an_answer_outlasts_a_reload_and_no_more(figure, tag):
    found = opened(figure, tag)
    found.page.reload()
    found.page.evaluate(UNVEIL)
    found.locator("button[aria-pressed=true]").wait_for()
    assert found.locator("svg").is_visible()
    assert figure(tag).locator("svg").is_hidden()


def swipe(found, part):
    """Draw a finger 160 px up over a part; gives by how much the page has moved."""
    page = found.page
    part.evaluate("part => part.scrollIntoView({block: 'center'})")
    page.wait_for_timeout(200)
    box = part.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before = page.evaluate("scrollY")
    session = page.context.new_cdp_session(page)
    for kind, places in [
        ("touchStart", [0]),
        *[("touchMove", [up]) for up in range(10, 161, 10)],
        ("touchEnd", []),
    ]:
        points = [{"x": x, "y": y - up} for up in places]
        event = {"type": kind, "touchPoints": points}
        session.send("Input.dispatchTouchEvent", event)
        page.wait_for_timeout(16)
    page.wait_for_timeout(200)
    return page.evaluate("scrollY") - before


@pytest.mark.parametrize("tag", HOMES)
def test_a_finger_on_a_figure_moves_the_page(figure, tag):
    found = opened(figure, tag, width=375, touch=True)
    assert swipe(found, found.locator("svg, table").first) > 100


def test_a_finger_on_a_tip_moves_the_tip(figure):
    found = opened(figure, "tt-dot-product", width=375, touch=True)
    tip = found.get_by_label("tip of v")
    assert swipe(found, tip) == 0
    assert found.evaluate("f => f.state.v[1]") > 3


@pytest.mark.parametrize("tag", HOMES)
def test_whatever_is_pressed_or_drawn_is_large_enough(figure, tag):
    found = opened(figure, tag, width=320)
    for part in found.locator("button:visible, select, input, [tabindex]").all():
        box = part.bounding_box()
        assert min(box["width"], box["height"]) >= 24, part.evaluate("e => e.outerHTML")


def test_the_mask_fits_a_narrow_phone(figure):
    found = opened(figure, "tt-masks", width=320)
    wide = found.locator(".scroll").evaluate("e => e.scrollWidth - e.clientWidth")
    assert wide == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("tag", HOMES)
def test_an_open_figure_is_accessible_and_fits(figure, tag, scheme):
    found = opened(figure, tag, scheme=scheme)
    page = found.page
    # The theme lays a pale ground under a notebook's HTML in the dark.
    assert found.evaluate(
        "f => getComputedStyle(f.parentElement).background"
    ).startswith("rgba(0, 0, 0, 0)")
    page.evaluate(AXE_SCRIPT)
    for width in (320, 375, 800, 1440):
        resize(page, {"width": width, "height": 900})
        assert page.evaluate(AXE, tag) == [], width
        assert too_wide(page) == [], width


def test_arrow_keys_turn_a_vector(figure):
    found = opened(figure, "tt-dot-product")
    result = found.locator("p.number")
    assert "= 0.00; cosine 0.00" in result.inner_text()
    found.get_by_label("tip of u").focus()
    found.page.keyboard.press("ArrowUp")
    assert "u = (3.00, 1.25)" in result.inner_text()
    assert "= 0.75;" in result.inner_text()


def test_places_at_right_angles_leave_a_trace(figure):
    found = opened(figure, "tt-dot-product")
    marks = found.locator("circle.found")
    assert marks.count() == 1
    for v in ([1, -3], [0, 1], [-0.5, 1.5]):
        found.evaluate("(f, v) => { f.state = { v }; }", v)
    assert marks.count() == 3
    found.evaluate("f => { f.state = { u: [2, 2] }; }")
    assert marks.count() == 0


def test_the_angle_and_the_reach_along_u_are_drawn(figure):
    found = opened(figure, "tt-dot-product")
    found.evaluate("f => { f.state = { u: [2, 0], v: [1, 1] }; }")
    assert "45°" in found.locator("svg text").all_text_contents()
    assert "v reaches 1.00 along u" in found.locator("p.number").inner_text()
    found.evaluate("f => { f.state = { u: [0, 0] }; }")
    assert not any("°" in t for t in found.locator("svg text").all_text_contents())


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
    found.evaluate("f => { f.state = { query: 1, temperature: 0.03 }; }")
    assert "= 3.00" in found.locator("p.number").inner_text()
    slide(found, "query", 0)
    slide(found, "temperature", 1.5)
    assert "= 2.3" in found.locator("p.number").inner_text()
    slide(found, "temperature", -1.5)
    assert "= 4.00" in found.locator("p.number").inner_text()


def test_the_scale_keeps_the_order_of_the_keys(figure):
    found = opened(figure, "tt-scale")
    largest = """f => {
      const heights = [...f.shadowRoot.querySelectorAll("rect")]
        .map(bar => Number(bar.getAttribute("height")));
      return [0, 8].map(from => {
        const bars = heights.slice(from, from + 8);
        return bars.indexOf(Math.max(...bars));
      });
    }"""
    for seed in range(1, 40):
        found.evaluate("(f, seed) => { f.state = { seed, d_k: 64 }; }", seed)
        plain, scaled = found.evaluate(largest)
        assert plain == scaled


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
        ("hide the future", lambda i, j: j >= i, "a word may attend to itself"),
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


def test_positions_44_apart_look_alike_to_the_fastest_clock(figure):
    found = opened(figure, "tt-clocks")
    slide(found, "distance s", 44)
    turned = [t for t in found.locator("svg text").all_text_contents() if "turned" in t]
    assert turned[0] == "turned 1°"
    assert turned[1:] == ["turned 77°", "turned 252°", "turned 80°"]


def test_eighteen_cells_of_the_mask_for_both_are_open(figure):
    found = opened(figure, "tt-masks")
    found.get_by_label("Your task:").select_option("hide both")
    for n, button in enumerate(found.locator("td button").all()):
        i, j = divmod(n, 6)
        if j > i or j > 3:
            button.click()
    found.get_by_role("button", name="Check").click()
    assert "Right" in found.locator("[role=status]").last.inner_text()
    assert found.locator("td button[aria-pressed=true]").count() == 18
