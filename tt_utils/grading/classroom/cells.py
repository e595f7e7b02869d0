"""The code cells of a submitted notebook, whatever its file holds."""

import json
import re
from collections.abc import Iterator
from typing import Any

CALL = re.compile(r"\bcheck\(\s*(?:task_id\s*=\s*)?[\"']?\s*(\d{1,2})\.(\d+)")


class NoNotebook(ValueError):
    """The file holds no notebook; the message is one sentence."""


def code_cells(content: bytes) -> tuple[tuple[int, str], ...]:
    """Number and source of each code cell that holds something, counted from 1.

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
    return numbered


def _cells(notebook: Any) -> Iterator[dict]:
    if not isinstance(notebook, dict):
        return
    places = notebook.get("worksheets", [notebook])  # format 3 has sheets
    for place in places if isinstance(places, list) else []:
        cells = place.get("cells") if isinstance(place, dict) else None
        for cell in cells if isinstance(cells, list) else []:
            if isinstance(cell, dict):
                yield cell


def _text(cell: dict) -> str:
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    # A lone surrogate is no text that could be sent on.
    return str(source).encode("utf-8", "replace").decode() if source else ""


def tasks_in(cells: tuple[tuple[int, str], ...]) -> tuple[str, ...]:
    """The ids of the tasks that the cells hand in, in their order."""
    calls = (match for _, text in cells for match in CALL.finditer(text))
    return tuple(dict.fromkeys(f"{m[1].zfill(2)}.{int(m[2])}" for m in calls))
