"""`check` and `progress` as a graded notebook finds them: they hand in, and say so."""

import re
from typing import Any, Protocol


class Desk(Protocol):
    def take(self, task_id: str, answers: tuple) -> None:
        """Use the answers to a task at once, as they are now."""


class Received:
    """What `check` returns here. It counts as true, so that an assert goes on."""

    verdict, message, note, hint, section, why, printed = "handed in", *[""] * 6
    points = out_of = 0
    hints = more_hints = evidence = rungs = rows = ()

    def __init__(self) -> None:
        self.inputs: dict[str, Any] = {}

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return "handed in"


_desks: list[Desk] = []


def open_desk(desk: Desk) -> None:
    _desks.append(desk)


def check(task_id: object, *answers: Any, seed: Any = 0) -> Received:
    """Hands in the answers to a task; of several times the last one counts."""
    parts = re.fullmatch(r"\s*(\d+)\.(\d+)\s*", str(task_id))
    for desk in _desks:
        desk.take(f"{parts[1].zfill(2)}.{parts[2]}" if parts else "", answers)
    return Received()


def progress(chapter: object = None) -> Received:
    """Nothing to see where a class is graded."""
    return Received()
