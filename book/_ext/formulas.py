"""Formulas as MathML, written when the book is built: no script has to draw them.

The converter is docutils' own; what it leaves out of TeX is put right around it.
A formula that it cannot read is a warning, and so stops the build.
"""

import re
from html import escape

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number
from sphinx.writers.html5 import HTML5Translator

logger = logging.getLogger(__name__)

# TeX that the converter does not know, and the same in TeX that it knows.
PREPARED = (
    (re.compile(r"(\\[dt]?frac)\s*(\w)\s*(\w)"), r"\1{\2}{\3}"),
    (re.compile(r"\\dots\b(?:\s*(?=[.,]))?|…"), r"\\ldots "),
    (re.compile("°"), r"^\\circ "),
)
BETWEEN_TAGS = re.compile(r">\s+<")
PUT_RIGHT = (
    # Only \left and \right make a bar grow with what stands inside.
    (
        re.compile(r'<mo(?: class="mathopen"| stretchy="false")?>([‖|])</mo>'),
        r'<mo stretchy="false" lspace="0" rspace="0">\1</mo>',
    ),
    # Without limits below them these are names like any other.
    (re.compile(r"<mo>(min|max)</mo>"), r"<mi>\1</mi>"),
    # What is said of a brace stands below it, not beside it.
    (
        re.compile(
            r"<msub><munder>(.*?)<mo>⏟</mo></munder>(<mtext>.*?</mtext>)</msub>"
        ),
        r'<munder><munder>\1<mo stretchy="true">⏟</mo></munder>\2</munder>',
    ),
)
APPLIED = "<mo>\N{FUNCTION APPLICATION}</mo>"
# A function's name keeps its distance, but not from a bracket.
NAME_BEFORE = re.compile(rf"{APPLIED}(?!<m(?:row><m)?o[^>]*>[(\[])")
NAME_AFTER = re.compile(
    r"(?<=</m[in]>)(<mi>\w{2,}</mi>)(?=<mo>\N{FUNCTION APPLICATION})"
)
# The sign that \hat gives; the book's font has the one of the keyboard.
HAT = "\N{MODIFIER LETTER CIRCUMFLEX ACCENT}", "^"
GAP = '<mspace width="0.1667em"></mspace>'
# The theme lets the keyboard into what has its class, wherever that is too wide.
SCROLLING = "math pst-scrollable-table-container"
# What follows a formula without a blank stays on its line.
CLINGING = re.compile(r"[^\s\w]+")


def mathml(tex: str, *, block: bool) -> str:
    """Give the formula as one MathML element.

    Raises:
        MathError: the converter does not know a command or a character.
    """
    for old, new in PREPARED:
        tex = old.sub(new, tex)
    found = tex2mathml(tex, as_block=block).replace("&ApplyFunction;", APPLIED[4:-5])
    found = BETWEEN_TAGS.sub("><", found.strip()).replace(*HAT)
    for old, new in PUT_RIGHT:
        found = old.sub(new, found)
    return NAME_BEFORE.sub(APPLIED + GAP, NAME_AFTER.sub(GAP + r"\1", found))


def written(node: nodes.Element, *, block: bool) -> str:
    try:
        return mathml(node.astext(), block=block)
    except MathError as error:
        logger.warning("%s in the formula %s", error, node.astext(), location=node)
        return f"<code>{escape(node.astext())}</code>"


def cling(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Give each formula the comma or stop behind it: no line starts with one."""
    for node in doctree.findall(nodes.math):
        place = node.parent.index(node) + 1
        text = node.parent[place] if place < len(node.parent) else None
        if isinstance(text, nodes.Text) and (match := CLINGING.match(text)):
            node["clinging"] = match[0]
            node.parent[place] = nodes.Text(text[match.end() :])


def visit_inline(translator: HTML5Translator, node: nodes.math) -> None:
    clinging = translator.encode(node.get("clinging", ""))
    translator.body.append(translator.starttag(node, "span", "", CLASS="math"))
    translator.body.append(f"{written(node, block=False)}{clinging}</span>")
    raise nodes.SkipNode


def visit_block(translator: HTML5Translator, node: nodes.math_block) -> None:
    translator.body.append(translator.starttag(node, "div", "", CLASS=SCROLLING))
    if node["number"]:
        number = get_node_equation_number(translator, node)
        translator.body.append(f'<span class="eqno">({number})</span>')
    translator.body += [written(node, block=True), "</div>\n"]
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict:
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    app.connect("doctree-resolved", cling)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
