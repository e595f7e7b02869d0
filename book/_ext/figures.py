"""Interactive figures: a directive for pages, and each one's script where it is used.

    ```{interactive} tt-film
    :state: {"text": "the ball is blue"}

    What stands here, a picture and a sentence, shows where scripts don't run.
    ```

Inside one, `{tour} NAME` holds a list of stops, which the film shows one by one; a
stop's first link says at what moment the film waits.

A notebook's output that holds such an element is served in the same way.

A link to a figure in some state has the page's published address, so that it leads
there from JupyterLab too: `film.html#figure=tt-film&state={"text": "…"}`.
In the book it leads to the page beside it.
"""

import html
import posixpath
import re
import shutil
from pathlib import Path

import minify_html
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator

from tt_utils.figures.bundle import EVERYDAY, MODEL, STATIC, bundle

TARGET = "figures"
COMMENTS = re.compile(
    r"""^[ ]*(?:/\*\*.*?\*/|//[^\n]*)$|(?<=[;,{])[ ]//[^\n"'`]*$""", re.M | re.S
)
OPEN, CLOSE = "<script type=module>", "</script>"  # what the minifier looks into
ELEMENT = re.compile(r"<(tt-[a-z-]+)[\s>]")


class Interactive(nodes.Element):
    """A custom element, with what stands in for it as its children."""


class Tour(nodes.Element):
    """A list of stops, each with its link into the figure around it."""


class TourDirective(SphinxDirective):
    """Put a tour into a film; the figure shows its stops one by one."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        node = Tour("", name=self.arguments[0])
        self.state.nested_parse(self.content, self.content_offset, node)
        return [node]


def visit_tour(translator: HTML5Translator, node: Tour) -> None:
    name = node["name"]
    attributes = {"slot": "tour", "data-name": name}
    translator.body.append(translator.starttag(node, "div", **attributes))
    translator.body.append(f'<p class="tt-tour-name">{html.escape(name)}</p>\n')


def depart_tour(translator: HTML5Translator, node: Tour) -> None:
    translator.body.append("</div>\n")


class InteractiveDirective(SphinxDirective):
    """Put a custom element on the page; its options become attributes."""

    required_arguments = 1
    has_content = True
    option_spec = {  # noqa: RUF012
        "state": directives.unchanged,
        "id": directives.unchanged,
        "model": directives.unchanged,
        "autoplay": lambda given: directives.flag(given) or "",
    }

    def run(self) -> list[nodes.Node]:
        node = Interactive("", tag=self.arguments[0], attributes=dict(self.options))
        self.state.nested_parse(self.content, self.content_offset, node)
        return [node]


def visit(translator: HTML5Translator, node: Interactive) -> None:
    given = dict(node["attributes"])
    name = given.pop("id", node["tag"])
    translator.body.append(translator.starttag(node, node["tag"], ids=[name], **given))


def depart(translator: HTML5Translator, node: Interactive) -> None:
    translator.body.append(f"</{node['tag']}>\n")


def add_scripts(app: Sphinx, page: str, template: str, context: dict, tree) -> None:
    """Load the scripts of the figures that a page holds, and nothing on others."""
    up = "./" + posixpath.relpath(TARGET, posixpath.dirname(page) or ".")
    for tag in sorted(set(ELEMENT.findall(context.get("body", "")))):
        app.add_js_file(None, body=f'import "{up}/{tag}.mjs";', type="module")


def compact(script: str) -> str:
    """The same script in fewer bytes; the minifier itself leaves most comments."""
    bare = COMMENTS.sub("", script)
    page = minify_html.minify(f"{OPEN}{bare}{CLOSE}", minify_js=True)
    return page.removeprefix(OPEN).removesuffix(CLOSE)


def lead_to_figures(app: Sphinx, doctree: nodes.document, page: str) -> None:
    for link in doctree.findall(nodes.reference):
        # MyST has written & as HTML, and the page's writer does so once more.
        given = html.unescape(link.get("refuri", ""))
        address, mark, state = given.partition("#figure=")
        if mark and address.startswith(app.config.html_baseurl):
            target = address.removeprefix(app.config.html_baseurl)
            there = app.builder.get_relative_uri(page, target.removesuffix(".html"))
            link["refuri"], link["internal"] = f"{there}{mark}{state}", True


def copy_files(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        folder = Path(app.outdir) / TARGET
        for model in (MODEL, EVERYDAY):
            shutil.copytree(model, folder / model.name, dirs_exist_ok=True)
        for module in STATIC.glob("tt-*.mjs"):
            script = compact(bundle(module.stem))
            (folder / module.name).write_text(script, encoding="utf-8")
        for script in Path(app.outdir, "_static").glob("*.mjs"):
            short = compact(script.read_text(encoding="utf-8"))
            script.write_text(short, encoding="utf-8")


def setup(app: Sphinx) -> dict:
    app.add_node(Interactive, html=(visit, depart))
    app.add_node(Tour, html=(visit_tour, depart_tour))
    app.add_directive("interactive", InteractiveDirective)
    app.add_directive("tour", TourDirective)
    app.connect("doctree-resolved", lead_to_figures)
    app.connect("html-page-context", add_scripts)
    app.connect("build-finished", copy_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
