"""The picture of the chapters on the first page: read and pressed on a phone too."""

import nbfiles
import pytest

WINDOWS = {
    "phone": {"viewport": {"width": 375, "height": 812}, "color_scheme": "dark"},
    "desk": {"viewport": {"width": 1440, "height": 900}},
}
SMALLEST = 12  # px, of a letter
TARGET = 24  # px
LOOKS = """map => [...map.querySelectorAll("a")].map(link => {
  const [box, text] = link.children;
  const scale = map.getBoundingClientRect().width / map.viewBox.baseVal.width;
  const outer = box.getBoundingClientRect(), inner = text.getBoundingClientRect();
  return {
    letter: parseFloat(getComputedStyle(text).fontSize) * scale,
    height: outer.height,
    inside: inner.left >= outer.left && inner.right <= outer.right,
  };
})"""


@pytest.fixture(params=WINDOWS)
def page(chromium, address, request):
    page = chromium.new_page(**WINDOWS[request.param])
    page.goto(f"{address}/book/welcome.html")
    page.evaluate("document.fonts.ready.then(() => null)")
    yield page
    page.close()


def test_its_letters_are_large_and_stand_inside_their_boxes(page):
    looks = page.locator(".tt-map-picture").evaluate(LOOKS)
    assert len(looks) == len(list(nbfiles.ROOT.glob("notebooks/[0-9][0-9]_*.ipynb")))
    for look in looks:
        assert look["letter"] >= SMALLEST
        assert look["height"] >= TARGET
        assert look["inside"]


def test_a_box_leads_to_its_chapter(page):
    box = page.get_by_label("Which chapter needs which").locator("a", has_text="07 ·")
    box.locator("rect").click()
    page.wait_for_url("**/notebooks/07_many_heads.html")
