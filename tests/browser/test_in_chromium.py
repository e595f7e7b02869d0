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


@pytest.fixture
def context(chromium, request):
    context = chromium.new_context(**VIEWS[request.param], reduced_motion="reduce")
    yield context
    context.close()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("context", VIEWS, indirect=True)
def test_nothing_disturbs_the_reader(context, address, name, request):
    view = request.node.callspec.params["context"]
    found = findings(context, address, name, VIEWS[view]["color_scheme"])
    if found:
        lines = [f"{name}.html ({view}): {line}" for line in found]
        pytest.fail("\n".join(lines), pytrace=False)


@pytest.mark.parametrize("context", ["light"], indirect=True)
def test_search_finds_a_word_of_the_glossary(context, address):
    page = context.new_page()
    page.goto(f"{address}/search.html?q=cosine")
    found = page.locator("#search-results li", has_text="Cosine similarity")
    found.first.wait_for()


@pytest.mark.parametrize("context", ["phone"], indirect=True)
def test_a_reader_can_switch_to_dark_and_go_on(context, address):
    page = context.new_page()
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
