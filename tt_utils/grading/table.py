"""What a teacher wants to see of a task: what catches each mistake, and by how much."""

from dataclasses import dataclass

import numpy as np

from tt_utils.grading.compare import agree
from tt_utils.grading.diagnosis import first_failing
from tt_utils.grading.mistakes import Mistake
from tt_utils.grading.plain import Value
from tt_utils.grading.spec import FunctionTask
from tt_utils.grading.twins import expected, outcome, sources


@dataclass(frozen=True)
class Line:
    """One mistake: the first check that catches it, by how many numbers, and the
    mistake that is told apart from it by the fewest checks."""

    name: str
    caught_by: int
    numbers: str
    neighbour: str
    apart: int


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
