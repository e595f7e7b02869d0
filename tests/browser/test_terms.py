"""A word of the glossary tells what it means where it stands."""

import re

import pytest
from playwright.sync_api import expect

PAGE = "notebooks/00_tour.html"
WINDOWS = {
    "phone": {"viewport": {"width": 375, "height": 812}, "color_scheme": "dark"},
    "desk": {"viewport": {"width": 1440, "height": 900}},
}


@pytest.fixture(params=WINDOWS)
def context(chromium, request):
    context = chromium.new_context(**WINDOWS[request.param], has_touch=True)
    yield context
    context.close()


@pytest.fixture
def page(context, address):
    page = context.new_page()
    page.goto(f"{address}/{PAGE}", wait_until="networkidle")
    return page


def terms(page):
    return page.locator('article a[href*="book/glossary.html#"]')


FIRST_WORDS = """async ([file, anchor]) => {
  const text = await (await fetch(file)).text();
  const page = new DOMParser().parseFromString(text, "text/html");
  const found = page.getElementById(anchor).querySelector(":scope > p").textContent;
  return found.trim().replace(/\\s+/g, " ").slice(0, 40);
}"""


def meaning(page, address, term):
    """The first words of the entry; read in this tab, since another takes the focus."""
    anchor = term.get_attribute("href").partition("#")[2]
    return page.evaluate(FIRST_WORDS, [f"{address}/book/glossary.html", anchor])


def test_a_card_comes_on_hover_inside_the_window_and_goes(page, address):
    for number in range(3):
        term = terms(page).nth(number)
        term.scroll_into_view_if_needed()
        term.hover()
        card = page.locator(".tt-term")
        expect(card).to_contain_text(meaning(page, address, term))
        box, size = card.bounding_box(), page.viewport_size
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= size["width"]
        assert box["y"] + box["height"] <= size["height"]
        page.mouse.move(1, 1)
        expect(card).to_be_hidden()


def test_it_stays_while_the_mouse_is_on_it(page):
    terms(page).first.hover()
    card = page.locator(".tt-term")
    expect(card).to_be_visible()
    card.hover()
    page.wait_for_timeout(600)
    assert card.is_visible()


def test_it_comes_with_the_focus_is_announced_and_goes_by_escape(page, address):
    term = terms(page).first
    page.keyboard.press("Tab")
    term.focus()
    card = page.locator(".tt-term")
    expect(card).to_be_visible()
    told = re.compile(re.escape(meaning(page, address, term)))
    expect(term).to_have_accessible_description(told)
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    assert term.evaluate("term => term === document.activeElement")


def test_a_tap_shows_it_and_its_link_leads_to_the_entry(page):
    term = terms(page).first
    anchor = term.get_attribute("href").partition("#")[2]
    before = page.url
    term.tap()
    card = page.locator(".tt-term")
    expect(card).to_be_visible()
    assert page.url == before
    card.get_by_role("link", name="Glossary").tap()
    page.wait_for_url(f"**/glossary.html#{anchor}")


def test_a_click_still_follows_the_link(page):
    terms(page).first.click()
    page.wait_for_url("**/glossary.html#*")


def test_the_glossary_is_fetched_only_when_asked_for(page):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload(wait_until="networkidle")
    assert not any("glossary" in url for url in asked)
    terms(page).first.hover()
    expect(page.locator(".tt-term")).to_be_visible()
    assert sum("glossary" in url for url in asked) == 1
