"""Each check of pages complains about the page that it is there for, and only then."""

import json

import page_checks
import pytest

WORDS = "word " * page_checks.FEWEST_WORDS
GOOD = f"""<!DOCTYPE html>
<html><head><title>A page</title>
<link rel="stylesheet" href="style.css"><link rel="canonical" href="https://a.org/">
</head><body><main><article><h1 id="top">A page</h1><p>{WORDS}</p>
<a href="#top">up</a> <a href="other.html#there">over</a> <a href="https://a.org">out</a>
<a href="#figure=tt-a&amp;state=%7B%22b%22:1%7D">a state</a> <tt-a id="tt-a"></tt-a>
<img src="dot.svg" alt="A dot."></article></main></body></html>"""
OTHER = GOOD.replace('id="top"', 'id="there"').replace('href="#top"', 'href="#there"')


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "page.html").write_text(GOOD)
    (tmp_path / "other.html").write_text(OTHER)
    (tmp_path / "dot.svg").write_text("<svg/>")
    (tmp_path / "style.css").write_text('@import "more.css"; /* url(//a.org) */')
    (tmp_path / "index.html").write_text(
        '<meta http-equiv="Refresh" content="0; url=page.html">'
    )
    return tmp_path


CHECKS = {
    "empty": page_checks.empty_pages,
    "untitled": page_checks.untitled_pages,
    "alt": page_checks.images_without_text,
    "links": page_checks.broken_links,
    "outside": page_checks.outside_requests,
}

BROKEN = [
    ("empty", WORDS, "few words"),
    ("untitled", "<title>A page</title>", ""),
    ("untitled", '<h1 id="top">A page</h1>', '<p id="top">A page</p>'),
    ("untitled", "</article>", "<h1>Another</h1></article>"),
    ("alt", 'alt="A dot."', ""),
    ("alt", 'alt="A dot."', 'alt=" "'),
    ("links", "other.html#there", "nowhere.html"),
    ("links", "other.html#there", "other.html#nowhere"),
    ("links", 'href="#top"', 'href="#nowhere"'),
    ("links", 'href="#top"', 'href="/page.html"'),
    ("links", "dot.svg", "lost.svg"),
    ("links", "#figure=tt-a", "#figure=tt-b"),
    ("links", "%7B%22b%22:1%7D", "%7B%22b%22"),
    ("links", "&amp;state=%7B%22b%22:1%7D", ""),
    ("outside", 'src="dot.svg"', 'src="https://a.org/dot.svg"'),
    ("outside", 'src="dot.svg"', 'src="dot.svg" srcset="dot.svg 1x, //a.org/d 2x"'),
    ("outside", "</body>", '<script src="//a.org/a.js"></script></body>'),
    ("outside", "</body>", '<iframe src="http://a.org"></iframe></body>'),
    ("outside", "</head>", '<link rel="preload" href="//a.org/f.woff2"></head>'),
    ("outside", "</head>", '<style>@import "https://a.org/s.css";</style></head>'),
    ("outside", "<p>", '<p style="background: url(https://a.org/b.png)">'),
]


@pytest.mark.parametrize("name", CHECKS)
def test_a_good_page_passes(folder, name):
    assert CHECKS[name](folder) == []


@pytest.mark.parametrize(("name", "old", "new"), BROKEN)
def test_a_broken_page_is_found(folder, name, old, new):
    assert old in GOOD
    (folder / "page.html").write_text(GOOD.replace(old, new))
    findings = CHECKS[name](folder)
    assert len(findings) == 1
    assert findings[0].startswith("page.html: ")


def test_a_style_sheet_that_asks_another_host_is_found(folder):
    (folder / "style.css").write_text("p { background: url('//a.org/b.png') }")
    assert page_checks.outside_requests(folder) == [
        "style.css: CSS asks //a.org/b.png; "
        "keep a copy under book/_static and name that"
    ]


def test_a_page_that_was_not_built_is_found(folder):
    assert page_checks.missing_pages(folder, ["page"]) == []
    assert len(page_checks.missing_pages(folder, ["page", "lost"])) == 1


def test_a_page_outside_the_search_is_found(folder):
    index = [{"url": "page.html#top", "text": WORDS}, {"url": "other.html", "text": ""}]
    (folder / "_static" / "search").mkdir(parents=True)
    (folder / "_static" / "search" / "sentences.json").write_text(json.dumps(index))
    findings = page_checks.unsearchable_pages(folder, ["page", "other", "third"])
    assert [line.split(":")[0] for line in findings] == ["other.html", "third.html"]


def test_a_page_that_nobody_could_share_is_found(folder):
    findings = page_checks.unshared_pages(folder, ["page"])
    assert [line.split(", and")[0] for line in findings] == [
        "page.html: <head> needs one description",
        "page.html: <head> needs one title for those who get the link",
        "page.html: <head> needs one picture",
        "page.html: <head> needs one card",
        "page.html: <head> needs one viewport",
    ]
