"""How long a notebook takes to read, and what the core of a chapter may ask."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import nbfiles

WORDS_A_MINUTE, LINES_A_MINUTE = 50, 5
FACTS = re.compile(r'\n*<p class="tt-facts">.*?</p>\s*\Z', re.DOTALL)
MATHS = re.compile(r"\$\$.*?\$\$|\$[^$\n]+\$", re.DOTALL)
# Answers to *Test yourself* are for later; the answer to a prediction is read at once.
ANSWERS = re.compile(r"<details>\s*<summary>Answers</summary>.*?</details>", re.DOTALL)


class Length(NamedTuple):
    words: int
    lines: int  # of code that a reader sees
    minutes: int
    predictions: int
    cells: int  # whose code a reader sees


LIMITS = {  # with what they count, in words
    "minutes": (60, "minutes of reading"),
    "predictions": (5, "predictions"),
    "cells": (22, "visible code cells"),
}


def count_words(prose: str) -> int:
    """Words that a reader reads: a formula counts as one, the facts line as none."""
    text = re.sub(r"\]\([^)]*\)", "]", FACTS.sub("", prose))
    text = re.sub(r"<[^>]+>", " ", MATHS.sub(" formula ", text))
    return sum(any(letter.isalnum() for letter in word) for word in text.split())


def length(notebook) -> Length:
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    code = [
        [line for line in cell.source.splitlines() if line.strip()]
        for cell in notebook.cells
        if cell.cell_type == "code" and not nbfiles.is_folded(cell)
    ]
    words = sum(count_words(ANSWERS.sub("", text)) for text in texts)
    lines = sum(map(len, code))
    minutes = round(words / WORDS_A_MINUTE + lines / LINES_A_MINUTE)
    predictions = sum(text.count("**Predict first.") for text in texts)
    return Length(words, lines, minutes, predictions, len(code))


def is_counted(path: Path) -> bool:
    """Whether the minutes follow from the text, as a chapter's do."""
    return path.parent.name == "notebooks"


def minutes(path: Path, notebook) -> int:
    """Of a chapter by its length; of exercises and pages as their author says."""
    if is_counted(path):
        return length(notebook).minutes
    return notebook.metadata["tt"]["minutes"]


def problems(notebook) -> Iterator[str]:
    """What a chapter or a companion asks too much of; a listing is looked up."""
    if notebook.metadata.get("tt", {}).get("listing"):
        return
    found = length(notebook)
    for name, (limit, what) in LIMITS.items():
        if (count := getattr(found, name)) > limit:
            yield (
                f"asks for {count} {what}, the limit is {limit};"
                " cut, or move what can stand alone into a companion"
            )


def main(arguments: list[str] | None = None, root: Path = nbfiles.ROOT) -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args(arguments)
    print(f"{'':30}" + "".join(f"{name:>13}" for name in Length._fields))
    for path in nbfiles.find(root, ("notebooks",)):
        counts = length(nbfiles.read(path))
        print(f"{path.stem:30}" + "".join(f"{count:13,}" for count in counts))


if __name__ == "__main__":
    main()
