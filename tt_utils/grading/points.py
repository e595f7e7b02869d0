"""Best points of every task, kept in one small JSON file of the user's.

Its place is the system's folder for user data, or the path in `TT_PROGRESS`.
"""

import json
import os
import sys
from dataclasses import dataclass
from html import escape
from pathlib import Path

from tt_utils.atomic_write import disk_reason, only_writer, replace
from tt_utils.grading import tasks

WAIT = 5.0  # seconds for another notebook that is saving
WAY_OUT = "Set TT_PROGRESS to a path that can be."


class CannotSave(OSError):
    """The progress file cannot be written; the message says why and what to do."""


class CannotRead(OSError):
    """The progress file is there and cannot be read, so nothing may replace it."""


class Damaged(ValueError):
    """The progress file holds something else than progress."""


def path() -> Path:
    """Where progress is kept. Raises CannotSave where this user has no folder."""
    try:
        if chosen := os.environ.get("TT_PROGRESS"):
            return Path(chosen).expanduser()
        from platformdirs import user_data_path

        folder = user_data_path("transformer-textbook", appauthor=False)
        return folder.expanduser() / "progress.json"
    except RuntimeError:  # no home: a user whom the system does not know
        raise CannotSave(
            "Progress is not saved: this user has no home folder. " + WAY_OUT
        ) from None


def load() -> tuple[dict[str, int], str]:
    """Points by task id, and a note (empty unless something was wrong)."""
    try:
        return points_in(read(path())), ""
    except Damaged:
        return {}, (
            f"{path()} is damaged; points start at 0. The old file is kept beside it, "
            "with the ending .damaged."
        )
    except (CannotRead, CannotSave) as error:
        return {}, str(error)


def read(file: Path) -> dict:
    """All that the file holds, {} if there is none. Raises CannotRead and Damaged."""
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise CannotRead(
            f"{file} cannot be read ({error.strerror}), so points show as 0 and new "
            "ones are not saved."
        ) from error
    try:
        saved = json.loads(content.decode("utf-8-sig"))
        if not isinstance(saved["points"], dict):
            raise TypeError
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Damaged from None
    return saved


def points_in(saved: dict) -> dict[str, int]:
    """The points in what was read; an odd entry is no reason to lose the others."""
    return {
        task_id: int(value)
        for task_id, value in saved.get("points", {}).items()
        if isinstance(value, int | float) and value == value and abs(value) < 1e6
    }


def save(task_id: str, points: int) -> str:
    """Keeps the best points of a task; returns a note. Raises CannotSave.

    A crash leaves the old file or the new one, whole. Two notebooks that save at the
    same moment take turns, and what else the file holds stays in it.
    """
    file = path()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with only_writer(file, WAIT):
            return _save_alone(file, task_id, points)
    except TimeoutError as error:
        raise CannotSave(f"Progress is not saved: {error}. Try again.") from error
    except CannotRead as error:
        raise CannotSave(f"Progress is not saved: {error} {WAY_OUT}") from error
    except OSError as error:
        raise CannotSave(
            f"Progress is not saved: {file} cannot be written ({disk_reason(error)}). "
            + WAY_OUT
        ) from error


def _save_alone(file: Path, task_id: str, points: int) -> str:
    note = ""
    try:
        saved = read(file)
    except Damaged:
        kept = _free_name(file)
        file.replace(kept)
        saved, note = (
            {},
            (f"{file} was damaged; it is kept as {kept.name}, and points start at 0."),
        )
    best = points_in(saved)
    if best.get(task_id, -1) >= points:
        return note
    best[task_id] = points
    odd = {k: v for k, v in saved.get("points", {}).items() if k not in best}
    content = {**saved, "points": dict(sorted({**odd, **best}.items()))}
    replace(file, json.dumps(content, indent=1).encode())
    return note or _colab_note(file)


def _free_name(file: Path) -> Path:
    """`progress.json.damaged`, or with a number where an older one has that name."""
    kept, number = file.with_name(file.name + ".damaged"), 1
    while kept.exists():
        number += 1
        kept = file.with_name(f"{file.name}.damaged-{number}")
    return kept


def _colab_note(file: Path) -> str:
    if "google.colab" not in sys.modules or "drive" in file.parts:
        return ""
    return (
        "Colab throws this machine away when you leave, and your points with it. To "
        "keep them, mount your Drive and set TT_PROGRESS to a file on it."
    )


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
