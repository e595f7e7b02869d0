"""Which known mistake gives just what the learner's answer gives?"""

import math
import time
from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np

from tt_utils.grading.judging.compare import agree, equal, same_error
from tt_utils.grading.judging.known_answers import (
    expected,
    outcome,
    sources,
    sources_of_two,
)
from tt_utils.grading.judging.slips import slips_of
from tt_utils.grading.observing.observation import Observation
from tt_utils.grading.tasks.mistakes import Mistake
from tt_utils.grading.tasks.spec import FunctionTask

ENOUGH = 3  # numbers; fewer may agree by chance
MOST = 0.5  # of the calls must be explained by two mistakes together
CLEARLY = 0.7  # so much nearer must the nearest mistake be than the next one
SLIPS = 3  # that explain the same; of more, none tells the learner anything
PATIENCE = 2.0  # seconds of CPU time for all of them
MEASURED = 0.15  # relative; so far may two measurements of the same thing lie apart


def diagnose(
    task: FunctionTask, seed: int, calls: Sequence[Observation], first: int
) -> tuple[Mistake, ...]:
    """One mistake, two of them made at once, or nothing.

    `first` is the first call that fails; a mistake must explain it and all before it.
    Two together are named where they explain more calls than any single one. A draw
    gives nothing.
    """
    order = [first, *range(first), *range(first + 1, len(calls))]
    singles = {
        one: _best(task, sources(task, one), seed, calls, order) for one in task.known
    }
    best = max(singles.values(), default=(0, 0))
    is_open = best[0] < len(calls) and not calls[first].raised
    if is_open and task.pairs and not task.truth:  # measurements are too vague
        pairs = {
            pair: _best(task, sources_of_two(task, *pair), seed, calls, order)
            for pair in combinations(task.known, 2)
        }
        most = max(pairs.values(), default=(0, 0))
        if most[0] > best[0] and most[0] >= MOST * len(calls) and most[1] >= ENOUGH:
            return _sure(task, seed, [p for p, score in pairs.items() if score == most])
    if not _is_enough(best, first, len(calls)):
        return _slip(task, seed, calls, order)
    return _nearest(
        task, seed, calls, [o for o, score in singles.items() if score == best]
    )


def _slip(
    task: FunctionTask, seed: int, calls: Sequence[Observation], order: list[int]
) -> tuple[Mistake, ...]:
    """A slip that any answer can have, if it gives all that the learner's gives."""
    if calls[order[0]].raised or task.truth:
        return ()
    found: dict[str, Mistake] = {}
    end = time.process_time() + PATIENCE
    for slip in slips_of(task):
        count, numbers = _explained(task, slip.source, seed, calls, order)
        if count == len(calls) and numbers >= ENOUGH:
            found.setdefault(slip.name, slip.mistake)
        if len(found) > SLIPS or time.process_time() > end:
            return ()
    return tuple(found.values())[:1]


def _is_enough(score: tuple[int, int], first: int, calls: int) -> bool:
    """Is it more than chance: every call, or at least two that fail?"""
    explained, numbers = score
    if explained == calls:
        return numbers > 0
    return explained > first + 1 and numbers >= ENOUGH


def _sure(
    task: FunctionTask, seed: int, pairs: list[tuple[Mistake, Mistake]]
) -> tuple[Mistake, ...]:
    """The pair, the mistake that shows first ahead; of several, what they share."""
    if len(pairs) == 1:
        # What was planted shows everywhere; the learner's own mistake comes first.
        return tuple(
            sorted(
                pairs[0],
                key=lambda one: (one.name == "as planted", _shows_at(task, one, seed)),
            )
        )
    return tuple(set.intersection(*map(set, pairs)))


def _nearest(
    task: FunctionTask, seed: int, calls: Sequence[Observation], found: list[Mistake]
) -> tuple[Mistake, ...]:
    """The one that comes clearly nearest.

    Where answers measure, several come near; where they raise, several raise, and the
    text of the exception tells them apart.
    """
    if len(found) > 1:
        texts = {
            one: max(
                _same_texts(task, text, seed, calls) for text in sources(task, one)
            )
            for one in found
        }
        found = [one for one in found if texts[one] == max(texts.values())]
    if len(found) == 1:
        return (found[0],)
    distances = sorted(
        (min(_distance(task, text, seed, calls) for text in sources(task, one)), number)
        for number, one in enumerate(found)
    )
    (nearest, number), (second, _) = distances[:2]
    return (found[number],) if nearest < CLEARLY * second else ()


def _same_texts(
    task: FunctionTask, source: str, seed: int, calls: Sequence[Observation]
) -> int:
    """How many calls raise with the very text of the learner's exceptions."""
    twins = (outcome(task, source, seed, number) for number in range(len(calls)))
    return sum(
        bool(twin.raised and call.raised and twin.raised.text == call.raised.text)
        for twin, call in zip(twins, calls, strict=True)
    )


def _distance(
    task: FunctionTask, source: str, seed: int, calls: Sequence[Observation]
) -> float:
    total = 0.0
    for number, call in enumerate(calls):
        twin = outcome(task, source, seed, number)
        for one, other in zip(twin.values, call.values, strict=False):
            if one.array is None or other.array is None:
                continue
            if one.array.shape != other.array.shape:
                return math.inf
            gaps = np.abs(one.array.astype(float) - other.array)
            total += float(np.nan_to_num(gaps).sum())
    return total


def _best(
    task: FunctionTask,
    texts: Iterable[str],
    seed: int,
    calls: Sequence[Observation],
    order: list[int],
) -> tuple[int, int]:
    """What the best of the texts explains: calls, and numbers in the failing ones."""
    scores = (_explained(task, text, seed, calls, order) for text in texts)
    return max(scores, default=(0, 0))


def _explained(
    task: FunctionTask,
    source: str,
    seed: int,
    calls: Sequence[Observation],
    order: list[int],
) -> tuple[int, int]:
    """How many calls a text reproduces, and how many numbers the failing ones hold.

    (0, 0) unless it reproduces the first failing call and all before it.
    """
    first, count, numbers = order[0], 0, 0
    for number in order:
        twin, call = outcome(task, source, seed, number), calls[number]
        if number == first and call.raised and not same_error(twin, call, exactly=True):
            return 0, 0
        if alike(task, twin, call, seed, number):
            count += 1
            if number >= first:
                numbers += _weight(twin)
        elif number <= first:
            return 0, 0
        elif agree(expected(task, seed, number), call, task.rtol, task.atol):
            return 0, 0  # it would fail a check that the answer passes
    return count, numbers


def alike(
    task: FunctionTask, twin: Observation, call: Observation, seed: int, number: int
) -> bool:
    """The same outcome; where answers measure, the first result that is off decides.

    What comes after it was made from it, and wobbles as much.
    """
    if not task.truth or twin.raised or call.raised:
        return agree(twin, call, task.rtol, task.atol)
    right = expected(task, seed, number).values
    if not len(right) == len(twin.values) == len(call.values):
        return False
    for wanted, one, other in zip(right, twin.values, call.values, strict=True):
        if not equal(one, other, MEASURED, task.atol):
            return False
        if not equal(wanted, other, MEASURED, task.atol):
            return True
    return True


def _weight(twin: Observation) -> int:
    """How much an outcome proves: its different numbers; all zeros prove nothing.

    One that is not a number proves something, even if all are.
    """
    if twin.raised:
        return 1
    different = 0
    for value in twin.values:
        if value.kind in ("nothing", "unfinished"):
            continue
        if value.array is None:
            different += ENOUGH
        else:
            count = np.unique(value.array).size
            is_telling = count > 1 or value.array.ndim == 0 or _has_nan(value.array)
            different += count if is_telling else 0
    return different


def _has_nan(array: np.ndarray) -> bool:
    return array.dtype.kind == "f" and bool(np.isnan(array).any())


def _shows_at(task: FunctionTask, mistake: Mistake, seed: int) -> int:
    """The first check that the mistake fails by itself."""
    return min(first_failing(task, text, seed) for text in sources(task, mistake))


def first_failing(task: FunctionTask, source: str, seed: int) -> int:
    """The number of the first check that the text fails; all of them if none."""
    for number in range(len(task.checks)):
        right = expected(task, seed, number)
        if not agree(right, outcome(task, source, seed, number), task.rtol, task.atol):
            return number
    return len(task.checks)
