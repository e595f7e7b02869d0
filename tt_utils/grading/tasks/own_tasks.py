"""A teacher's own tasks: where their folders are, and how a file of theirs is read."""

import importlib.util
import os
import sys
from pathlib import Path

from tt_utils.grading.tasks.spec import Task

_added: list[Path] = []


class UnknownTask(LookupError):
    """No task has this id; the message names those that exist."""


class BadTasks(UnknownTask):
    """A folder without tasks, or a file in it that can't be read."""


def add(folder: Path) -> None:
    """Look for tasks in this folder too."""
    if folder not in _added:
        _added.append(folder)


def folders() -> list[Path]:
    """All folders of own tasks; where two have the same task, the last counts.

    Raises BadTasks where TT_TASKS names one that isn't there: without it, an answer to
    a variant would be judged by the book's task.
    """
    named = filter(None, os.environ.get("TT_TASKS", "").split(os.pathsep))
    found = [Path(folder).expanduser().resolve() for folder in named]
    for folder in found:
        if not folder.is_dir():
            raise BadTasks(
                f"TT_TASKS names a folder that isn't there: {folder}. In a notebook "
                "a path counts from the notebook's folder; give the whole path."
            )
    return found + _added


def load(file: Path) -> Task:
    """The task in a file. Raises BadTasks with the reason."""
    name = f"tt_own_tasks_{file.parent.name}_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # a probe defined there must find its module
    try:
        spec.loader.exec_module(module)
        task = module.TASK
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise BadTasks(f"{file} can't be read ({reason}).") from error
    if not isinstance(task, Task):
        raise BadTasks(
            f"{file}: `TASK` must be a FunctionTask, a ValueTask or a TrainingTask."
        )
    return task
