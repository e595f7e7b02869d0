"""What others learn of a page: search engines, and whoever is sent a link to it.

`html.baseurl` in `_config.yml` is the one home of the published address.
"""

from pathlib import Path
from textwrap import shorten
from urllib.parse import urlsplit

import cards
from docutils import nodes
from plain_text import one_line, plain
from sphinx.application import Sphinx

LONGEST = 200
ENOUGH = 90
CARD = "_static/card.png"
GRID = "A grid of attention weights: English words above, Spanish words beside it."
NOT_LISTED = {"search", "404"}


def describe(app: Sphinx, page: str, template: str, context: dict, tree) -> None:
    """Put the page's title, description and address where its head finds them."""
    book = app.config.html_title or app.config.project
    title = one_line(plain(nodes.raw("", context.get("title", ""), format="html")))
    same = page == app.config.root_doc or title in ("", book)
    context["page_title"] = book if same else f"{title} — {book}"
    context["description"] = description(tree) if tree else ""
    context["book_address"] = app.config.html_baseurl
    context["book_path"] = urlsplit(app.config.html_baseurl).path
    own = cards.place(page)
    context["card"] = app.config.html_baseurl + (own or CARD)
    context["card_says"] = title if own else GRID
    context["listed"] = page not in NOT_LISTED


def description(tree: nodes.document) -> str:
    """The page's first sentences: its lead, and what follows if that is short."""
    found = ""
    for node in tree.findall(lambda n: isinstance(n, nodes.paragraph | nodes.raw)):
        if isinstance(node, nodes.raw) and "tt-lead" not in node.astext():
            continue
        found = one_line(f"{found} {plain(node)}")
        if len(found) >= ENOUGH:
            break
    return shorten(found, LONGEST, placeholder=" …")


def write_lists(app: Sphinx, error: Exception | None) -> None:
    """Tell search engines which pages there are."""
    if error or app.builder.format != "html":
        return
    base = app.config.html_baseurl
    pages = sorted(app.env.found_docs)
    rows = "".join(f"<url><loc>{base}{page}.html</loc></url>\n" for page in pages)
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    sitemap = f'<?xml version="1.0"?>\n<urlset xmlns="{space}">\n{rows}</urlset>\n'
    out = Path(app.outdir)
    (out / "sitemap.xml").write_text(sitemap, "utf-8")
    (out / "robots.txt").write_text(
        f"User-agent: *\nAllow: /\nSitemap: {base}sitemap.xml\n", "utf-8"
    )
    first = (out / f"{app.config.root_doc}.html").read_text("utf-8")
    (out / "index.html").write_text(way_in(first, app.config.root_doc), "utf-8")


def way_in(first: str, root_doc: str) -> str:
    """The page at the bare address: the first page's head, and the way there."""
    head = first[first.index("<title>") : first.index("</title>") + len("</title>")]
    start, end = first.index("<!-- sharing -->"), first.index("<!-- /sharing -->")
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Refresh" content="0; url={root_doc}.html">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"{head}\n{first[start:end]}</head>\n"
        f'<body><a href="{root_doc}.html">The Transformer Textbook</a></body></html>\n'
    )


def setup(app: Sphinx) -> dict:
    app.connect("html-page-context", describe)
    app.connect("build-finished", write_lists)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
