"""Names for folded code: each line to open it says of what it is."""

import re

from sphinx.application import Sphinx

SUMMARY = re.compile(
    r'<summary aria-label="Toggle hidden content">(?P<lines>.*?)</summary>', re.S
)
LINE_END = re.compile(r"</p>")
NUMBER = re.compile(r'class="tt-figure-number">(Figure [\d.]+)<')


def name_code(app: Sphinx, page: str, template: str, context: dict, tree) -> None:
    """Code of a figure is named by it, other code by its place among the folded."""
    body = context.get("body", "")
    summaries = list(SUMMARY.finditer(body))
    parts, end = [], 0
    for count, summary in enumerate(summaries, start=1):
        # The next cell may have a figure too, but that is not drawn by this code.
        own = body[summary.end() : body.find('<div class="cell ', summary.end())]
        if drawn := NUMBER.search(own):
            name = f" of figure {drawn[1].removeprefix('Figure ')}"
        else:
            words = f", {count} of {len(summaries)} on this page"
            name = f'<span class="visually-hidden">{words}</span>'
        lines = LINE_END.sub(lambda end, name=name: name + end[0], summary["lines"])
        parts += [body[end : summary.start()], f"<summary>{lines}</summary>"]
        end = summary.end()
    if parts:
        context["body"] = "".join([*parts, body[end:]])


def setup(app: Sphinx) -> dict:
    app.connect("html-page-context", name_code)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
