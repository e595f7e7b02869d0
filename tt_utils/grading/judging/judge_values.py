"""Judges numbers and words: which are right, and which mistake the wrong ones show."""

import math
from dataclasses import replace
from typing import Any

import numpy as np

from tt_utils.grading.judging.compare import show
from tt_utils.grading.judging.judge import not_attempted, read_again, result
from tt_utils.grading.observing.observation import Observed
from tt_utils.grading.observing.plain_values import Value, plain
from tt_utils.grading.reporting.result import Result, Rung, earned
from tt_utils.grading.tasks.mistakes import Mistake
from tt_utils.grading.tasks.spec import ValueTask

A_LIST = "a list"  # the form of a right answer that may stand in any order


def judge_values(task: ValueTask, observed: Observed) -> Result:
    """A point for every right value, and a hint for a wrong one."""
    refused = _refused(task, observed)
    if refused is not None:
        return refused
    (call,) = observed.calls
    if not call.values:
        return result(
            task,
            "not checked",
            "Your answers can't be read. Give plain numbers or words.",
        )
    given = dict(zip(task.outputs, call.values, strict=True))
    missing = [n for n, v in given.items() if v.kind in ("nothing", "unfinished")]
    if len(missing) == len(given):
        return not_attempted(task)
    right = dict(zip(task.outputs, map(plain, task.right), strict=True))
    rungs = tuple(
        Rung(f"`{name}`", None if name in missing else same(task, right[name], value))
        for name, value in given.items()
    )
    points = earned(rungs)
    if points == task.points:
        return result(task, "right", points=points, rungs=rungs, why=task.why)
    wrong = [n for n, rung in zip(given, rungs, strict=True) if rung.passed is False]
    if not wrong:
        names = ", ".join(missing)
        message = f"Still to do: {names}. Then run again."
        return result(task, "not attempted", message, points=points, rungs=rungs)
    found = diagnose_values(task, given, wrong)
    name, mistake = next(iter(found.items()), (wrong[0], None))
    message = f"`{name}` is not right yet."
    if not mistake and not same_form(given[name], right[name]):
        message += f" Expected {form(right[name])}, got {form_given(given[name])}."
    return result(
        task,
        "not yet",
        message,
        points=points,
        rungs=rungs,
        evidence=((f"Your {name}", given[name].shown or show(given[name].array)),),
        hints=(mistake.hint,) if mistake else (),
        mistakes=tuple(dict.fromkeys(one.name for one in found.values())),
        more_hints=task.hints,
        section=read_again(task),
        printed=call.printed,
    )


def _refused(task: ValueTask, observed: Observed) -> Result | None:
    names = ", ".join(task.outputs)
    usage = f'check("{task.id}", {names})'
    if len(observed.answers) != len(task.outputs):
        return result(
            task,
            "not checked",
            f"This task takes {len(task.outputs)} answers ({names}), "
            f"got {len(observed.answers)}. Call `{usage}`.",
        )
    for name, answer in zip(task.outputs, observed.answers, strict=True):
        if answer.kind in ("function", "stub"):
            return result(
                task,
                "not checked",
                f"`{name}` should be a value, got {answer.form}. Call `{usage}`.",
            )
    return None


def diagnose_values(
    task: ValueTask, given: dict[str, Value], wrong: list[str]
) -> dict[str, Mistake]:
    """The known mistake that each wrong value shows, where there is one.

    Of the mistakes whose values are all there, the first that holds the value is taken,
    and explains its other values too.
    """
    fitting = [
        (values, mistake)
        for mistake in task.known
        for values in wrong_values(mistake)
        if all(same(task, value, given[name]) for name, value in values.items())
    ]
    found: dict[str, Mistake] = {}
    for name in wrong:
        if name not in found:
            shown = next((pair for pair in fitting if name in pair[0]), None)
            if shown is not None:
                found |= dict.fromkeys(shown[0], shown[1])
    return {name: found[name] for name in wrong if name in found}


def wrong_values(mistake: Mistake) -> list[dict[str, Value]]:
    """The values that show a mistake, by name, for each way to make it.

    Raises ValueError for an edit that is not `name = value`.
    """
    ways = []
    for way in mistake.ways:
        values = {}
        for edit in way:
            name, equals, expression = edit.partition("=")
            if not equals:
                raise ValueError(
                    f"{mistake.name!r}: write `name = value`, not {edit!r}"
                )
            value = plain(eval(expression, {"math": math, "np": np}))
            if value.array is not None:  # a mistake may be rounded too
                value = replace(value, array=value.array.astype(float))
            values[name.strip()] = value
        ways.append(values)
    return ways


def same(task: ValueTask, right: Value, given: Value) -> bool:
    """Equal within the task's tolerance, and as near as the given type can come.

    Whole numbers must be met exactly. A row, a column, a list of one: all the same. The
    numbers of a list may stand in any order (those of a tuple may not).
    """
    if right.kind != given.kind:
        return False
    if right.array is None or given.array is None:
        return _word(right.data) == _word(given.data)
    one, other = right.array.squeeze(), given.array.squeeze()
    if one.shape != other.shape or (one.dtype.kind == "b") != (other.dtype.kind == "b"):
        return False
    if right.form == A_LIST and one.ndim == 1:
        one, other = np.sort(one), np.sort(other)
    exact = one.dtype.kind in "ib"
    rtol, atol = (1e-9, 0.0) if exact else (task.rtol, task.atol)
    if not exact and is_rounded(given):
        rtol += given.eps / 2
    return bool(np.allclose(other, one, rtol, atol, equal_nan=True))


def is_rounded(given: Value) -> bool:
    """Do all numbers have no more digits than the type that they are said to be of?"""
    if not given.eps or given.array is None:
        return False
    digits = np.frexp(given.array.astype(float))[0] / (given.eps / 2)
    return bool(np.array_equal(digits, np.round(digits), equal_nan=True))


def _word(data: Any) -> Any:
    if isinstance(data, list) and len(data) == 1:
        (data,) = data
    return data.strip().casefold() if isinstance(data, str) else data


def same_form(given: Value, right: Value) -> bool:
    if given.array is None or right.array is None:
        return type(given.data) is type(right.data) and given.kind == right.kind
    # The size of a list would be half of the answer.
    return right.form == A_LIST or given.array.size == right.array.size


def form_given(given: Value) -> str:
    """What it is; of a list with words in it, that it has words."""
    data = given.data if given.array is None else None
    has_words = isinstance(data, list) and any(isinstance(x, str) for x in data)
    return form(given) if has_words else given.form


def form(right: Value) -> str:
    if right.array is None:
        is_list = isinstance(right.data, list)
        return "a list of words in quotes" if is_list else "a word in quotes"
    if right.form == A_LIST:
        return "a list of numbers"
    size = right.array.size
    return "one number" if size == 1 else f"{size} numbers"
