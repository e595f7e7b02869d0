"""A task's right answers and known mistakes, run: what a learner is compared with.

A mistake has as many twins as there are right answers that its edits fit.
"""

import math
import types
import warnings
from functools import cache, lru_cache
from itertools import permutations
from typing import Any

import numpy as np

from tt_utils.grading.observing.attempt import attempt
from tt_utils.grading.observing.global_state import anew
from tt_utils.grading.observing.observation import Observation
from tt_utils.grading.tasks.mistakes import Mistake, edited
from tt_utils.grading.tasks.requests import requests
from tt_utils.grading.tasks.spec import FunctionTask

SPELLINGS = 6  # of two mistakes at once; there are hundreds of pairs to try


def answers_in(task: FunctionTask, source: str) -> tuple:
    """The functions or classes that a source text defines for the task."""
    names: dict[str, Any] = {"np": np, "math": math}
    if task.arrays == "torch":
        import torch

        names |= {"torch": torch, "F": torch.nn.functional, "nn": torch.nn}
    exec(compile(source, f"<{task.id}>", "exec"), names)
    missing = [name for name in task.answers if name not in names]
    if missing:
        raise ValueError(
            f"{task.id}: a right answer defines no {' and no '.join(missing)}"
        )
    for position in task.unwritten:
        name = task.answers[position]
        names[name] = emptied(names[name])
    return tuple(names[name] for name in task.answers)


def emptied(answer: Any) -> Any:
    """A function, or a class with methods, that does nothing."""

    def nothing(*_: Any, **__: Any) -> None:
        return None

    if not isinstance(answer, type):
        return nothing
    for name, method in list(vars(answer).items()):
        if isinstance(method, types.FunctionType) and name != "__init__":
            setattr(answer, name, nothing)
    return answer


@lru_cache(maxsize=100)
def for_one_without(task: FunctionTask, positions: tuple[int, ...]) -> FunctionTask:
    """The same task each time, so that what its answers give is kept."""
    return task.without(positions) if positions else task


@cache
def sources(task: FunctionTask, mistake: Mistake) -> tuple[str, ...]:
    """The right answers with the mistake in them.

    Raises ValueError for an edit that fits no right answer.
    """
    found: list[str] = []
    for way in mistake.ways:
        fitting = [text for right in task.right if (text := edited(right, way))]
        if not fitting:
            raise ValueError(
                f"{task.id}, {mistake.name!r}: no right answer holds all of "
                f"{' and '.join(way)!r}"
            )
        found += fitting
    return tuple(dict.fromkeys(found))


@cache
def sources_of_two(task: FunctionTask, one: Mistake, other: Mistake) -> tuple[str, ...]:
    """The right answers with both mistakes in them, one edited after the other."""
    found = (
        edited(text, way)
        for first, second in permutations((one, other))
        for way in second.ways
        for text in sources(task, first)
    )
    alone = {*sources(task, one), *sources(task, other)}
    texts = dict.fromkeys(text for text in found if text and text not in alone)
    return tuple(texts)[:SPELLINGS]


@lru_cache(maxsize=20_000)
def outcome(task: FunctionTask, source: str, seed: int, number: int) -> Observation:
    """What a text gives for check `number`: the same for everybody, so kept."""
    with np.errstate(all="ignore"), warnings.catch_warnings(), anew():
        warnings.simplefilter("ignore")  # what our own mistakes warn of is no news
        try:
            answers = _compiled(task, source)
        except Exception:  # two edits, or one slip, that make no Python
            return Observation(stopped="ended")
        return attempt(answers, requests(task, seed)[number])


@lru_cache(maxsize=4000)
def _compiled(task: FunctionTask, source: str) -> tuple:
    return answers_in(task, source)


def expected(task: FunctionTask, seed: int, number: int) -> Observation:
    """The right result of check `number`."""
    return outcome(task, task.truth or task.right[0], seed, number)
