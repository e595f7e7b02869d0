"""The list of pages: short, without doubles, and a way on from exercises."""

import pytest

WINDOWS = {
    "phone": {"viewport": {"width": 375, "height": 812}, "color_scheme": "dark"},
    "desk": {"viewport": {"width": 1440, "height": 900}},
}
MOST = 20  # entries that are seen before anything is unfolded
BAR = "#pst-primary-sidebar, #pst-primary-sidebar-modal"


@pytest.fixture(params=WINDOWS)
def page(chromium, request):
    page = chromium.new_page(**WINDOWS[request.param])
    yield page
    page.close()


def visit(page, address):
    page.goto(address)
    if page.viewport_size["width"] < 500:
        page.locator(".primary-toggle").first.click()
        page.wait_for_timeout(400)


def entries(page):
    links = page.locator(f":is({BAR}) nav.bd-links a")
    return [link.inner_text() for link in links.all() if link.is_visible()]


@pytest.mark.parametrize(
    ("name", "there", "folded"),
    [
        ("book/welcome", "00 · Tour", "05 · Scaled dot product"),
        ("notebooks/05_scaled_dot_product", "Exercises", "01 · Dot product"),
        ("exercises/17_decoding", "17 · Decoding", "05 · Scaled dot product"),
        ("notebooks/06c_a_second_look", "06b · What each matrix is for", "Glossary"),
    ],
)
def test_only_the_part_of_this_page_is_open(page, address, name, there, folded):
    visit(page, f"{address}/{name}.html")
    found = entries(page)
    assert there in found
    assert folded not in found
    assert len(found) <= MOST
    assert len(set(found)) == len(found)


def test_another_part_unfolds_by_its_name(page, address):
    visit(page, f"{address}/book/welcome.html")
    part = page.locator(f":is({BAR}) details.tt-part", has_text="II · Attention").first
    part.locator("summary").first.click()
    assert "05 · Scaled dot product" in entries(page)


def test_exercises_say_first_where_answers_are_typed(page, address):
    page.goto(f"{address}/notebooks/05_scaled_dot_product.html")
    page.locator("a.right-next").click()
    page.wait_for_url("**/exercises/05_scaled_dot_product.html")
    place = page.locator("article .tt-place")
    assert "exercises/05_scaled_dot_product.ipynb" in place.inner_text()
    colab = place.get_by_role("link", name="Colab").get_attribute("href")
    assert colab.endswith("exercises/05_scaled_dot_product.ipynb")
    assert place.bounding_box()["y"] < page.viewport_size["height"]
