"""Best points of every task, kept in one small JSON file of the user's.

Its place is the path in `TT_PROGRESS`; else, on Colab, the user's Drive where it is
mounted; else the system's folder for user data.
"""

import json
import os
import sys
from pathlib import Path

from tt_utils.atomic_write import disk_reason, only_writer, replace

FOLDER = "transformer-textbook"
DRIVE = Path("/content/drive/MyDrive")  # where Colab mounts it
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
        if on_colab() and DRIVE.is_dir():
            return DRIVE / FOLDER / "progress.json"
        return system_path()
    except RuntimeError:  # no home: a user whom the system does not know
        raise CannotSave(
            "Progress is not saved: this user has no home folder. " + WAY_OUT
        ) from None


def system_path() -> Path:
    from platformdirs import user_data_path

    return user_data_path(FOLDER, appauthor=False).expanduser() / "progress.json"


def on_colab() -> bool:
    return "google.colab" in sys.modules


def load() -> tuple[dict[str, int], str]:
    """Points by task id, and a note (empty unless something was wrong)."""
    try:
        file = path()
        return with_those_before_drive(file, points_in(read(file))), ""
    except Damaged:
        return {}, (
            f"{path()} is damaged; points start at 0. The old file is kept beside it, "
            "with the ending .damaged."
        )
    except (CannotRead, CannotSave) as error:
        return {}, str(error)


def with_those_before_drive(file: Path, best: dict[str, int]) -> dict[str, int]:
    """The points, and those earned on Colab before its Drive was mounted."""
    if not file.is_relative_to(DRIVE):
        return best
    try:
        earlier = points_in(read(system_path()))
    except (CannotRead, Damaged, RuntimeError):
        return best
    ids = {**earlier, **best}
    return {i: max(best.get(i, -1), earlier.get(i, -1)) for i in ids}


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
    known = points_in(saved)
    best = with_those_before_drive(file, known)
    best = {**best, task_id: max(points, best.get(task_id, -1))}
    if best == known:
        return note
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
    if not on_colab() or "drive" in file.parts:
        return ""
    return (
        "Colab throws this machine away when you leave, and your points with it. To "
        "keep them, mount your Drive (the folder sign on the left): they move there by "
        "themselves."
    )
