"""Every page of the built book: something to read, nothing broken, nothing outside."""

import tomllib
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree

import page_checks
import pytest
import yaml
from PIL import Image
from sphinx_external_toc.parsing import parse_toc_yaml

ROOT = Path(__file__).resolve().parents[2]
BASE = yaml.safe_load((ROOT / "_config.yml").read_text())["html"]["baseurl"]
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


def test_every_page_can_be_shared(book):
    assert_none(page_checks.unshared_pages(book, NAMES))
    card = page_checks.page(book / "index.html").find("meta", property="og:image")
    base = f"{BASE}_static/"
    with Image.open(book / "_static" / card["content"].removeprefix(base)) as picture:
        assert picture.size == (1200, 630)


def test_titles_name_the_page_and_the_book_once(book):
    titles = {
        name: page_checks.page(book / f"{name}.html").title.text for name in NAMES
    }
    assert titles["book/welcome"] == "The Transformer Textbook"
    assert titles["book/glossary"] == "Glossary — The Transformer Textbook"
    assert len(set(titles.values())) == len(NAMES)


def test_search_engines_are_told_every_page(book):
    sitemap = ElementTree.parse(book / "sitemap.xml")
    found = {place.text for place in sitemap.findall("{*}url/{*}loc")}
    assert found == {f"{BASE}{name}.html" for name in NAMES}
    assert f"Sitemap: {BASE}sitemap.xml" in (book / "robots.txt").read_text()


def test_the_page_for_lost_addresses_works_at_any_depth(book):
    lost = page_checks.page(book / "404.html")
    assert lost.base["href"] == urlsplit(BASE).path


def test_every_page_leads_to_its_source(book):
    page = page_checks.page(book / "exercises" / "05_scaled_dot_product.html")
    links = {link.text: link["href"] for link in page.select(".tt-foot a")}
    assert links["Edit this page"].endswith(
        "main/solutions/05_scaled_dot_product.ipynb"
    )
    assert "/issues/new?" in links["Report a mistake"]
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert f"## {version}," in (ROOT / "CHANGELOG.md").read_text()
    assert links[f"Version {version}: what has changed"] == "../CHANGELOG.html"


def test_links_name_glossary_entries_and_references(book):
    glossary = page_checks.page(book / "book" / "glossary.html")
    references = page_checks.page(book / "book" / "references.html")
    assert glossary.find(id="cosine-similarity")
    assert references.find(id="vaswani2017")


def test_block_quotes_with_a_known_title_become_boxes(book):
    page = page_checks.page(book / "book" / "how_to_use.html")
    kinds = [box["class"][1] for box in page.select("div.tt-box[role=note]")]
    assert kinds == ["tt-predict", "tt-myth", "tt-check", "tt-careful"]
