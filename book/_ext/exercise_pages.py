"""A page of exercises says first where its answers can be typed: not on the page."""

import re
from html import escape

from docutils import nodes
from sphinx.application import Sphinx

COLAB = re.compile(r'class="tt-facts">.*<a href="(https://colab[^"]+)"')
WORDS = (
    '<p class="tt-place">Answers are typed in the notebook, not on this page: '
    '<a class="tt-open" href="{colab}">Open it in Colab</a> or, on your computer, '
    "<code>make lab</code> and <code>{path}</code>. "
    '<a href="../book/how_to_use.html#exercises-and-points">How it goes</a></p>'
)


def say_where(app: Sphinx, document: nodes.document) -> None:
    if not app.env.docname.startswith("exercises/"):
        return
    for facts in document.findall(nodes.raw):
        if found := COLAB.search(facts.astext()):
            path = f"{app.env.docname}.ipynb"
            words = WORDS.format(colab=found[1], path=escape(path))
            facts.parent.insert(
                facts.parent.index(facts) + 1, nodes.raw("", words, format="html")
            )
            return


def setup(app: Sphinx) -> dict:
    app.connect("doctree-read", say_where)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
