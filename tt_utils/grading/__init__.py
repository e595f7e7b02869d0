"""Instant feedback on the exercises: `check("05.1", my_function)`, `progress()`."""

from typing import Any

from tt_utils.grading.points import CannotSave, progress, save
from tt_utils.grading.report import Result
from tt_utils.grading.tasks import UnknownTask, find

__all__ = ["check", "progress"]


def check(task_id: object, *answers: Any) -> Result:
    """Says whether the answers to a task are right, and if not, what to look at.

    An "implement" task takes the function itself, a "by hand" task its values. The
    best points of each task are kept for `progress()`. Never raises.
    """
    from tt_utils.grading.checker import grade

    try:
        task = find(task_id)
    except UnknownTask as error:
        return Result(heading="check", verdict="not checked", message=str(error))
    result = grade(task, answers)
    if not result.points:
        return result
    try:
        return result.with_note(save(task.id, result.points))
    except CannotSave as error:
        return result.with_note(str(error))
