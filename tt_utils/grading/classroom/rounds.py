"""Judges what came of all rounds of a task: a point is for a check passed in every one.

A round asks all that the checks ask, with numbers of its own. The first has the
notebook's; those of the others nobody has seen, and the last one asks the same as the
one before it in another order. So neither the answers to the first round nor a list of
answers, read off in turn, are worth a point.
"""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tt_utils.grading.classroom.sandbox.parcel import order_of
from tt_utils.grading.classroom.sandbox.replies import HandedIn
from tt_utils.grading.judging.compare import agree
from tt_utils.grading.judging.judge import judge, not_attempted, result
from tt_utils.grading.judging.judge_training import judge_training
from tt_utils.grading.judging.judge_values import judge_values
from tt_utils.grading.judging.known_answers import expected
from tt_utils.grading.observing.observation import Observation, Observed
from tt_utils.grading.reporting.result import Result, Rung, earned
from tt_utils.grading.tasks.spec import FunctionTask, Task, TrainingTask, ValueTask

ENDED = Observation(stopped="ended")
TWICE = 2  # checks that are answered now right, now wrong: more than an accident
THE_SAME = "It gives the same, whatever it is asked, and so earns nothing."
LEFT_OPEN = "It was handed in with a `...` where something is left to write."
NOW_SO_NOW_SO = (
    "Asked the same twice, it answers now right, now wrong, and so earns nothing. Does "
    "it keep something from one call to the next, or draw numbers of its own?"
)


def new_seeds() -> tuple[int, ...]:
    """The notebook's own, with which every known mistake shows, and secret ones."""
    one, other = (1 + secrets.randbelow(2**31) for _ in range(2))
    return 0, one, other, other


def judged(task: Task, seeds: Sequence[int], handed: HandedIn | None) -> Result:
    """The result of all rounds together; the first that isn't right says why."""
    if handed is None:
        message = (
            "It was not handed in: `check` was not called for it, or the cell of its "
            "answer failed; then a remark says so."
        )
        return replace(not_attempted(task), message=message)
    try:
        return _judged(task, seeds, handed)
    except Exception as error:  # what a forged reply holds fits nothing
        return result(
            task,
            "not checked",
            f"The answers came to something odd ({type(error).__name__}), which can't "
            "be judged.",
        )


def _judged(task: Task, seeds: Sequence[int], handed: HandedIn) -> Result:
    if isinstance(task, ValueTask):
        calls = whole(handed.rounds.get(0, []), 1)
        return together([judge_values(task, Observed(handed.answers, calls))])
    if isinstance(task, TrainingTask):
        calls = whole(handed.rounds.get(0, []), 1)
        return judge_training(task, seeds[-1], Observed(handed.answers, calls))
    assert isinstance(task, FunctionTask)
    rounds = [
        in_order(task, seed, number, handed.rounds.get(number, []))
        for number, seed in enumerate(seeds)
    ]
    results: list[Result] = []
    for seed, calls in zip(seeds, rounds, strict=True):
        explain = all(results)  # the first that isn't right says why
        results.append(judge(task, seed, Observed(handed.answers, calls), explain))
    found = together(results)
    if found.points and not found:
        if is_constant(task, seeds, rounds):
            return worthless(found, THE_SAME)
        if contradictions(task, seeds, rounds) >= TWICE:
            return worthless(found, NOW_SO_NOW_SO)
    return found


def whole(calls: list[Observation], requests: int) -> tuple[Observation, ...]:
    """As many observations as requests, or a last one that says why there are fewer."""
    if len(calls) < requests and not (calls and calls[-1].stopped):
        return (*calls, ENDED)
    return tuple(calls)


def in_order(
    task: FunctionTask, seed: int, number: int, calls: list[Observation]
) -> tuple[Observation, ...]:
    """A round's observations in the order of the checks."""
    if not number:
        return whole(calls, len(task.checks))
    padded = [*calls, *[ENDED] * (len(task.checks) - len(calls))]
    by_check = dict(zip(order_of(task, seed, number), padded, strict=True))
    return tuple(by_check[check] for check in sorted(by_check))


def together(results: Sequence[Result]) -> Result:
    """The first result that isn't right, with what every round passes."""
    reason = next((one for one in results if not one), results[0])
    if reason.verdict == "not attempted":
        reason = replace(reason, message=LEFT_OPEN)
    rungs = tuple(map(every, zip(*(one.rungs for one in results), strict=False)))
    return replace(reason, rungs=rungs, points=earned(rungs))


def every(rungs: Iterable[Rung]) -> Rung:
    """One check over all rounds: failed where one fails, not run where one isn't."""
    found = list(rungs)
    states = {rung.passed for rung in found}
    passed = False if False in states else None if None in states else True
    return replace(found[0], passed=passed)


def is_constant(
    task: FunctionTask,
    seeds: Sequence[int],
    rounds: Sequence[tuple[Observation, ...]],
) -> bool:
    """Is one thing said to all that is asked, where right answers differ?

    So do measurements, from draw to draw.
    """
    right = [
        expected(task, seed, number)
        for seed in seeds
        for number in range(len(task.checks))
    ]
    said = [call for calls in rounds for call in calls]
    return all_alike(said) and (bool(task.truth) or not all_alike(right))


def all_alike(observations: Sequence[Observation]) -> bool:
    return all(agree(observations[0], one, 0.0, 0.0) for one in observations)


def contradictions(
    task: FunctionTask,
    seeds: Sequence[int],
    rounds: Sequence[tuple[Observation, ...]],
) -> int:
    """How many checks are right in one order and wrong in another: the last rounds."""
    if seeds[-1] not in seeds[:-1]:
        return 0
    pairs = zip(rounds[seeds.index(seeds[-1])], rounds[-1], strict=False)
    verdicts = (
        [agree(expected(task, seeds[-1], n), one, task.rtol, task.atol) for one in pair]
        for n, pair in enumerate(pairs)
        if not any(one.stopped for one in pair)
    )
    return sum(one != other for one, other in verdicts)


def worthless(found: Result, why: str) -> Result:
    rungs = tuple(replace(rung, passed=None) for rung in found.rungs)
    return replace(found, points=0, rungs=rungs, message=f"{why} {found.message}")
