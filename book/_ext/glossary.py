"""The glossary's italic words lead to their entries, and entries to the chapters.

On other pages a word that leads here shows its entry on a card (`terms.mjs`).
"""

import re
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util import logging

logger = logging.getLogger(__name__)

PAGE = "book/glossary"
SCRIPT = "terms.mjs"
LINK = re.compile(r"/book/glossary\.(?:html|md)#([\w-]+)")
# Forms that no rule of `singulars` leads back to their entry.
FORMS = {"axes": "axis", "equivariant": "equivariance", "matrices": "matrix"}


def singulars(word: str) -> list[str]:
    """What the entry of a word may be called, the word itself first."""
    found = [word, FORMS.get(word, word), word.removesuffix("s")]
    return [*found, word.removesuffix("es"), re.sub("ies$", "y", word)]


def first_chapters(app: Sphinx) -> dict[str, str]:
    """For each entry the first chapter that links to it, as it explains the word."""
    found = {}
    for docname in sorted(app.env.found_docs):
        if docname.startswith("notebooks/"):
            text = Path(app.env.doc2path(docname)).read_text(encoding="utf-8")
            for entry in LINK.findall(text):
                found.setdefault(entry, docname)
    return found


def link_entries(app: Sphinx, document: nodes.document) -> None:
    if app.env.docname != PAGE:
        return
    entries = {}
    for section in document.findall(nodes.section):
        entries[section[0].astext().lower()] = section
    for word in list(document.findall(nodes.emphasis)):
        names = singulars(word.astext().lower())
        target = next((entries[name] for name in names if name in entries), None)
        if target is None:
            text = word.astext()
            logger.warning("no entry for %r, which is in italics", text, location=word)
            continue
        link = nodes.reference("", "", internal=True, refid=target["ids"][0])
        link += word.children
        word.replace_self(link)
    first = first_chapters(app)
    for section in entries.values():
        if (chapter := first.get(section["ids"][0])) and len(section) > 1:
            link = addnodes.pending_xref(
                "",
                nodes.inline("", f"Chapter {Path(chapter).name.partition('_')[0]}"),
                refdomain="std",
                reftype="doc",
                reftarget=f"/{chapter}",
                refdoc=PAGE,
                refexplicit=True,
            )
            section[-1] += [nodes.Text(" "), nodes.inline("", "", link)]
            section[-1][-1]["classes"].append("tt-explained")


def load_script(app: Sphinx, page: str, template: str, context: dict, tree) -> None:
    if page != PAGE and "glossary.html#" in context.get("body", ""):
        app.add_js_file(SCRIPT, type="module")


def setup(app: Sphinx) -> dict:
    app.connect("doctree-read", link_entries)
    app.connect("html-page-context", load_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
