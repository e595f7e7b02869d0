"""The large figures where readers meet them: in a chapter, in a window."""

import pytest

PHONE = {"viewport": {"width": 375, "height": 812}, "color_scheme": "dark"}
LAPTOP = {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light"}
VIEWS = {"phone": PHONE, "laptop": LAPTOP}

# What a reader sees of a part: the share of its height in the window, below the page's
# header, that nothing lies over.
IN_SIGHT = """part => {
  const { left, top, width, height } = part.getBoundingClientRect();
  const x = Math.max(left, 0) + Math.min(width, innerWidth) / 2;
  const seen = (y) => part.contains(part.getRootNode().elementFromPoint(x, y));
  const lines = Array.from({ length: 20 }, (_, i) => top + ((i + 0.5) / 20) * height);
  return lines.filter((y) => y > 0 && y < innerHeight && seen(y)).length / 20;
}"""


@pytest.fixture
def visit(chromium, address):
    contexts, trouble = [], []

    def open_page(name, view):
        context = chromium.new_context(**VIEWS[view], reduced_motion="reduce")
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.goto(f"{address}/{name}.html")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert trouble == []


MAPS = {
    "10_feed_forward_residual_norm": 1,
    "11_encoder": 1,
    "12_decoder": 1,
    "13_whole_model": 1,
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", MAPS)
def test_the_panel_of_a_chosen_block_is_in_sight(visit, name, view):
    page = visit(f"notebooks/{name}", view)
    # One of the maps lies under the veil of a prediction.
    page.get_by_text("Show without predicting").first.click()
    page.get_by_label("Always show everything").first.check()
    maps = page.locator("tt-architecture")
    maps.locator("svg").first.wait_for()
    assert maps.count() == MAPS[name]
    for one in maps.all():
        for block in ("source tokens", "self-attention", "feed-forward", "softmax"):
            radio = one.locator(f'[role=radio][aria-label^="{block}:"]').first
            radio.evaluate("radio => radio.scrollIntoView({block: 'center'})")
            radio.dispatch_event("click")
            assert one.locator(".panel").evaluate(IN_SIGHT) == 1, block
            assert radio.evaluate(IN_SIGHT) > 0.5, block


def test_the_heads_of_chapter_7_are_compared_and_its_steps_stay_in_sight(visit):
    page = visit("notebooks/07_many_heads", "phone")
    figure = page.locator("tt-film")
    table = figure.get_by_role("grid", name="Weights of the heads")
    lines = [line.split("\t") for line in table.inner_text().split("\n")]
    rows = {name: cells[:7] for name, *cells in lines if name.startswith("head")}
    cat = ["the", "black", "cat"].index("cat")
    assert len(rows) == 4
    assert [name for name in rows if rows[name][cat] == max(rows[name])] == ["head 2"]
    assert float(rows["head 2"][cat]) > 0.5
    assert figure.locator(".title", has_text="Decoder").count() == 0
    for part in (".heads", ".panel"):
        figure.locator(part).first.evaluate("e => e.scrollIntoView({block: 'end'})")
        assert figure.locator(".bar").evaluate(IN_SIGHT) == 1, part


def test_the_tour_begins_with_the_film_and_its_buttons_stay_in_sight(visit):
    page = visit("notebooks/00_tour", "phone")
    figure = page.locator("tt-film")
    figure.locator(".said b").wait_for()
    after = page.locator("article tt-film ~ p, .cell:has(tt-film) ~ p").first
    assert after.inner_text().startswith("Each word has a lane")
    figure.locator(".panel").evaluate("e => e.scrollIntoView({block: 'end'})")
    assert figure.locator(".bar").evaluate(IN_SIGHT) == 1
