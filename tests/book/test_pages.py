"""Every page of the built book: something to read, nothing broken, nothing outside."""

from pathlib import Path

import page_checks
import pytest
from sphinx_external_toc.parsing import parse_toc_yaml

ROOT = Path(__file__).resolve().parents[2]
NAMES = list(parse_toc_yaml(ROOT / "_toc.yml"))


def assert_none(findings: list[str]) -> None:
    if findings:
        pytest.fail("\n".join(findings), pytrace=False)


def test_every_page_of_the_contents_is_built(book):
    assert_none(page_checks.missing_pages(book, NAMES))


def test_every_page_has_something_to_read(book):
    assert_none(page_checks.empty_pages(book))


def test_every_page_has_one_title(book):
    assert_none(page_checks.untitled_pages(book))


def test_every_picture_has_a_text(book):
    assert_none(page_checks.images_without_text(book))


def test_every_link_inside_the_book_leads_somewhere(book):
    assert_none(page_checks.broken_links(book))


def test_no_page_asks_another_host(book):
    assert_none(page_checks.outside_requests(book))


def test_the_search_knows_every_page(book):
    assert_none(page_checks.unsearchable_pages(book, NAMES))


def test_links_name_glossary_entries_and_references(book):
    glossary = page_checks.page(book / "book" / "glossary.html")
    references = page_checks.page(book / "book" / "references.html")
    assert glossary.find(id="cosine-similarity")
    assert references.find(id="vaswani2017")


def test_block_quotes_with_a_known_title_become_boxes(book):
    page = page_checks.page(book / "book" / "how_to_use.html")
    kinds = [box["class"][1] for box in page.select("div.tt-box[role=note]")]
    assert kinds == ["tt-predict", "tt-myth", "tt-check", "tt-careful"]
