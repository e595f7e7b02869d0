"""On a phone: what is wide scrolls by itself, and nothing is out of reach."""

import pytest
from visit import PATIENCE

CUT = """() => [...document.querySelectorAll("article .math")].filter(formula => {
  const { overflowX, overflowY, display } = getComputedStyle(formula);
  if (display === "inline" || !formula.checkVisibility()) return false;
  const low = formula.scrollHeight > formula.clientHeight + 1;
  const wide = formula.scrollWidth > formula.clientWidth + 1;
  return (low && overflowY === "hidden")
    || (wide && (overflowX !== "auto" || formula.tabIndex !== 0));
}).map(formula => formula.outerHTML.slice(0, 80))"""
BEYOND = """() => [...document.querySelectorAll("article td")]
  .filter(cell => cell.getBoundingClientRect().right > innerWidth)
  .map(cell => cell.textContent.slice(0, 40))"""


@pytest.fixture
def page(chromium):
    context = chromium.new_context(viewport={"width": 375, "height": 812})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    context.close()


def ready(page, address):
    page.goto(address, wait_until="load")
    page.evaluate("document.fonts.ready.then(() => null)")
    page.wait_for_timeout(500)


@pytest.mark.parametrize("name", ["01_dot_product", "05_scaled_dot_product"])
def test_no_formula_is_cut(page, address, name):
    ready(page, f"{address}/notebooks/{name}.html")
    assert page.evaluate(CUT) == []


def test_the_notation_is_all_on_the_screen(page, address):
    ready(page, f"{address}/book/notation.html")
    assert page.evaluate(BEYOND) == []
    cell = page.get_by_role("cell", name="queries: what attends")
    assert cell.evaluate("cell => cell.dataset.column") == "What it is"
