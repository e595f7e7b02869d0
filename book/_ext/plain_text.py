"""A page's text without its markup, formulas as one would write them in a letter."""

import re
from html import unescape

from docutils import nodes

TAG = re.compile(r"<[^>]+>")
SPACES = re.compile(r"\s+")
COMMAND = re.compile(r"\\([A-Za-z]+)\s*")
SPACING = re.compile(r"\\[\\,;:! ]|[{}&]")
SIGNS = {
    "sqrt": "√",
    "cdot": "·",
    "times": "×",
    "top": "ᵀ",
    "le": "≤",
    "ge": "≥",
    "ne": "≠",
    "approx": "≈",
    "infty": "∞",
    "sum": "Σ",
    "lVert": "‖",
    "rVert": "‖",
    "dots": "…",
    "ldots": "…",
}
# Commands that say how something looks, and nothing else.
SILENT = {
    *("text", "mathrm", "mathbf", "operatorname", "left", "right", "quad", "qquad"),
    *("begin", "end", "frac", "tfrac", "dfrac", "pmatrix", "split", "aligned"),
}


def plain_formula(tex: str) -> str:
    def sign(match: re.Match) -> str:
        name = match[1]
        return SIGNS.get(name, "" if name in SILENT else f"{name} ")

    return COMMAND.sub(sign, SPACING.sub(" ", tex)).replace("^ᵀ", "ᵀ").strip()


def plain(node: nodes.Node) -> str:
    """The text that a reader sees in this part of a page."""
    if isinstance(node, nodes.math | nodes.math_block):
        return plain_formula(node.astext()) + node.get("clinging", "")
    if isinstance(node, nodes.raw):
        return unescape(TAG.sub("", node.astext()))
    if isinstance(node, nodes.Text):
        return str(node)
    return "".join(plain(child) for child in node.children)


def one_line(text: str) -> str:
    return SPACES.sub(" ", text).strip()
