"""Pictures of a chapter: in the dark, at full size, on paper."""

import pytest
from visit import PATIENCE, UNVEIL

CHAPTER = "notebooks/05_scaled_dot_product.html"
SHOWN = """[...document.querySelectorAll("article figure img")]
  .filter(image => image.checkVisibility())"""


@pytest.fixture
def page(chromium, address, request):
    context = chromium.new_context(**getattr(request, "param", {}))
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}/{CHAPTER}", wait_until="load")
    yield page
    context.close()


@pytest.mark.parametrize("page", [{"color_scheme": "dark"}], indirect=True)
def test_nothing_is_done_to_the_colours_of_data(page):
    page.evaluate(UNVEIL)
    looks = page.evaluate(f"""{SHOWN}.map(image => {{
      const {{ filter, backgroundColor }} = getComputedStyle(image);
      return [filter, backgroundColor, image.src.endsWith("-dark.svg")];
    }})""")
    assert len(looks) >= 2
    assert {tuple(look) for look in looks} == {("none", "rgba(0, 0, 0, 0)", True)}


DRAWN = r"""async () => {
  const shown = [...document.querySelectorAll("article figure img")]
    .filter(image => image.checkVisibility());
  return Promise.all(shown.map(async (image) => {
    image.loading = "eager";
    await image.decode();
    const drawn = await (await fetch(image.src)).text();
    const sizes = [...drawn.matchAll(/scale\(([\d.]+) -\1\)/g)].map(one => +one[1]);
    const points = parseFloat(/<svg[^>]* width="([\d.]+)pt"/.exec(drawn)[1]);
    const box = image.parentElement;
    return {
      smallest: 100 * Math.min(...sizes) * image.getBoundingClientRect().width / points,
      scrolls: box.scrollWidth > box.clientWidth, reached: box.tabIndex === 0,
    };
  }));
}"""
DRAWN_IN = [
    "00_tour",
    "07_many_heads",
    "12_decoder",
    "17_decoding",
    "18_looking_inside",
]


@pytest.mark.parametrize("name", DRAWN_IN)
def test_letters_in_pictures_can_be_read_on_a_phone(chromium, address, name):
    page = chromium.new_page(viewport={"width": 375, "height": 812})
    page.goto(f"{address}/notebooks/{name}.html", wait_until="load")
    page.evaluate(UNVEIL)
    pictures = page.evaluate(DRAWN)
    wide = [picture["scrolls"] for picture in pictures]
    reached = [picture["reached"] for picture in pictures]
    page.close()
    assert min(picture["smallest"] for picture in pictures) >= 8.9
    assert any(wide)
    assert reached == wide


PHONE = {"viewport": {"width": 375, "height": 812}, "has_touch": True}


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_a_tap_shows_the_picture_at_full_size(page):
    page.evaluate(UNVEIL)
    page.locator("#figure-5-2 img.tt-on-light").tap()
    view = page.get_by_role("dialog", name="Figure 5.2")
    picture = view.locator("img:visible")
    assert picture.bounding_box()["width"] > 600
    assert "Figure 5.2" in view.locator(".tt-full-caption").inner_text()
    view.get_by_role("button", name="Close").tap()
    assert view.is_hidden()


def test_the_keyboard_opens_and_closes_it_and_comes_back(page):
    page.evaluate(UNVEIL)
    button = page.get_by_role("button", name="Enlarge figure 5.2")
    button.focus()
    page.keyboard.press("Enter")
    view = page.get_by_role("dialog", name="Figure 5.2")
    view.wait_for()
    assert view.evaluate("view => view.contains(document.activeElement)")
    page.keyboard.press("Escape")
    assert view.is_hidden()
    assert button.evaluate("button => button === document.activeElement")


@pytest.mark.parametrize("page", [{"color_scheme": "dark"}], indirect=True)
def test_paper_is_light_and_open_and_has_nothing_to_press(page):
    answer = page.locator("article details:not(.hide)").first
    page.emulate_media(media="print", color_scheme="dark")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    assert page.locator("#figure-5-1 img.tt-on-light").is_visible()
    assert answer.evaluate("answer => answer.open")
    assert page.locator("h1:visible").count() == 1
    assert page.locator(".tt-printed").is_visible()
    assert page.locator("button:visible, tt-scale:visible").count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen", color_scheme="dark")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert not answer.evaluate("answer => answer.open")
    assert page.locator(".tt-printed").count() == 0
