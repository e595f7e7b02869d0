"""Best points of every task, kept in one small JSON file of the user's.

Its place is the system's folder for user data, or the path in `TT_PROGRESS`.
"""

import json
import os
import sys
from dataclasses import dataclass
from html import escape
from pathlib import Path

from tt_utils.atomic_write import disk_reason, write_atomically
from tt_utils.grading import tasks


class CannotSave(OSError):
    """The progress file cannot be written; the message says why and what to do."""


def path() -> Path:
    """Where progress is kept."""
    if chosen := os.environ.get("TT_PROGRESS"):
        return Path(chosen)
    home = Path.home()
    if sys.platform == "win32":
        data = os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local"
    elif sys.platform == "darwin":
        data = home / "Library" / "Application Support"
    else:
        data = os.environ.get("XDG_DATA_HOME") or home / ".local" / "share"
    return Path(data) / "transformer-textbook" / "progress.json"


def load() -> tuple[dict[str, int], str]:
    """Points by task id, and a note (empty unless the file could not be read)."""
    file = path()
    try:
        saved = json.loads(file.read_text(encoding="utf-8"))
        points = saved["points"]
        if not all(isinstance(value, int) for value in points.values()):
            raise ValueError("points must be whole numbers")
        return dict(points), ""
    except FileNotFoundError:
        return {}, ""
    except OSError as error:
        return {}, f"{file} cannot be read ({error.strerror}); points start at 0."
    except (ValueError, KeyError, TypeError, AttributeError):
        return {}, (
            f"{file} is damaged; points start at 0. "
            "The old file is kept beside it, with the ending .damaged."
        )


def save(task_id: str, points: int) -> str:
    """Keeps the best points of a task; returns a note. Raises CannotSave.

    A crash leaves the old file or the new one, whole.
    """
    best, note = load()
    if best.get(task_id, -1) >= points:
        return note
    best[task_id] = points
    file = path()
    text = json.dumps({"points": dict(sorted(best.items()))}, indent=1)
    try:
        if "damaged" in note:
            file.replace(file.with_name(file.name + ".damaged"))
        write_atomically(file, text.encode())
    except OSError as error:
        raise CannotSave(
            f"Progress is not saved: {file} cannot be written ({disk_reason(error)}). "
            "Set TT_PROGRESS to a path that can."
        ) from error
    return note


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    title: str
    points: int
    out_of: int


@dataclass(frozen=True)
class Progress:
    """A table of points; a notebook shows it by itself."""

    rows: tuple[Row, ...]
    note: str = ""

    def __repr__(self) -> str:
        width = max(len(row.title) for row in self.rows)
        lines = [
            f"{row.title:<{width}}  {row.points:>3} of {row.out_of} points"
            for row in self.rows
        ]
        return "\n".join([*lines, self.note] if self.note else lines)

    def _repr_html_(self) -> str:
        cell = '<td style="text-align:left;padding:.1em 1em .1em 0">'
        rows = "".join(
            f"<tr>{cell}{escape(row.title)}</td>{cell}"
            f"{row.points} of {row.out_of} points</td></tr>"
            for row in self.rows
        )
        note = f"<p>{escape(self.note)}</p>" if self.note else ""
        return f"<table>{rows}</table>{note}"


def progress(chapter: str | int | None = None) -> Progress:
    """Points per chapter; with a chapter ("01"), points per task of it."""
    best, note = load()

    def earned(task) -> int:
        return max(0, min(task.points, best.get(task.id, 0)))

    if chapter is not None:
        rows = [
            Row(f"{task.id} {task.title}", earned(task), task.points)
            for task in tasks.of_chapter(chapter).values()
        ]
    else:
        rows = [
            Row(
                f"Chapter {number} {title}",
                sum(map(earned, tasks.of_chapter(number).values())),
                sum(task.points for task in tasks.of_chapter(number).values()),
            )
            for number, title in tasks.chapters().items()
        ]
    total = Row("Total", sum(r.points for r in rows), sum(r.out_of for r in rows))
    return Progress((*rows, total), note)
