"""The code cells of a submitted notebook, whatever its file holds."""

import json
import re
from collections.abc import Iterator
from typing import Any

from tt_utils.grading.classroom.handed_in.text import shown, writable

CALL = re.compile(
    r"\bcheck\(\s*+(?:task_id\s*+=\s*+)?+[\"']?+\s*+(\d{1,2})\.(\d{1,9}+)(?!\d)",
    re.ASCII,
)


Cells = tuple[tuple[int, str], ...]  # number and source
NO_LANDMARK = re.compile(r"\s*(#|import\b|from\b|$)")
LONGEST = 40  # characters of a line
MOST = 2000  # cells


class NoNotebook(ValueError):
    """The file holds no notebook; the message is one sentence."""


def code_cells(content: bytes) -> Cells:
    """Each code cell that holds something; all code cells are counted, from 1.

    Understands formats 3 and 4. Raises NoNotebook.
    """
    if not content.strip():
        raise NoNotebook("The file is empty.")
    try:
        notebook = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise NoNotebook("The file is no notebook: it is not valid JSON.") from None
    found = list(_cells(notebook))
    if not found:
        raise NoNotebook("The file is no notebook: it has no list of cells.")
    sources = [_text(cell) for cell in found if cell.get("cell_type") == "code"]
    numbered = tuple((n, text) for n, text in enumerate(sources, 1) if text.strip())
    if not numbered:
        raise NoNotebook("The notebook has no code.")
    if len(numbered) > MOST:
        raise NoNotebook(f"The notebook has more than {MOST:,} cells of code.")
    return numbered


def _cells(notebook: Any) -> Iterator[dict]:
    if not isinstance(notebook, dict):
        return
    places = notebook.get("worksheets") if "cells" not in notebook else [notebook]
    for place in places if isinstance(places, list) else []:  # format 3 has sheets
        cells = place.get("cells") if isinstance(place, dict) else None
        for cell in cells if isinstance(cells, list) else []:
            if isinstance(cell, dict):
                yield cell


def _text(cell: dict) -> str:
    source = cell.get("source", cell.get("input", ""))  # format 3 says input
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    return writable(str(source)) if source else ""


def in_words(number: int, cells: Cells) -> str:
    """A cell as a teacher finds it: its number, and the first line that tells."""
    lines = dict(cells).get(number, "").splitlines()
    telling = (line.strip() for line in lines if not NO_LANDMARK.match(line))
    first = shown(next(telling, "")).replace("`", "'")
    if not first:
        return f"Cell {number}"
    start = first if len(first) <= LONGEST else f"{first[:LONGEST].rstrip()} …"
    return f"Cell {number} (`{start}`)"


def tasks_in(cells: Cells) -> tuple[str, ...]:
    """The ids of the tasks that the cells hand in, in their order."""
    calls = (match for _, text in cells for match in CALL.finditer(text))
    return tuple(dict.fromkeys(f"{m[1].zfill(2)}.{int(m[2])}" for m in calls))
