"""*Predict first*: what came out stays folded until the reader has chosen.

From such a box to the `<details>` with the summary *Answer* (tools/predictions.py tells
the form), each output becomes a `<details>` too; the last one moves into the answer's.
What follows, up to the next heading or the comment `<!-- unveil -->`, is veiled: open
in the page, and closed by its own line of script before it is seen.
The choices keep their list: `predictions.mjs` makes buttons of it.
"""

import zlib
from collections.abc import Iterator
from itertools import takewhile

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator
from textbook import Box

SCRIPT = "predictions.mjs"
START = "<details>\n<summary>Answer</summary>"
END = "</details>"
UNVEIL = "<!-- unveil -->"
CLOSE = "<script>document.currentScript.parentElement.open = false</script>"


class Answer(nodes.Element):
    """What the reader opens."""


def visit_answer(translator: HTML5Translator, node: Answer) -> None:
    translator.body.append(
        f'<details class="tt-answer" data-prediction="{node["prediction"]}">'
        f"<summary>{node['summary']}</summary>"
    )


def depart_answer(translator: HTML5Translator, node: Answer) -> None:
    translator.body.append("</details>\n")


class Veil(nodes.Element):
    """What would tell the outcome to a reader who has not chosen yet."""


def visit_veil(translator: HTML5Translator, node: Veil) -> None:
    translator.body.append(
        f'<details class="tt-veil" data-prediction="{node["prediction"]}" open>{CLOSE}'
        "<summary><span>Predict above, and the section goes on here.</span> "
        "<b>Show without predicting</b></summary>"
    )


def depart_veil(translator: HTML5Translator, node: Veil) -> None:
    translator.body.append("</details>\n")


def place(html: str, siblings: list[nodes.Node]) -> int | None:
    """Where this piece of raw HTML stands."""
    for index, node in enumerate(siblings):
        if isinstance(node, nodes.raw) and node.astext().strip() == html:
            return index
    return None


def outputs(node: nodes.Node) -> Iterator[nodes.container]:
    for part in node.findall(nodes.container):
        if "cell_output" in part["classes"]:
            yield part


def ends_veil(node: nodes.Node) -> bool:
    return isinstance(node, nodes.section) or node.astext().strip() == UNVEIL


def only_checks(node: nodes.Node) -> bool:
    """Whether this is a folded cell that prints nothing."""
    folded = "tag_hide-cell" in node.get("classes", ())
    return folded and not any(outputs(node))


def veil(siblings: list[nodes.Node], key: str) -> None:
    """Lay a veil over the first of these, as far as it reaches."""
    covered = list(takewhile(lambda node: not ends_veil(node), siblings))
    while covered and only_checks(covered[-1]):
        covered.pop()
    if covered:
        parent = covered[0].parent
        start = parent.index(covered[0])
        parent[start : start + len(covered)] = [Veil("", *covered, prediction=key)]


def fold_answers(app: Sphinx, document: nodes.document) -> None:
    boxes = [box for box in document.findall(Box) if box["kind"] == "tt-predict"]
    for box in reversed(boxes):  # a veil may lie over the next question
        siblings = box.parent.children
        after = siblings[siblings.index(box) + 1 :]
        start, end = place(START, after), place(END, after)
        if start is None or end is None:
            continue  # a box that only shows what such boxes are
        key = f"{zlib.crc32(box.astext().encode()):08x}"
        box["prediction"] = key
        inside = after[start + 1 : end]
        shown = [part for cell in after[:start] for part in outputs(cell)]
        *earlier, last = shown or [None]
        for part in earlier:
            fold = Answer("", prediction=key, summary="Show what came out")
            part.replace_self(fold)
            fold += part
        if last:
            last.parent.remove(last)
            inside.insert(0, nodes.container("", last, classes=["tt-moved", "cell"]))
        veil(after[end + 1 :], key)
        for node in after[start + 1 : end + 1]:
            box.parent.remove(node)
        summary = "Show what came out" if last else "Show the answer"
        after[start].replace_self(Answer("", *inside, prediction=key, summary=summary))
        app.env.metadata[app.env.docname]["tt-predictions"] = True


def load_script(app: Sphinx, page: str, template: str, context: dict, tree) -> None:
    if app.env.metadata.get(page, {}).get("tt-predictions"):
        app.add_js_file(SCRIPT, type="module")


def setup(app: Sphinx) -> dict:
    app.add_node(Answer, html=(visit_answer, depart_answer))
    app.add_node(Veil, html=(visit_veil, depart_veil))
    # After textbook.py has made the boxes.
    app.connect("doctree-read", fold_answers, priority=600)
    app.connect("html-page-context", load_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
