"""Arguments for checks. Give every axis a size of its own, primes by preference."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np


def normal(*shapes: tuple[int, ...], scale: float = 1.5) -> Callable:
    """One array a shape, with one decimal, so that a learner can follow by hand."""

    def inputs(rng: np.random.Generator) -> tuple:
        return tuple(rng.normal(scale=scale, size=shape).round(1) for shape in shapes)

    return inputs


def fixed(*arguments) -> Callable:
    """The same arguments for every seed; lists of numbers become arrays."""

    def inputs(rng: np.random.Generator) -> tuple:
        return tuple(
            np.array(x, float) if isinstance(x, list) else x for x in arguments
        )

    return inputs


@dataclass(frozen=True)
class Rule:
    """A function that a learner's function is given, such as a sub-layer.

    It is shown in `words`, and is the same as another one of the same words.
    """

    words: str
    rule: Callable = field(compare=False)
    offers = ()  # it is only called

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.rule(*arguments, **named)

    def __repr__(self) -> str:
        return self.words
