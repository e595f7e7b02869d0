"""Notebooks link the book's pages by their published address.

It leads somewhere in JupyterLab and on Colab too, where a path to the page's source
would not. In the book it becomes that path again, so that the build follows the link,
down to the heading.
"""

import json
import posixpath
import re

from sphinx.application import Sphinx
from sphinx.util import logging

logger = logging.getLogger(__name__)


def make_links_local(app: Sphinx, docname: str, source: list[str]) -> None:
    address = app.config.html_baseurl
    if not app.env.doc2path(docname).endswith(".ipynb") or address not in source[0]:
        return
    page = re.compile(re.escape(address) + r"(?P<name>[\w/.-]+?)\.html(?!#figure=)")
    folder = posixpath.dirname(docname)

    def to_source(match: re.Match) -> str:
        if match["name"] not in app.env.found_docs:
            logger.warning("%s: %s is no page of the book", docname, match[0])
            return match[0]
        path = app.env.doc2path(match["name"], base=False)
        return posixpath.relpath(path, folder)

    notebook = json.loads(source[0])
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = page.sub(to_source, "".join(cell["source"]))
    source[0] = json.dumps(notebook)


def setup(app: Sphinx) -> dict:
    app.connect("source-read", make_links_local)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
