"""What a check hands over to be asked, such as a layer, stays with the grader.

Into the sandbox goes a stand-in with a number by chance. It has what the thing's class
offers besides being called: `offers` names fields, which go along, and methods that
use these fields alone. Functions offer nothing besides.
"""

import functools
import secrets
import types
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

import numpy as np

from tt_utils.grading.classroom.student_side.session import Asked
from tt_utils.grading.observing.observation import Draws, Request
from tt_utils.grading.observing.plain_values import is_tensor
from tt_utils.grading.observing.stand_ins import StandIn, stand_in

FUNCTIONS = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    functools.partial,
    np.ufunc,
)


class NotOffered(TypeError):
    """A thing whose class doesn't say what may be asked of it."""


@dataclass(frozen=True)
class Held:
    """A thing that is held back, and the only request in which it may be asked."""

    thing: Any
    task: str
    round: int
    request: int


def held_back(asked: dict[str, Asked]) -> tuple[dict[str, Asked], dict[int, Held]]:
    """The same requests with stand-ins, and the things by their numbers.

    A thing that is handed over twice has two numbers: equal ones would tell that it is
    the same. Raises NotOffered.
    """
    held: dict[int, Held] = {}
    found = {}
    for task, one in asked.items():
        rounds = []
        for number, requests in enumerate(one.rounds):
            row = []
            for place, request in enumerate(requests):
                numbers = _Numbers(held, task, number, place)
                row.append(_with_stand_ins(request, numbers))
            rounds.append(tuple(row))
        found[task] = replace(one, rounds=tuple(rounds))
    return found, held


@dataclass
class _Numbers:
    held: dict[int, Held]
    task: str
    round: int
    request: int

    def of(self, thing: Any) -> StandIn:
        number = secrets.randbits(63)
        self.held[number] = Held(thing, self.task, self.round, self.request)
        return stand_in(type(thing).__name__, number, *offer(thing))


def _with_stand_ins(request: Request, numbers: _Numbers) -> Request:
    arguments = tuple(_replaced(one, numbers) for one in request.arguments)
    return replace(request, arguments=arguments)


def _replaced(argument: Any, numbers: _Numbers) -> Any:
    if type(argument) in (tuple, list):
        return type(argument)(_replaced(item, numbers) for item in argument)
    if type(argument) is dict:
        return {key: _replaced(item, numbers) for key, item in argument.items()}
    return argument if is_plain(argument) else numbers.of(argument)


def is_plain(argument: Any) -> bool:
    """Numbers, texts and arrays, and the settings of the book's own models."""
    if argument is None or isinstance(
        argument, bool | int | float | str | bytes | np.generic | Draws
    ):
        return True
    if isinstance(argument, np.ndarray):
        return argument.dtype.kind != "O"
    if isinstance(argument, set | frozenset | tuple):
        return all(map(is_plain, argument))
    ours, _, room = type(argument).__module__.partition(".")
    is_settings = ours == "tt_utils" and not room.startswith("grading")
    if is_settings and is_dataclass(argument) and not callable(argument):
        return all(is_plain(getattr(argument, one.name)) for one in fields(argument))
    return is_tensor(argument)


def offer(thing: Any) -> tuple[dict[str, Any], dict[str, Any], tuple[str, ...]]:
    """The fields and the methods that a thing offers, and fields that aren't compared.

    Raises NotOffered.
    """
    kind = type(thing)
    if isinstance(thing, FUNCTIONS):
        return {}, {}, ()
    if not hasattr(kind, "offers"):
        raise NotOffered(
            f"A check hands over a {kind.__name__}, whose class doesn't say what may "
            "be asked of it: give it `offers = ()` if it is only called, or the names "
            "of its fields and methods that the exercise speaks of."
        )
    methods = {
        name: vars(kind)[name]
        for name in kind.offers
        if isinstance(vars(kind).get(name), types.FunctionType)
    }
    values = {n: getattr(thing, n) for n in kind.offers if n not in methods}
    for name, value in values.items():
        if not isinstance(value, bool | int | float | str | None):
            raise NotOffered(
                f"The field `{name}` of {kind.__name__} is offered and holds "
                f"a {type(value).__name__}: only a number, a text or None may go along."
            )
    columns = fields(kind) if is_dataclass(kind) else ()
    return values, methods, tuple(one.name for one in columns if not one.compare)
