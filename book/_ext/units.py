"""A number and the % behind it stay on one line."""

import re

from docutils import nodes
from sphinx.application import Sphinx

BLANK = re.compile(r"(?:(?<=\d)|^) (?=%)")
NO_BREAK = "\N{NO-BREAK SPACE}"
AS_THEY_ARE = nodes.literal | nodes.FixedTextElement | nodes.math | nodes.raw


def keep_together(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    for text in list(doctree.findall(nodes.Text)):
        if " %" in text and not isinstance(text.parent, AS_THEY_ARE):
            text.parent.replace(text, nodes.Text(BLANK.sub(NO_BREAK, text)))


def setup(app: Sphinx) -> dict:
    app.connect("doctree-resolved", keep_together)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
