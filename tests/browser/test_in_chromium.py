"""Every page in a real browser: light, dark and as wide as a phone."""

from pathlib import Path

import pytest
from sphinx_external_toc.parsing import parse_toc_yaml
from visit import findings

ROOT = Path(__file__).resolve().parents[2]
NAMES = [*parse_toc_yaml(ROOT / "_toc.yml"), "search"]
VIEWS = {
    "light": {"color_scheme": "light", "viewport": {"width": 1280, "height": 900}},
    "dark": {"color_scheme": "dark", "viewport": {"width": 1280, "height": 900}},
    "phone": {"color_scheme": "light", "viewport": {"width": 375, "height": 720}},
}


@pytest.fixture(scope="module")
def readers(chromium):
    """One for each view, who keeps the scripts and fonts that all pages share."""
    contexts = {
        view: chromium.new_context(**options, reduced_motion="reduce")
        for view, options in VIEWS.items()
    }
    yield contexts
    for context in contexts.values():
        context.close()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("view", VIEWS)
def test_nothing_disturbs_the_reader(readers, address, name, view):
    found = findings(readers[view], address, name, VIEWS[view]["color_scheme"])
    if found:
        lines = [f"{name}.html ({view}): {line}" for line in found]
        pytest.fail("\n".join(lines), pytrace=False)


@pytest.fixture
def page(chromium, request):
    """A page of a reader who is here for the first time."""
    page = chromium.new_page(**VIEWS[request.param])
    yield page
    page.close()


@pytest.mark.parametrize("page", ["light"], indirect=True)
def test_search_finds_a_word_of_the_glossary(page, address):
    page.goto(f"{address}/search.html?q=cosine")
    found = page.locator(".tt-results li", has_text="Cosine similarity")
    found.first.wait_for()


@pytest.mark.parametrize("page", ["phone"], indirect=True)
def test_a_reader_can_switch_to_dark_and_go_on(page, address):
    page.goto(f"{address}/book/notation.html")
    for _ in range(3):
        if page.evaluate("document.documentElement.dataset.theme") == "dark":
            break
        page.locator(".theme-switch-button").first.click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.locator("a.right-next").click()
    page.wait_for_load_state()
    assert page.url.endswith("glossary.html")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
