"""What a teacher wants to see of a task: what catches each mistake, and by how much."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tt_utils.grading.judging.compare import agree
from tt_utils.grading.judging.diagnosis import first_failing
from tt_utils.grading.judging.judge_values import same, wrong_values
from tt_utils.grading.judging.known_answers import (
    answers_in,
    expected,
    outcome,
    sources,
)
from tt_utils.grading.observing.plain_values import Value, plain
from tt_utils.grading.tasks.mistakes import Mistake
from tt_utils.grading.tasks.spec import FunctionTask, ValueTask


@dataclass(frozen=True)
class Line:
    """One mistake: the first check that catches it, by how many numbers, and the
    mistake that is told apart from it by the fewest checks."""

    name: str
    caught_by: int
    numbers: str
    neighbour: str
    apart: int


def problems(task: FunctionTask, seed: int = 0) -> Iterator[str]:
    """What is wrong with a task itself, in sentences.

    Raises ValueError for an edit that fits nothing, or an answer that lacks a name.
    """
    if odd := list(odd_inputs(task, seed)):
        yield from odd
        return
    for number, text in enumerate(task.right, 1):
        answers_in(task, text)
        for check in range(len(task.checks)):
            seen = outcome(task, text, seed, check)
            if seen.raised:
                yield (
                    f"right answer {number} raises {seen.raised.name} in check "
                    f"{check + 1}: {seen.raised.text}. Lacks it `probe=` or `arrays=`?"
                )
            elif not agree(expected(task, seed, check), seen, task.rtol, task.atol):
                yield f"right answer {number} fails check {check + 1}"
    planted = next((one for one in task.known if one.name == "as planted"), None)
    for number, check in enumerate(task.checks):
        passes = planted is not None and passed(task, planted, seed, number)
        if passes and check.earns:
            yield f"the planted bug passes check {number + 1}: write earns=False there"
        elif not passes and not check.earns:
            yield f"check {number + 1} has earns=False, and the planted bug fails it"
    for mistake in task.known:
        for text in sources(task, mistake):
            try:
                answers_in(task, text)
            except SyntaxError as error:
                yield f"{mistake.name!r}: an edit gives no Python, {error.msg}:\n{text}"
                continue
            seen = [outcome(task, text, seed, n) for n in range(len(task.checks))]
            if any(one.raised and one.raised.name == "NameError" for one in seen):
                yield f"{mistake.name!r}: an edit uses an unknown name:\n{text}"
            if first_failing(task, text, seed) == len(task.checks):
                yield f"{mistake.name!r}: no check catches this spelling:\n{text}"


def odd_inputs(task: FunctionTask, seed: int) -> Iterator[str]:
    """The checks that give no arguments, and why."""
    for number in range(len(task.checks)):
        try:
            arguments = task.inputs_of(number, seed)
        except Exception as error:  # a name that the file doesn't import, for one
            reason = f"{type(error).__name__}: {error}"
            yield f"the inputs of check {number + 1} can't be made ({reason})"
        else:
            if not isinstance(arguments, tuple):
                yield f"check {number + 1} gives no tuple of inputs; one alone is (x,)"


def passed(task: FunctionTask, mistake: Mistake, seed: int, number: int) -> bool:
    """Does a mistake, as first written, come out right in a check?"""
    seen = outcome(task, sources(task, mistake)[0], seed, number)
    return agree(expected(task, seed, number), seen, task.rtol, task.atol)


def problems_of_values(task: ValueTask) -> Iterator[str]:
    """What is wrong with a task by hand itself, in sentences.

    Raises ValueError for an edit that is not `name = value`.
    """
    right = dict(zip(task.outputs, map(plain, task.right), strict=True))
    for mistake in task.known:
        for values in wrong_values(mistake):
            if odd := ", ".join(name for name in values if name not in right):
                yield f"{mistake.name!r}: the task asks for no {odd}"
            elif all(same(task, right[name], value) for name, value in values.items()):
                yield f"{mistake.name!r}: its values are the right ones"


def table(task: FunctionTask, seed: int = 0) -> list[Line]:
    """A line for each known mistake. ValueError names an edit that fits nothing."""
    return [line(task, mistake, seed) for mistake in task.known]


def line(task: FunctionTask, mistake: Mistake, seed: int) -> Line:
    texts = sources(task, mistake)
    text = min(texts, key=lambda text: first_failing(task, text, seed))
    number = first_failing(task, text, seed)
    if number == len(task.checks):
        return Line(mistake.name, 0, "-", "the right answer", 0)
    others = {
        other.name: min(apart(task, text, twin, seed) for twin in sources(task, other))
        for other in task.known
        if other is not mistake
    }
    neighbour = min(others, key=others.__getitem__, default="")
    return Line(
        mistake.name,
        number + 1,
        numbers(task, text, seed, number),
        neighbour,
        others.get(neighbour, 0),
    )


def apart(task: FunctionTask, one: str, other: str, seed: int) -> int:
    """How many checks tell two texts apart."""
    return sum(
        not agree(
            outcome(task, one, seed, number),
            outcome(task, other, seed, number),
            task.rtol,
            task.atol,
        )
        for number in range(len(task.checks))
    )


def numbers(task: FunctionTask, text: str, seed: int, number: int) -> str:
    """How many numbers of the check are wrong: "3 of 6", "raises", "shape"."""
    twin = outcome(task, text, seed, number)
    if twin.raised:
        return f"raises {twin.raised.name}"
    right = expected(task, seed, number)
    if len(twin.values) != len(right.values):
        return "count of results"
    counts = [
        wrong_numbers(task, *pair)
        for pair in zip(right.values, twin.values, strict=True)
    ]
    if None in counts:
        return "shape or kind"
    return f"{sum(filter(None, counts))} of {sum(v.numbers for v in right.values)}"


def wrong_numbers(task: FunctionTask, right: Value, got: Value) -> int | None:
    if right.array is None or got.array is None:
        return int(right.data != got.data)
    if right.array.shape != got.array.shape or right.kind != got.kind:
        return None
    rtol, atol = (task.rtol, task.atol) if right.array.dtype.kind == "f" else (0, 0)
    close = np.isclose(got.array, right.array, rtol, atol, equal_nan=True)
    return int((~close).sum())
