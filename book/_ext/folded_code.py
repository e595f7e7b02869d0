"""Names for folded code: each line to open it says of what it is.

A folded cell opens with `# @title Draw the weights`, which Colab shows in place of the
code. Here it becomes the words to press, and leaves the code.
"""

import html
import re

from sphinx.application import Sphinx

FOLDED = re.compile(
    r'<summary aria-label="Toggle hidden content">(?P<lines>.*?)</summary>'
    r"(?P<opening>(?:(?!</?details|<summary).)*?<pre><span></span>)"
    r'(?:<span class="c1"># @title (?P<title>[^\n]*)</span>\n)?',
    re.S,
)
LINE_END = re.compile(r"</p>")


def name_code(app: Sphinx, page: str, template: str, context: dict, tree) -> None:
    """Code is named by its title, or by its place among the folded."""
    body = context.get("body", "")
    total, count = len(FOLDED.findall(body)), 0

    def named(match: re.Match) -> str:
        nonlocal count
        count += 1
        if title := match["title"]:
            name = f": {html.escape(lower(html.unescape(title)))}"
        else:
            words = f", {count} of {total} on this page"
            name = f'<span class="visually-hidden">{words}</span>'
        lines = LINE_END.sub(lambda end: name + end[0], match["lines"])
        return f"<summary>{lines}</summary>{match['opening']}"

    if total:
        context["body"] = FOLDED.sub(named, body)


def lower(title: str) -> str:
    """The title as it goes on after a colon; a name in capitals stays."""
    first = title.split()[0]
    return title if first.isupper() else title[:1].lower() + title[1:]


def setup(app: Sphinx) -> dict:
    app.connect("html-page-context", name_code)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
