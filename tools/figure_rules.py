"""What every picture of a notebook must have: both formats, alt text, a caption.

A cell's metadata holds `caption`, a text or one for each of its pictures, and, where
the prose speaks of the picture, `label`: `[figure 5.3](#label)` links to it. The book
counts figures by chapter (book/_ext/figure_captions.py), and so does this file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import nbfiles

SVG, PNG = "image/svg+xml", "image/png"
LINK = re.compile(r"\[[Ff]igure (\d+[a-z]?\.\d+)\]\(([\w.]*)#([\w-]+)\)")


def captions(cell) -> list[str]:
    given = cell.metadata.get("caption", [])
    return [given] if isinstance(given, str) else given


def picture_problems(cell) -> Iterator[str]:
    """Faults of a code cell's pictures and of what is said of them."""
    bundles = [output.get("data", {}) for output in cell.outputs]
    alt = cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "").strip()
    if any(kind.startswith("image/") for data in bundles for kind in data) and not alt:
        yield (
            "shows a picture without alt text; say what it shows in the cell's"
            " metadata.mystnb.image.alt"
        )
    pictures = [data for data in bundles if SVG in data]
    if any(PNG not in data for data in pictures):
        yield (
            "its picture is no PNG too, so JupyterLab shows none before a run;"
            " draw it after tt_utils.plotting.use_style() and run make execute"
        )
    if any("<dc:date>" in data[SVG] for data in pictures):
        yield (
            "its picture holds today's date, so it changes with each run;"
            " draw it after tt_utils.plotting.use_style()"
        )
    given = captions(cell)
    if len(given) != len(pictures) or not all(text.strip() for text in given):
        yield (
            f"has {len(given)} captions for {len(pictures)} pictures; say what each is"
            " about in the cell's metadata.caption, a text or a list of texts"
        )
    if alt and alt in given:
        yield "has its alt text as caption; one describes the picture, one names it"


def numbers(path: Path, notebook) -> dict[str, str]:
    """The number of each figure of a chapter that has a label."""
    found, count = {}, 0
    for cell in notebook.cells:
        if captions(cell) and (label := cell.metadata.get("label")):
            found[label] = f"{nbfiles.number(path.stem).lstrip('0')}.{count + 1}"
        count += len(captions(cell))
    return found


def link_problems(path: Path, notebook) -> Iterator[tuple[int, str]]:
    """Links that call a figure by a number that is not its own, with their cells."""
    for index, cell in enumerate(notebook.cells):
        for number, name, label in LINK.findall(cell.source):
            file = path.with_name(name) if name else path
            target = nbfiles.read(file) if name and file.is_file() else notebook
            right = numbers(file, target).get(label, "no figure")
            if right != number:
                yield index, f"calls {name}#{label} figure {number}, but it is {right}"
