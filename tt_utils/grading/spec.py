"""What a graded task is: data, checks from basic to subtle, and known mistakes.

A task never runs anything by itself. Inputs come from a seed, `runner` turns inputs
into outputs, `checker` compares outputs: the three can live in different processes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

Kind = Literal["compute by hand", "implement", "find the bug", "predict", "explain"]


class _Anything:
    def __repr__(self) -> str:
        return "ANYTHING"


ANYTHING = _Anything()  # in a wrong answer by value: this entry does not matter


@dataclass(frozen=True)
class Draws:
    """An argument that reaches the learner as `np.random.default_rng(seed)`."""

    seed: int


@dataclass(frozen=True)
class Check:
    """One rung of the ladder: a title in the learner's words, and its arguments."""

    title: str
    inputs: Callable[[np.random.Generator], tuple]


@dataclass(frozen=True)
class Wrong:
    """A mistake that runs, and the hint that leads out of it.

    `answer` is a function in NumPy, or a tuple of values (some may be ANYTHING).
    """

    name: str
    hint: str
    answer: Callable | tuple


@dataclass(frozen=True)
class Law:
    """A property of all outputs together, where single values cannot tell."""

    title: str
    holds: Callable[[list], bool]
    hint: str
    broken_by: tuple[Callable, ...]


@dataclass(frozen=True, kw_only=True)
class Task:
    """What every task has. `outputs` names the values that are compared."""

    id: str
    title: str
    kind: Kind
    points: int
    outputs: tuple[str, ...]
    reference: Callable | tuple
    wrong: tuple[Wrong, ...]
    right: tuple  # alternatives that must be accepted
    rtol: float = 1e-5
    atol: float = 1e-6


@dataclass(frozen=True, kw_only=True)
class FunctionTask(Task):
    """The learner hands in a function. The reference is NumPy, whatever they use."""

    function: str
    arguments: tuple[str, ...]
    checks: tuple[Check, ...]
    arrays: Literal["numpy", "torch"] = "numpy"
    laws: tuple[Law, ...] = ()

    def inputs(self, seed: int) -> list[tuple]:
        """The arguments of every check, the same for the same seed."""
        return [
            check.inputs(np.random.default_rng([seed, number]))
            for number, check in enumerate(self.checks)
        ]


@dataclass(frozen=True, kw_only=True)
class ValueTask(Task):
    """The learner hands in numbers or words; the right ones are never shown."""
