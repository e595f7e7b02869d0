"""Reads what the student's side sends. Every field is checked: it may be a forgery.

A forged reply can only say what an answer could have returned. So it earns what these
numbers earn.
"""

from dataclasses import dataclass, field
from typing import Any, get_args

import numpy as np

from tt_utils.grading import plain
from tt_utils.grading.attempt import Handed, Observation, Raised
from tt_utils.grading.plain import Value
from tt_utils.grading.wire import from_bytes

DTYPES = ("bool", "int64", "float64")
# The steps of the types that a task accepts, bfloat16's the largest.
STEPS = (0.0, 2.0**-52, 2.0**-23, 2.0**-10, 2.0**-7)
TEXT = 2000  # characters
DEEPEST = 2 * plain.DEEPEST + 2
STOPPED = ("", "time", "waiting", "ended", "stuck")
HANDED = ("nothing", "unfinished", "stub", "function", "value")


class Forged(ValueError):
    """No observation of ours looks like this."""


@dataclass
class HandedIn:
    """The answers to one task, and for each round what came of its requests."""

    answers: tuple[Handed, ...]
    rounds: dict[int, list[Observation]] = field(default_factory=dict)
    by_name: bool = False


def observation(content: bytes, arguments: int) -> Observation:
    """Raises Forged. `arguments` is how many the request has."""
    try:
        seen = from_bytes(content)
    except Exception as error:  # whatever a library says to odd bytes
        raise Forged(str(error)) from None
    require(isinstance(seen.values, tuple) and len(seen.values) <= 1000)
    for value in seen.values:
        check_value(value)
    require(type(seen.one_thing) is bool and seen.stopped in STOPPED)
    require(is_text(seen.printed))
    require(is_count(seen.drawn))
    require(all(is_count(number) and number < arguments for number in seen.changed))
    if seen.raised is not None:
        raised = seen.raised
        require(isinstance(raised, Raised))
        require(all(map(is_text, (raised.name, raised.text, raised.line))))
        require(bool(raised.name))
    require(not (seen.values and (seen.raised or seen.stopped)))
    require(bool(seen.values or seen.raised or seen.stopped))
    return seen


def check_value(value: Value) -> None:
    require(value.kind in get_args(plain.Kind))
    require(is_text(value.form) and is_text(value.shown))
    require(type(value.eps) in (int, float) and value.eps in STEPS)
    if value.kind == "numbers":
        require(isinstance(value.array, np.ndarray) and value.data is None)
        assert value.array is not None
        require(value.array.dtype.name in DTYPES)
    else:
        require(value.array is None)
        require(value.kind == "data" or value.data is None)
        check_data(value.data)


def check_data(data: Any, depth: int = DEEPEST) -> None:
    require(depth > 0)
    if isinstance(data, list):
        for item in data:
            check_data(item, depth - 1)
    elif isinstance(data, dict):
        for key, item in data.items():
            require(isinstance(key, str))
            check_data(item, depth - 1)
    else:
        require(data is None or isinstance(data, str | bool | int | float))


def answers_in(forms: Any) -> tuple[Handed, ...]:
    """What was handed in, from the head of a message. Raises Forged."""
    require(isinstance(forms, list) and len(forms) <= 100)
    found = []
    for form in forms:
        require(isinstance(form, dict) and set(form) == {"form", "kind"})
        require(is_text(form["form"]) and form["kind"] in HANDED)
        found.append(Handed(form["form"], form["kind"]))
    return tuple(found)


def is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= TEXT


def is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**64


def require(condition: bool) -> None:
    if not condition:
        raise Forged("a field of the reply is odd")
