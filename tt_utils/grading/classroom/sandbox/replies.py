"""Reads what the student's side sends. Every field is checked: it may be a forgery.

A forged reply can only say what an answer could have returned. So it earns what these
numbers earn.
"""

from dataclasses import dataclass, field, replace
from typing import Any, get_args

from tt_utils.grading.classroom.handed_in.text import shown
from tt_utils.grading.observing import plain_values as plain
from tt_utils.grading.observing.observation import Handed, Observation, Raised
from tt_utils.grading.observing.observation_bytes import from_bytes
from tt_utils.grading.observing.plain_values import Value

DTYPES = ("bool", "int64", "float64")
COARSEST = 2.0**-7  # bfloat16's step; nothing coarser earns a wider tolerance
TEXT = 2000  # characters
LARGEST_TEXT = 2**21  # bytes of JSON; read, they take up to forty times as many
DEEPEST = 2 * plain.DEEPEST + 2
STOPPED = ("", "time", "waiting", "ended", "stuck")
HANDED = ("nothing", "unfinished", "stub", "function", "value")


class Forged(ValueError):
    """No observation of ours looks like this."""


@dataclass
class HandedIn:
    """The answers to one task, and for each round what came of its requests.

    It is `whole` once the student's side has said that this is all.
    """

    answers: tuple[Handed, ...]
    rounds: dict[int, list[Observation]] = field(default_factory=dict)
    whole: bool = False


def observation(content: bytes, arguments: int) -> Observation:
    """Raises Forged. `arguments` is how many the request has."""
    require(int.from_bytes(content[:8], "little") <= LARGEST_TEXT)  # the arrays' names
    try:
        seen = from_bytes(content, LARGEST_TEXT)
    except Exception:  # whatever a library says to odd bytes
        raise Forged("it sent what is no reply") from None
    require(type(seen.one_thing) is bool and seen.stopped in STOPPED)
    require(is_count(seen.drawn))
    require(all(is_count(number) and number < arguments for number in seen.changed))
    require(not (seen.values and (seen.raised or seen.stopped)))
    require(bool(seen.values or seen.raised or seen.stopped))
    raised = seen.raised
    if raised is not None:
        require(isinstance(raised, Raised) and bool(raised.name))
        raised = Raised(*map(short, (raised.name, raised.text, raised.line)))
    return replace(
        seen,
        values=tuple(map(checked, seen.values)),
        raised=raised,
        printed=short(seen.printed),
    )


def checked(value: Value) -> Value:
    """The value with texts that are short and a step that is a type's."""
    require(value.kind in get_args(plain.Kind))
    require(type(value.eps) in (int, float) and value.eps >= 0)
    if value.kind == "numbers":
        require(value.data is None and value.array is not None)
        assert value.array is not None
        require(value.array.dtype.name in DTYPES)
    else:
        require(value.array is None)
        require(value.kind == "data" or value.data is None)
        check_data(value.data)
    return replace(
        value,
        form=short(value.form),
        shown=short(value.shown),
        eps=min(float(value.eps), COARSEST),
    )


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
        require(form["kind"] in HANDED)
        found.append(Handed(short(form["form"]), form["kind"]))
    return tuple(found)


def short(text: Any) -> str:
    require(isinstance(text, str))
    text = shown(text[: TEXT + 1])
    return text if len(text) <= TEXT else text[:TEXT] + " …"


def is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**128


def require(condition: bool) -> None:
    if not condition:
        raise Forged("a field of the reply is odd")
