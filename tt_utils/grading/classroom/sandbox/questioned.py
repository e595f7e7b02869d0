"""Answers a call of a thing that the grader has kept: bytes in, bytes out.

The bytes come from a student's process, and are read like all that comes from there.
Whatever the call leads to, an answer goes back.
"""

import builtins
import copy
import sys
import warnings
from typing import Any

import numpy as np

from tt_utils.grading.observing.call_bytes import (
    ROWS,
    OddBytes,
    from_bytes,
    tensors_in,
    to_bytes,
    with_tensors,
)
from tt_utils.grading.observing.plain_values import is_tensor

CALL = {"fields", "arguments", "named"}
LONGEST = 2000  # characters of an exception's text
FIELD = bool | int | float | str | None


def answer(thing: Any, call: bytes) -> bytes:
    """What the thing gives, or what it raised; b"" for bytes that are no call."""
    torch: Any = sys.modules.get("torch")
    if torch is not None and torch.get_num_threads() > 1:
        torch.set_num_threads(1)  # for so few numbers a second one only waits
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return to_bytes(_answer(thing, from_bytes(call)))
    except OddBytes:
        return b""
    except Exception as error:
        return raised(error)


def raised(error: BaseException) -> bytes:
    """An exception as an answer: under the name of the built-in class that it is of."""
    kinds = type(error).__mro__
    kind = next(one for one in kinds if vars(builtins).get(one.__name__) is one)
    is_usual = issubclass(kind, Exception) and kind is not Exception
    name = kind.__name__ if is_usual else "RuntimeError"
    try:
        text = str(error)
    except Exception:  # of a class of an instructor's own
        text = ""
    if name == "KeyError" and len(error.args) == 1:  # its text is a repr
        key = error.args[0]
        text = key if type(key) in (int, float, bool, type(None)) else str(key)
    if isinstance(text, str) and len(text) > LONGEST:
        text = text[:LONGEST] + " …"
    return to_bytes({"raised": [name, [text] if text != "" else []]})


def _answer(thing: Any, call: Any) -> dict[str, Any]:
    upstream, steps, rows = _parts(call)
    thing = copy.deepcopy(thing)  # nothing is kept from one call to the next
    given = call["fields"]
    offered = getattr(type(thing), "offers", ())
    for name, value in given.items():
        require(name in offered and isinstance(value, FIELD))
        if getattr(thing, name) != value:
            setattr(thing, name, value)
    arguments, named = call["arguments"], call["named"]
    if steps is not None:
        return {"value": _pushed(thing, call, steps), "fields": {}}
    value = thing(*arguments, **named)
    if upstream is not None:
        return {"value": _pulled(call, value, upstream), "fields": {}}
    if rows is not None:
        return {"value": _all_pulled(call, value, rows), "fields": {}}
    return {"value": value, "fields": {name: getattr(thing, name) for name in given}}


def _parts(call: Any) -> tuple[Any, Any, Any]:
    """Upstream slopes, steps or rows, where a call has some. Raises OddBytes."""
    require(isinstance(call, dict) and call.keys() >= CALL)
    require(call.keys() <= CALL | {"upstream", "steps", "rows"})
    require(isinstance(call["fields"], dict) and isinstance(call["arguments"], tuple))
    require(isinstance(call["named"], dict))
    require(all(isinstance(name, str) for name in (*call["fields"], *call["named"])))
    upstream, steps, rows = map(call.get, ("upstream", "steps", "rows"))
    require(all(x is None or isinstance(x, list) for x in (upstream, steps)))
    require(rows is None or (is_tensor(rows) and len(rows) <= ROWS))
    return upstream, steps, rows


def _inputs(call: dict) -> list[Any]:
    return list(tensors_in((call["arguments"], call["named"])))


def _pulled(call: dict, value: Any, upstream: list) -> list[Any]:
    """The vector-Jacobian product, for each tensor that has a slope."""
    import torch

    outputs = list(tensors_in(value))
    require(len(outputs) == len(upstream))
    pairs = zip(outputs, upstream, strict=True)
    pairs = [(out, slope.detach()) for out, slope in pairs if out.requires_grad]
    inputs = [x for x in _inputs(call) if x.requires_grad]
    if not pairs or not inputs:
        return [None] * len(inputs)
    outputs, slopes = zip(*pairs, strict=True)
    more = {"allow_unused": True, "retain_graph": True}
    return list(torch.autograd.grad(outputs, inputs, slopes, **more))


def _all_pulled(call: dict, value: Any, rows: Any) -> list[Any]:
    """The same for each row of upstream slopes, stacked."""
    import torch

    found = [_pulled(call, value, [row]) for row in rows]
    columns = zip(*found, strict=True)
    return [None if x[0] is None else torch.stack(x) for x in columns]


def _pushed(thing: Any, call: dict, steps: list) -> list[Any]:
    """The Jacobian-vector product, for each tensor of the result."""
    import torch

    inputs = [x.detach() for x in _inputs(call)]
    floats = [x for x in inputs if x.is_floating_point()]
    require(len(floats) == len(steps))

    def outputs(*moved: Any) -> tuple:
        rest = iter(moved)
        given = (next(rest) if x.is_floating_point() else x for x in inputs)
        tree = (call["arguments"], call["named"])
        arguments, named = with_tensors(tree, iter(list(given)))
        return tuple(tensors_in(thing(*arguments, **named)))

    return list(torch.func.jvp(outputs, tuple(floats), tuple(steps))[1])


def require(condition: bool) -> None:
    if not condition:
        raise OddBytes("a field of the call is odd")
