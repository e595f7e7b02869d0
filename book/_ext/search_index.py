"""What the search looks through: the sentences of every section, formulas included.

The page's script (`_static/search/search.mjs`) fetches it when someone searches.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from plain_text import one_line, plain
from sphinx.application import Sphinx

INDEX = "_static/search/sentences.json"
# Each of these is read as a sentence or several of its own.
BLOCKS = (nodes.paragraph, nodes.math_block, nodes.entry, nodes.term, nodes.raw)
NOT_READ = (nodes.section, nodes.title, nodes.literal_block, nodes.comment)


def sections(app: Sphinx, page: str) -> Iterator[dict[str, str]]:
    """Each section of the page: where it is, its title, and its own text."""
    tree = app.env.get_doctree(page)
    title = one_line(plain(app.env.titles[page]))
    for section in tree.findall(nodes.section):
        heading = one_line(plain(section.next_node(nodes.title)))
        text = " ".join(blocks(section))
        top = heading == title
        anchor = "" if top else f"#{section['ids'][0]}"
        found = {"url": f"{page}.html{anchor}", "page": title, "text": text}
        yield found if top else found | {"heading": heading}


def blocks(node: nodes.Element) -> Iterator[str]:
    for child in node.children:
        if isinstance(child, NOT_READ) or "cell" in child.get("classes", ()):
            continue
        if not isinstance(child, BLOCKS):
            if isinstance(child, nodes.Element):
                yield from blocks(child)
        elif text := one_line(plain(child)):
            yield text


def write_index(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.format != "html":
        return
    pages = sorted(app.env.found_docs)
    found = [section for page in pages for section in sections(app, page)]
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    Path(app.outdir, INDEX).write_text(text, "utf-8")


def setup(app: Sphinx) -> dict:
    app.connect("build-finished", write_index)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
