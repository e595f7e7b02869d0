"""The tasks: a folder for a chapter (`chNN_slug`), a file for a task (`tN_name.py`).

A file holds `TASK`; adding it registers it, and its name gives the id: N.N.
"""

import importlib
import pkgutil
import re
from functools import cache
from pathlib import Path

from tt_utils.grading.spec import Task

FOLDER, FILE = re.compile(r"ch(\d\d)_(\w+)"), re.compile(r"t(\d+)_\w+")


class UnknownTask(LookupError):
    """No task has this id; the message names those that exist."""


def _modules() -> dict[str, str]:
    """Chapter numbers and the names of their folders."""
    names = (module.name for module in pkgutil.iter_modules(__path__))
    matches = (match for name in sorted(names) if (match := FOLDER.fullmatch(name)))
    return {match[1]: match[0] for match in matches}


def chapters() -> dict[str, str]:
    """Chapter numbers with graded tasks, and their titles."""
    return {
        number: name[5:].replace("_", " ").capitalize()
        for number, name in _modules().items()
    }


def of_chapter(number: str | int) -> dict[str, Task]:
    """The tasks of a chapter by id; raises UnknownTask."""
    modules, key = _modules(), str(number).zfill(2)
    if key not in modules:
        raise UnknownTask(
            f"Chapter {number!r} has no graded tasks. "
            f"Chapters that have: {', '.join(modules)}."
        )
    folder = Path(__file__).parent / modules[key]
    files = {
        int(match[1]): match[0]
        for module in pkgutil.iter_modules([str(folder)])
        if (match := FILE.fullmatch(module.name))
    }
    return {
        f"{key}.{task}": _load(f"{key}.{task}", f"{modules[key]}.{files[task]}")
        for task in sorted(files)
    }


@cache
def _load(task_id: str, module: str) -> Task:
    task = importlib.import_module(f"{__name__}.{module}").TASK
    object.__setattr__(task, "id", task_id)
    return task


def find(task_id: object) -> Task:
    """The task with this id ("05.1", also "5.1"); raises UnknownTask."""
    parts = re.fullmatch(r"\s*(\d+)\.(\d+)\s*", str(task_id))
    numbers = list(_modules())
    if parts is None:
        example = next(iter(of_chapter(numbers[0])))
        raise UnknownTask(
            f"{task_id!r} is no task id. An id is a text such as {example!r}: "
            f"chapter, dot, task. Chapters with tasks: {', '.join(numbers)}."
        )
    chapter, task = parts[1].zfill(2), parts[2]
    known = chapter in numbers
    nearest = min(numbers, key=lambda number: abs(int(number) - int(chapter)))
    found = of_chapter(nearest)
    if known and f"{chapter}.{task}" in found:
        return found[f"{chapter}.{task}"]
    raise UnknownTask(
        f"There is no task {task_id!r}. "
        + (f"Chapter {chapter} has: " if known else f"Nearest chapter, {nearest}: ")
        + ", ".join(found)
        + f". Chapters with tasks: {', '.join(numbers)}."
    )
