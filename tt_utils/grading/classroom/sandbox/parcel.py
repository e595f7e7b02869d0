"""Packs what is asked of the answers, for a place that can't import any task.

Functions and classes of task modules travel by value: their own code, and of what
stands around them only the names that they use. The right answers are texts that no
probe and no input uses, so they stay here, as does what is there to be asked
(`held_back`); a test looks for both in the bytes.
"""

import functools
import io
import random
from typing import Any

import cloudpickle

from tt_utils.grading import tasks
from tt_utils.grading.classroom.sandbox.held_back import NotOffered
from tt_utils.grading.classroom.sandbox.stage import module_of
from tt_utils.grading.classroom.student_side.session import Asked
from tt_utils.grading.observing import probes
from tt_utils.grading.observing.observation import Request
from tt_utils.grading.tasks.requests import requests, training_request
from tt_utils.grading.tasks.spec import FunctionTask, Task, TrainingTask, ValueTask


def asked_of(task: Task, seeds: tuple[int, ...]) -> Asked:
    """One round of requests for each seed; values are asked for once, and so is what
    trains: with a seed that nobody knows, the last."""
    if isinstance(task, FunctionTask):
        rounds = tuple(
            tuple(map(requests(task, seed).__getitem__, order_of(task, seed, number)))
            for number, seed in enumerate(seeds)
        )
    elif isinstance(task, TrainingTask):
        rounds = ((training_request(task, seeds[-1]),),)
    else:
        assert isinstance(task, ValueTask)
        rounds = ((Request(probes.values, (), results=len(task.outputs)),),)
    functions = not isinstance(task, ValueTask)
    names = task.answers if functions else task.outputs
    return Asked(len(names), functions, names, rounds, task.seconds)


def order_of(task: FunctionTask, seed: int, number: int) -> list[int]:
    """The order in which a round asks what the checks ask.

    The first round has the notebook's; the others have one of their own.
    """
    order = list(range(len(task.checks)))
    if number:
        random.Random(f"{seed} {number}").shuffle(order)
    return order


def by_value(task: Task) -> None:
    """From here on what the task's module defines is packed whole."""
    for module in (tasks, module_of(task)):
        cloudpickle.register_pickle_by_value(module)


def packed(content: Any) -> bytes:
    stream = io.BytesIO()
    _Packer(stream).dump(content)
    return stream.getvalue()


class _Packer(cloudpickle.Pickler):
    def reducer_override(self, thing: Any) -> Any:
        if isinstance(thing, functools._lru_cache_wrapper):  # has a name only, else
            return functools.cache, (thing.__wrapped__,)
        if hasattr(type(thing), "offers"):
            raise NotOffered(
                f"A {type(thing).__name__} stands where it can't be held back: in a "
                "probe, or within another argument."
            )
        return super().reducer_override(thing)
