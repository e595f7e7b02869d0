"""A chapter in JupyterLab before anything has run, and not yet trusted."""

import platform

import nbfiles
import pytest

CHAPTER = "05_scaled_dot_product.ipynb"
SHOWN = """() => [...document.querySelectorAll(".jp-OutputArea img")]
  .filter(img => img.complete && img.naturalWidth > 300).length"""


@pytest.fixture(scope="module")
def page(chromium, lab):
    """The chapter as it opens, with the kernel started and no cell run."""
    notebook = nbfiles.read(nbfiles.ROOT / "notebooks" / CHAPTER)
    # JupyterLab writes the kernel's own version into a notebook that names another.
    notebook.metadata.language_info.version = platform.python_version()
    nbfiles.write(lab.folder / CHAPTER, notebook)
    context = chromium.new_context(viewport={"width": 1300, "height": 30_000})
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(lab.at(CHAPTER))
    page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
    yield page
    context.close()


def test_pictures_are_seen(page):
    notebook = nbfiles.read(nbfiles.ROOT / "notebooks" / CHAPTER)
    pictures = [
        output
        for cell in notebook.cells
        if "outputs_hidden" not in cell.metadata.get("jupyter", {})
        for output in cell.get("outputs", [])
        if "image/svg+xml" in output.get("data", {})
    ]
    page.wait_for_function(f"({SHOWN})() >= {len(pictures)}")
    trusted = page.locator(".jp-OutputArea-output.jp-mod-trusted")
    assert trusted.count() == 0, "the notebook is trusted"


def test_nothing_waits_to_be_saved(page):
    page.wait_for_timeout(2_000)
    assert page.locator(".jp-mod-dirty").count() == 0


def test_a_link_to_the_glossary_leads_to_the_published_book(page):
    link = page.get_by_role("link", name="query", exact=True).first
    address = nbfiles.published(nbfiles.ROOT)
    assert link.get_attribute("href") == f"{address}book/glossary.html#query"
