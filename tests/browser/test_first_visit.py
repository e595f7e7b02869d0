"""A first visit: what travels, what jumps, what flashes, and how far the text is.

Its seconds are the machine's as well: no test asks for them, `-rP -k light` shows them.
"""

import io
import re

import browser
import first_visit
import pytest
from PIL import Image, ImageStat
from playwright.sync_api import expect

HEAVIEST = 500_000  # bytes, without the notebook's pictures
MODEL = 320_000  # more, where a translator lives on the first screen
MOST_STOPS = 5
PAGES = (
    "book/welcome.html",
    "book/glossary.html",
    "notebooks/05_scaled_dot_product.html",
    "notebooks/09_position.html",
    "notebooks/13_whole_model.html",
    "book/film.html",
)
LIVE = ("book/welcome.html", "book/film.html")
PLAIN = "notebooks/00b_pytorch.html"  # no live figure on the first screen
WIDE = {"width": 1440, "height": 900}
PHONE = {"width": 375, "height": 812}
DARKEST_GREY = 60  # of 255
LIKE_TIMES = """() => document.fonts.load('1em "Times for Source Serif"')
  .then(() => true, () => false)"""


@pytest.fixture(scope="module")
def compressed(book):
    with browser.serving(book, first_visit.GzipHandler) as address:
        yield address


@pytest.fixture(scope="module")
def like_times(chromium, compressed) -> bool:
    page = chromium.new_page()
    page.goto(f"{compressed}/{PAGES[0]}")
    found = page.evaluate(LIKE_TIMES)
    page.close()
    return found


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_light_and_stays_where_it_is(chromium, compressed, like_times, page):
    visit = first_visit.visit(chromium, f"{compressed}/{page}")
    print(visit)
    extra = MODEL if page in LIVE else 0
    assert visit.bytes <= HEAVIEST + extra
    if not like_times:
        pytest.skip("needs a font as wide as Times: apt install fonts-liberation")
    assert visit.shift <= first_visit.STILL


def test_the_text_stands_where_it_will_before_its_figure_is_read(chromium, book):
    page = chromium.new_page(viewport=WIDE)
    whole = (book / "book" / "film.html").read_text("utf-8")
    start = whole[: whole.index("<tt-film")]
    boxes = []
    with browser.serving(book) as address:
        page.goto(f"{address}/book/film.html")
        boxes.append(page.locator("article p").first.bounding_box())
        page.route("**/film.html", lambda route: route.fulfill(body=start))
        page.goto(f"{address}/book/film.html")
        boxes.append(page.locator("article p").first.bounding_box())
    page.close()
    assert boxes[0] == boxes[1]


SMALL = {
    "tt-dot-product": "01_dot_product",
    "tt-soft-lookup": "03_soft_lookup",
    "tt-scale": "05_scaled_dot_product",
    "tt-masks": "08_masks",
    "tt-clocks": "09_position",
}


ROOM = """figure => {
  const [outer, inner] = [figure.parentElement, figure]
    .map(e => e.getBoundingClientRect());
  return [inner.top - outer.top, inner.height, outer.height];
}"""
LINES = 36  # px: with another font a question may have a line more


@pytest.mark.parametrize("view", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("tag", SMALL)
def test_a_small_figure_that_comes_late_moves_nothing(chromium, address, tag, view):
    page = chromium.new_page(viewport=view)
    held = []
    page.route("**/figures/tt-*.mjs", lambda route: held.append(route))
    page.goto(f"{address}/notebooks/{SMALL[tag]}.html", wait_until="commit")
    figure = page.locator(tag)
    figure.wait_for(state="attached")
    page.wait_for_function("document.readyState === 'interactive'")
    figure.evaluate("figure => figure.scrollIntoView({ block: 'center' })")
    before = figure.evaluate(ROOM)
    for route in held:
        route.continue_()
    figure.get_by_text("Predict first.").wait_for()
    assert figure.evaluate(ROOM) == pytest.approx(before, abs=LINES)
    page.close()


def test_a_small_figure_whose_script_never_comes_shows_its_picture(chromium, address):
    page = chromium.new_page()
    page.route("**/figures/tt-*.mjs", lambda route: route.abort())
    page.goto(f"{address}/notebooks/{SMALL['tt-scale']}.html")
    picture = page.locator("tt-scale img")
    assert not picture.is_visible()
    picture.wait_for(timeout=20_000)
    box = page.locator("tt-scale").bounding_box()
    assert box["height"] > picture.bounding_box()["height"]
    page.close()


@pytest.mark.parametrize("view", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize(
    "page", ["search.html?q=cosine", "book/glossary.html", "book/glossary.html#softmax"]
)
def test_pages_to_look_things_up_do_not_move(chromium, compressed, page, view):
    context, tab = first_visit.newcomer(chromium, slow=False, viewport=view)
    tab.goto(f"{compressed}/{page}", wait_until="networkidle")
    if page.startswith("search"):
        tab.locator(".tt-results li").first.wait_for()
    tab.wait_for_timeout(500)
    assert tab.evaluate("visit.shift") < 0.005
    context.close()


@pytest.mark.parametrize("page", PAGES)
def test_the_text_is_a_few_tab_stops_away(chromium, compressed, page):
    stops = first_visit.tab_stops(chromium, f"{compressed}/{page}")
    assert len(stops) <= MOST_STOPS, stops


def grounds(picture: bytes) -> list[float]:
    """How light the picture's edges are, where only the ground shows."""
    image = Image.open(io.BytesIO(picture)).convert("L")
    width, height = image.size
    corners = [(0, 0), (width - 20, 0), (0, height - 20), (width - 20, height - 20)]
    boxes = [image.crop((x, y, x + 20, y + 20)) for x, y in corners]
    return [ImageStat.Stat(box).mean[0] for box in boxes]


@pytest.mark.parametrize("page", PAGES[2:3])
def test_nothing_flashes_white_in_the_dark(chromium, compressed, page):
    frames = first_visit.film(chromium, f"{compressed}/{page}", "dark")
    assert frames
    assert max(max(grounds(frame)) for frame in frames) < DARKEST_GREY


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_without_scripts_a_page_wears_its_colours(chromium, compressed, scheme):
    looks = []
    for scripts in (True, False):
        context = chromium.new_context(
            color_scheme=scheme,
            java_script_enabled=scripts,
            viewport=first_visit.VIEW,
            reduced_motion="reduce",
        )
        page = context.new_page()
        page.goto(f"{compressed}/{PLAIN}")
        page.wait_for_timeout(500)
        article = page.locator("article > section > p, article pre").first
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        looks.append((picture.getpixel((700, 880)), article.bounding_box()))
        colours = picture.crop((280, 80, 980, 850)).getcolors(1 << 20)
        looks[-1] += ({colour for count, colour in colours if count > 500},)
        context.close()
    assert looks[0] == looks[1]


@pytest.mark.parametrize(
    ("question", "first", "sentence"),
    [
        ("why divide by sqrt", "05 · Scaled dot product", "√"),
        ("sofmax saturates", "05 · Scaled dot product", "is called saturated"),
        ("LLM", "Glossary › Language model", "LLMs"),
        ("ChatGPT", "Glossary › Language model", "ChatGPT"),
        ("backprop", "Glossary › Backpropagation", "Backprop for short"),
        ("hallucination", "Glossary › Hallucination", "hallucinat"),
        ("attention is all you need", "Glossary › Transformer", "all you need"),
    ],
)
def test_the_search_finds_sentences_while_one_types(
    chromium, compressed, question, first, sentence
):
    page = chromium.new_page(viewport=first_visit.VIEW)
    page.goto(f"{compressed}/book/how_to_use.html")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.keyboard.press("Control+k")
    page.keyboard.type(question)
    found = page.locator("#pst-search-dialog .tt-results li").first
    # What stood there while the question was still shorter makes room.
    expect(found.locator("a")).to_have_text(re.compile(f"^{re.escape(first)}"))
    expect(found.locator("p")).to_contain_text(sentence)
    assert found.locator("mark").count()
    assert any(url.endswith("sentences.json") for url in asked)
    page.keyboard.press("ArrowDown")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.locator("h1").first.text_content()
    page.close()


def test_no_search_no_index(chromium, compressed):
    visit = first_visit.visit(chromium, f"{compressed}/book/how_to_use.html")
    assert not [path for path in visit.sent if "search" in path]
