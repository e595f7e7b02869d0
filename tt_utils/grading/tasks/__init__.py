"""The tasks: a folder for a chapter (`chNN_slug`), a file for a task (`tN_name.py`).

A file holds `TASK`; adding it registers it, and its name gives the id: N.N. A teacher's
own tasks lie in such folders elsewhere, which `TT_TASKS` or `add_folder` names. An own
task with the id of one of the book's takes its place.
"""

import importlib
import re
from functools import cache
from pathlib import Path

from tt_utils.grading.tasks import own_tasks
from tt_utils.grading.tasks.own_tasks import BadTasks, UnknownTask
from tt_utils.grading.tasks.spec import Task

FOLDER, FILE = re.compile(r"ch(\d\d)_(\w+)"), re.compile(r"t(\d+)_\w+\.py")
OURS = Path(__file__).parent


def add_folder(folder: str | Path) -> None:
    """Take in a teacher's own tasks.

    Raises:
        BadTasks: there are none in it, or one of them can't be read.
    """
    path = Path(folder).expanduser().resolve()
    found = {
        f"{number}.{task}": file
        for number, chapter in chapter_folders(path)
        for task, file in _files(chapter).items()
    }
    if not found:
        raise BadTasks(
            f"{folder} holds no tasks; a task is a file in it such as "
            "ch71_my_course/t1_row_means.py."
        )
    for task_id, file in found.items():
        _load(task_id, file)
    own_tasks.add(path)


def chapter_folders(root: Path) -> list[tuple[str, Path]]:
    """The chapters' numbers and folders in a folder of tasks."""
    found = sorted(root.iterdir()) if root.is_dir() else []
    return [(m[1], path) for path in found if (m := FOLDER.fullmatch(path.name))]


def _files(chapter: Path) -> dict[int, Path]:
    """The tasks' files in a chapter's folder, by number."""
    found = {int(m[1]): f for f in chapter.iterdir() if (m := FILE.fullmatch(f.name))}
    return dict(sorted(found.items()))


def _folders() -> dict[str, list[Path]]:
    """Chapter numbers, and the folders with their tasks, the book's first."""
    found: dict[str, list[Path]] = {}
    for root in (OURS, *own_tasks.folders()):
        for number, path in chapter_folders(root):
            found.setdefault(number, []).append(path)
    return dict(sorted(found.items()))


def task_files() -> dict[str, Path]:
    """Where each task stands, by its id: the book's, or an instructor's own."""
    return {
        f"{number}.{task}": file
        for number, folders in _folders().items()
        for folder in folders
        for task, file in _files(folder).items()
    }


def chapters() -> dict[str, str]:
    """Chapter numbers with graded tasks, and their titles."""
    return {
        number: folders[0].name[5:].replace("_", " ").capitalize().replace("gpu", "GPU")
        for number, folders in _folders().items()
    }


def of_chapter(number: str | int) -> dict[str, Task]:
    """The tasks of a chapter by id; raises UnknownTask."""
    folders, key = _folders(), str(number).zfill(2)
    if key not in folders:
        raise UnknownTask(
            f"Chapter {number!r} has no graded tasks. "
            f"Chapters that have: {', '.join(folders)}."
        )
    files: dict[int, Path] = {}
    for folder in folders[key]:
        files |= _files(folder)
    ids = {task: f"{key}.{task}" for task in sorted(files)}
    return {ids[task]: _load(ids[task], files[task]) for task in ids}


@cache
def _load(task_id: str, file: Path) -> Task:
    if file.is_relative_to(OURS):
        name = ".".join((__name__, *file.relative_to(OURS).with_suffix("").parts))
        task = importlib.import_module(name).TASK
    else:
        task = own_tasks.load(file)
    object.__setattr__(task, "id", task_id)
    text = file.read_text("utf-8")
    trains = "torch.optim" in text or "probes.trained" in text
    object.__setattr__(task, "trains", trains)
    return task


def find(task_id: object) -> Task:
    """The task with this id ("05.1", also "5.1"); raises UnknownTask."""
    parts = re.fullmatch(r"\s*(\d+)\.(\d+)\s*", str(task_id))
    numbers = list(_folders())
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
