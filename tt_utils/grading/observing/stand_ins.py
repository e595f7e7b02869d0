"""Stands in for what a check hands over, such as a layer: it can only be asked.

The thing itself is elsewhere, where a class is graded: a call travels there as plain
numbers, and what comes back is what the thing gives. Nothing here tells one thing from
another of its kind; the numbers by which they are known are drawn by chance.
"""

import types
from collections.abc import Callable
from functools import cache
from typing import Any

from tt_utils.grading.observing.asking import asked, is_wrapped
from tt_utils.grading.observing.call_bytes import tensors_in


class StandIn:
    """Is called like the thing, and has the fields and methods that it offers.

    A method works on these fields alone. They go along with a call, which may change
    them. Two are equal where they have one number and the same fields, but for those
    in `loose`.
    """

    def __init__(
        self,
        number: int,
        fields: dict[str, Any],
        methods: dict[str, Callable],
        loose: tuple[str, ...],
    ) -> None:
        self._number, self._fields = number, tuple(fields)
        self._methods, self._loose = methods, loose
        vars(self).update(fields)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return called(self, arguments, named)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in self._methods:
            return types.MethodType(self._methods[name], self)
        raise AttributeError(
            f"{type(self).__name__!r} object has no attribute {name!r}"
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StandIn) and self._identity() == other._identity()

    def _identity(self) -> tuple:
        names = (name for name in self._fields if name not in self._loose)
        return self._number, *(getattr(self, name, None) for name in names)

    def __hash__(self) -> int:
        return hash(self._number)

    def __repr__(self) -> str:
        return f"a {type(self).__name__}, to be called"

    def __reduce__(self) -> tuple:
        fields = {name: getattr(self, name) for name in self._fields}
        kind = type(self).__name__
        return stand_in, (kind, self._number, fields, self._methods, self._loose)


@cache
def _class(kind: str) -> type[StandIn]:
    return type(kind, (StandIn,), {})


def stand_in(kind: str, *content: Any) -> StandIn:
    """One that bears the name of the thing's class, as messages do."""
    return _class(kind)(*content)


def called(thing: StandIn, arguments: tuple, named: dict[str, Any]) -> Any:
    """What the thing gives, with slopes where the arguments have some."""
    tensors = tensors_in((arguments, named))
    if any(one.requires_grad or is_wrapped(one) for one in tensors):
        from tt_utils.grading.observing.slopes import called_with_slopes

        return called_with_slopes(thing, arguments, named)
    return asked(thing, arguments, named)["value"]
