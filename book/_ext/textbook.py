"""What the book needs beyond Jupyter Book, so that notebooks stay plain CommonMark.

- A block quote that opens with a known bold phrase becomes a styled box.
- Outputs that only carry values for the prose (`tools/sync.py`) are not shown.
- `{{ repository }}` in a page stands for the address in `_config.yml`.
- Raw HTML links to chapters point at the built pages.
- `[text](../book/references.md#key)` reaches the entry `key` of `references.bib`.
- A table's empty corner is no header.
"""

import json
import posixpath
import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

logger = logging.getLogger(__name__)

BOXES = {
    "myth check": "tt-myth",
    "predict first": "tt-predict",
    "careful": "tt-careful",
}
VALUES_MIME = "application/vnd.tt-values+json"
SOURCE_LINK = re.compile(r'href="(?P<path>[^":#]+)\.(?:ipynb|md)(?P<anchor>#[^"]*)?"')

EMPTY_HEADER = re.compile(r"<th[^>]*>\s*(?:<p>\s*</p>)?\s*</th>")


class Box(nodes.Element):
    """A block quote in the dress of one of `BOXES`."""


def visit_box(translator: HTML5Translator, node: Box) -> None:
    asked = f' data-prediction="{node["prediction"]}"' if "prediction" in node else ""
    translator.body.append(
        f'<div class="tt-box {node["kind"]}" role="note"'
        f' aria-label="{node["label"]}"{asked}>'
    )


def depart_box(translator: HTML5Translator, node: Box) -> None:
    translator.body.append("</div>\n")


def prepare_source(app: Sphinx, docname: str, source: list[str]) -> None:
    """Notebooks lose their value outputs; pages get the repository's address."""
    if app.env.doc2path(docname).endswith(".ipynb"):
        source[0] = without_values(source[0])
    else:
        address = app.config.html_theme_options["repository_url"]
        source[0] = source[0].replace("{{ repository }}", address)


def without_values(text: str) -> str:
    """The notebook without the outputs whose only type is the values type."""
    notebook = json.loads(text)
    for cell in notebook["cells"]:
        if "outputs" in cell:
            cell["outputs"] = [
                output
                for output in cell["outputs"]
                if list(output.get("data", ())) != [VALUES_MIME]
            ]
    return json.dumps(notebook)


def dress_boxes(app: Sphinx, document: nodes.document) -> None:
    """A block quote that starts with a phrase of `BOXES` becomes that box."""
    for quote in list(document.findall(nodes.block_quote)):
        bold = next(quote.findall(nodes.strong), None)
        if bold is None or not quote.astext().startswith(bold.astext()):
            continue
        text = bold.astext()
        for phrase, kind in BOXES.items():
            if text.lower().startswith(phrase):
                label = text.rstrip(" .:")
                title = nodes.strong(label, label, classes=["tt-box-title"])
                bold.replace_self(title)
                quote.replace_self(Box("", *quote.children, kind=kind, label=label))
                break


def link_pages(app: Sphinx, document: nodes.document) -> None:
    """Links to sources inside raw HTML become links to pages of the book."""
    folder = posixpath.dirname(app.env.docname)

    def to_page(match: re.Match) -> str:
        target = posixpath.normpath(posixpath.join(folder, match["path"]))
        if target not in app.env.found_docs:
            logger.warning(
                "%s: the HTML link %s leads to no page of the book; list the page in "
                "_toc.yml or mend the link",
                app.env.docname,
                match[0],
            )
            return match[0]
        return f'href="{match["path"]}.html{match["anchor"] or ""}"'

    for raw in document.findall(nodes.raw):
        if raw.get("format") == "html" and "href=" in raw.astext():
            text = SOURCE_LINK.sub(to_page, raw.astext())
            raw.children = [nodes.Text(text)]
            raw.rawsource = text


def name_references(app: Sphinx, document: nodes.document) -> None:
    """Entries of the bibliography become anchors that Markdown links may name."""
    slugs = app.env.metadata[app.env.docname].setdefault("myst_slugs", {})
    for key, bibliography in app.env.get_domain("cite").bibliographies.items():
        if key.docname == app.env.docname:
            for entry, node in bibliography.citation_nodes.items():
                slugs[entry] = (0, node["ids"][0], entry)


def mend_corners(app: Sphinx, page: str, template: str, context: dict, tree) -> None:
    """The empty corner of a table is no header: it names neither row nor column."""
    if "body" in context:
        context["body"] = EMPTY_HEADER.sub("<td></td>", context["body"])


def setup(app: Sphinx) -> dict:
    app.add_node(Box, html=(visit_box, depart_box))
    app.connect("source-read", prepare_source)
    app.connect("doctree-read", dress_boxes)
    app.connect("doctree-read", link_pages)
    app.connect("doctree-read", name_references)
    app.connect("html-page-context", mend_corners)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
