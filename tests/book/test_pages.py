"""Every page of the built book: something to read, nothing broken, nothing outside."""

import re
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree

import nbfiles
import page_checks
import pictures
import pytest
from contrast import contrast
from PIL import Image
from sphinx_external_toc.parsing import parse_toc_yaml

import tt_utils

ROOT = Path(__file__).resolve().parents[2]
LINE = re.compile(r'<g id="line2d_\d+">.*?</g>', re.DOTALL)
STROKE = re.compile(r"stroke: (#[0-9a-f]{6})(?!; stroke-opacity: 0)")
PAPER = re.compile(r"--tt-paper: (#[0-9a-f]{6})")
BASE = nbfiles.published(ROOT)
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


def test_a_chapter_has_a_card_of_its_own(book):
    cards = set()
    chapters = [name for name in NAMES if name.startswith("notebooks/")]
    for name in chapters:
        page = page_checks.page(book / f"{name}.html")
        card = page.find("meta", property="og:image")["content"].removeprefix(BASE)
        told = page.find("meta", property="og:image:alt")["content"]
        assert told == page.h1.get_text().removesuffix("#")
        with Image.open(book / card) as picture:
            assert picture.size == (1200, 630)
        cards.add((book / card).read_bytes())
    assert len(cards) == len(chapters)


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
    version = tt_utils.__version__
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
    assert kinds == ["tt-predict", "tt-myth", "tt-careful"]


def test_links_to_the_published_book_stay_in_this_one(book):
    assert_none(
        [
            f"{name}: {page_checks.shown(link)} leaves the book for its published copy"
            for name, soup in page_checks.pages(book)
            for link in soup.select(f'article a[href^="{BASE}"]')
        ]
    )


def test_figures_are_counted_by_chapter(book):
    page = page_checks.page(book / "notebooks" / "05_scaled_dot_product.html")
    figures = page.select("article figure")
    assert len(figures) >= 3
    for count, figure in enumerate(figures, start=1):
        assert figure["id"] == f"figure-5-{count}"
        number = figure.select_one("figcaption .tt-figure-number")
        assert number.get_text() == f"Figure 5.{count}"


def test_every_picture_of_a_chapter_has_a_caption(book):
    for name in NAMES:
        if name.startswith("notebooks/"):
            page = page_checks.page(book / f"{name}.html")
            bare = page.select('.cell_output img[src$=".svg"]:not(figure img)')
            assert not bare, f"{name}: {bare[:1]}"


def test_a_dark_picture_differs_in_its_ink_only(book):
    for file in (book / "_images").glob(f"*{pictures.TWIN}"):
        light = file.with_name(file.name.replace(pictures.TWIN, ".svg")).read_text()
        dark = file.read_text()
        for ink, paler in pictures.DARK.items():
            assert ink not in dark
            light = light.replace(ink, paler)
        assert light == dark


def test_lines_of_a_picture_are_seen_on_either_page(book):
    style = (ROOT / "book/_static/textbook.css").read_text(encoding="utf-8")
    light, dark = PAPER.findall(style)
    for name, page in page_checks.pages(book):
        for picture in page.select('img[src*="_images/"][src$=".svg"]'):
            file = book / "_images" / picture["src"].rpartition("/")[2]
            paper = dark if file.name.endswith(pictures.TWIN) else light
            for line in LINE.findall(file.read_text(encoding="utf-8")):
                for color in STROKE.findall(line):
                    assert contrast(color, paper) > 2, (name, file.name, color)


def test_no_two_lines_that_open_code_have_one_name(book):
    for name, soup in page_checks.pages(book):
        lines = [line.get_text() for line in soup.select("details.hide summary")]
        assert len(lines) == len(set(lines)), name


def test_a_word_of_the_glossary_leads_to_its_entry_and_the_entry_to_a_chapter(book):
    page = page_checks.page(book / "book" / "glossary.html")
    assert page.select_one('#adam a[href="#optimiser"]')
    chapter = page.select_one("#adam .tt-explained a")
    assert chapter["href"] == "../notebooks/00b_pytorch.html"
    assert chapter.get_text() == "Chapter 00b"


def test_no_table_has_a_header_without_words(book):
    for name, soup in page_checks.pages(book):
        for head in soup.select("article thead"):
            assert head.get_text(strip=True) or head.find("math"), name
