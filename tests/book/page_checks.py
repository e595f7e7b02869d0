"""Checks of built pages. Each takes a folder of HTML and returns its findings.

A finding is one line: page, element, and what to do about it.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from urllib.parse import parse_qs, unquote, urldefrag, urlsplit

from bs4 import BeautifulSoup, Tag

FEWEST_WORDS = 30
# Sphinx makes these pages; their content comes from a script.
GENERATED = {"search.html"}
# Attributes that make a browser fetch something without a click.
FETCHED = {
    "script": ("src",),
    "img": ("src", "srcset"),
    "iframe": ("src",),
    "source": ("src", "srcset"),
    "video": ("src", "poster"),
    "audio": ("src",),
    "track": ("src",),
    "embed": ("src",),
    "object": ("data",),
    "input": ("src",),
}
# Kinds of <link> that a browser does not fetch.
NOT_FETCHED = {"canonical", "next", "prev", "author", "index", "search", "license"}
OUTSIDE = re.compile(r"\s*(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)
STYLE_ADDRESS = re.compile(
    r"url\(\s*['\"]?(?P<url>[^'\")]+)|@import\s+['\"](?P<imported>[^'\"]+)",
    re.IGNORECASE,
)
STYLE_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


@lru_cache(maxsize=256)
def parsed(path: Path, changed: int) -> BeautifulSoup:
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def page(path: Path) -> BeautifulSoup:
    return parsed(path, path.stat().st_mtime_ns)


def is_redirect(soup: BeautifulSoup) -> bool:
    return bool(soup.find("meta", attrs={"http-equiv": re.compile("refresh", re.I)}))


def pages(folder: Path) -> Iterator[tuple[str, BeautifulSoup]]:
    """Every page that a reader sees: its name and its content."""
    for path in sorted(folder.rglob("*.html")):
        name = path.relative_to(folder).as_posix()
        if not name.startswith("_static/") and not is_redirect(page(path)):
            yield name, page(path)


def shown(tag: Tag) -> str:
    """The element's opening tag, short enough for one line."""
    text = re.sub(r"\s+", " ", str(tag)).split(">")[0] + ">"
    return text if len(text) <= 120 else text[:117] + "..."


def missing_pages(folder: Path, names: list[str]) -> list[str]:
    return [
        f"{name}.html: listed in _toc.yml but not built; add its source or unlist it"
        for name in names
        if not (folder / f"{name}.html").is_file()
    ]


def empty_pages(folder: Path) -> list[str]:
    found = []
    for name, soup in pages(folder):
        if name in GENERATED:
            continue
        article = soup.find("article")
        words = len(article.get_text(" ").split()) if article else 0
        if words < FEWEST_WORDS:
            found.append(
                f"{name}: <article> holds {words} words; "
                f"a page needs {FEWEST_WORDS} or does not belong in the book"
            )
    return found


def untitled_pages(folder: Path) -> list[str]:
    found = []
    for name, soup in pages(folder):
        if not (soup.title and soup.title.get_text(strip=True)):
            found.append(f"{name}: <title> is missing or empty; give the page one")
        headings = soup.select("article h1")
        if name not in GENERATED and len(headings) != 1:
            found.append(
                f"{name}: <h1> occurs {len(headings)} times; "
                "a page has one, the line with a single #"
            )
    return found


def unshared_pages(folder: Path, names: list[str]) -> list[str]:
    """Pages whose link, sent to someone, would show no title, words or picture."""
    needed = {
        "one description": 'meta[name="description"][content]',
        "one title for those who get the link": 'meta[property="og:title"][content]',
        "one picture": 'meta[property="og:image"][content^="https://"]',
        "one card": 'meta[name="twitter:card"]',
        "one address": 'link[rel="canonical"][href^="https://"]',
        "one viewport": 'meta[name="viewport"]',
    }
    return [
        f"{name}.html: <head> needs {what}, and {selector} occurs {count} times"
        for name in names
        for what, selector in needed.items()
        if (count := len(page(folder / f"{name}.html").select(selector))) != 1
    ]


def images_without_text(folder: Path) -> list[str]:
    return [
        f"{name}: {shown(image)} has no alt text; say in it what the picture shows "
        '(notebooks: cell metadata "mystnb": {"image": {"alt": ...}})'
        for name, soup in pages(folder)
        for image in soup.find_all("img")
        if not (image.get("alt") or "").strip()
    ]


def broken_links(folder: Path) -> list[str]:
    found = []
    for name, soup in pages(folder):
        for tag in soup.find_all(["a", "link", "script", "img", "source"]):
            for attribute in ("href", "src"):
                address = tag.get(attribute)
                if address and not urlsplit(address).scheme:
                    problem = broken(folder, name, address)
                    if problem:
                        found.append(f"{name}: {shown(tag)} {problem}")
    return found


def broken(folder: Path, name: str, address: str) -> str | None:
    """What is wrong with a link inside the book, or None."""
    if address.startswith("//"):
        return None
    path, anchor = urldefrag(address)
    path = unquote(urlsplit(path).path)
    if path.startswith("/"):
        return "starts with /, which breaks below a folder; write it relative"
    target = (folder / name).parent / path if path else folder / name
    if target.is_dir():
        target = target / "index.html"
    if not target.is_file():
        return f"leads to no file of the book; is {path} misspelt or not in _toc.yml?"
    if not anchor or target.suffix != ".html":
        return None
    soup = page(target)
    if anchor.startswith("figure="):
        return no_state_of_a_figure(soup, parse_qs(anchor))
    if soup.find(id=unquote(anchor)) or soup.find(attrs={"name": unquote(anchor)}):
        return None
    return f"leads to no heading #{anchor} there; mend the link or the heading"


def no_state_of_a_figure(
    soup: BeautifulSoup, given: dict[str, list[str]]
) -> str | None:
    [name] = given["figure"]
    figure = soup.find(id=name)
    if not (figure and figure.name.startswith("tt-")):
        return f"leads to no figure {name} there; mend its name"
    try:
        json.loads(given["state"][0])
    except (KeyError, ValueError):
        return "carries no state; write &state= and JSON behind it"
    return None


def outside_requests(folder: Path) -> list[str]:
    remedy = "keep a copy under book/_static and name that"
    found = []
    for name, soup in pages(folder):
        for tag in soup.find_all(list(FETCHED)):
            for attribute in FETCHED[tag.name]:
                addresses = re.split(r",\s+", tag.get(attribute) or "")
                if any(OUTSIDE.match(address) for address in addresses):
                    found.append(f"{name}: {shown(tag)} asks another host; {remedy}")
        for tag in soup.find_all("link"):
            fetched = set(tag.get("rel") or ()) - NOT_FETCHED
            if fetched and OUTSIDE.match(tag.get("href") or ""):
                found.append(f"{name}: {shown(tag)} asks another host; {remedy}")
        styles = [tag.get_text() for tag in soup.find_all("style")]
        styles += [tag["style"] for tag in soup.find_all(style=True)]
        found += outside_styles(name, styles, remedy)
    for path in sorted(folder.rglob("*.css")):
        text = path.read_text(encoding="utf-8")
        found += outside_styles(path.relative_to(folder).as_posix(), [text], remedy)
    return found


def outside_styles(name: str, styles: list[str], remedy: str) -> list[str]:
    found = []
    for style in styles:
        for match in STYLE_ADDRESS.finditer(STYLE_COMMENT.sub("", style)):
            address = match["url"] or match["imported"]
            if OUTSIDE.match(address):
                found.append(f"{name}: CSS asks {address}; {remedy}")
    return found


def unsearchable_pages(folder: Path, names: list[str]) -> list[str]:
    """Pages whose words the search would not find."""
    index = folder / "_static" / "search" / "sentences.json"
    words = Counter()
    for section in json.loads(index.read_text(encoding="utf-8")):
        name = section["url"].split(".html")[0]
        words[name] += len(section["text"].split())
    return [
        f"{name}.html: the search index holds {words[name]} of its words; "
        "remove _build and build the book anew"
        for name in names
        if words[name] < FEWEST_WORDS // 2
    ]
