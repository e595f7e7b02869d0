"""One use of an answer on one check's inputs: what came of it, as plain data.

No limit of time or memory stands here; `observe` sets them.
"""

import copy
import dis
import linecache
import sys
import sysconfig
import traceback
import types
from pathlib import Path
from typing import Any

import numpy as np

from tt_utils.grading.observing.observation import (
    Draws,
    Handed,
    Observation,
    Raised,
    Request,
)
from tt_utils.grading.observing.plain_values import (
    form_of,
    holds_ellipsis,
    is_tensor,
    plain,
)

LONGEST = 400  # characters of an exception's text


def handed(answer: Any) -> Handed:
    if answer is None:
        return Handed("None", "nothing")
    kind = "function" if callable(answer) else "value"
    try:
        if holds_ellipsis(answer):
            return Handed("a `...`", "unfinished")
        return Handed(form_of(answer), "stub" if is_stub(answer) else kind)
    except Exception:  # an object that lies about what it is
        return Handed("an object of its own kind", kind)


def attempt(answers: tuple, request: Request) -> Observation:
    """Use the answers on fresh copies of the arguments. Nothing is raised."""
    given = fresh(request.arguments, request.arrays)
    try:
        returned = request.probe(answers, *given)
        several = request.results > 1 and is_several(returned, request.results)
        values = tuple(map(plain, returned)) if several else (plain(returned),)
    except BaseException as error:
        return Observation(raised=in_words(error))
    before = fresh(request.arguments, request.arrays)
    changed = tuple(
        position
        for position, pair in enumerate(zip(given, before, strict=True))
        if not same(*pair)
    )
    one_thing = request.results > 1 and not several
    drawn = sum(
        steps_between(other, one)
        for one, other in zip(given, before, strict=True)
        if isinstance(other, np.random.Generator)
    )
    return Observation(values=values, one_thing=one_thing, changed=changed, drawn=drawn)


def is_several(returned: Any, results: int) -> bool:
    """A tuple, a list, or an array that is just a row of so many numbers."""
    return isinstance(returned, tuple | list) or (
        tuple(getattr(returned, "shape", ())) == (results,)
    )


def fresh(argument: Any, arrays: str) -> Any:
    """A deep copy, its arrays in the kind that the task wants, floats as float32."""
    if isinstance(argument, Draws):
        return np.random.default_rng(argument.seed)
    if isinstance(argument, tuple | list):
        return type(argument)(fresh(item, arrays) for item in argument)
    if isinstance(argument, dict):
        return {key: fresh(item, arrays) for key, item in argument.items()}
    if isinstance(argument, np.ndarray) and arrays == "torch":
        import torch

        tensor = torch.from_numpy(argument.copy())
        return tensor.float() if tensor.is_floating_point() else tensor
    return copy.deepcopy(argument)


def same(now: Any, before: Any) -> bool:
    """Is an argument what it was?"""
    try:
        if isinstance(before, np.random.Generator):
            return True  # it is there to be drawn from
        if isinstance(before, tuple | list):
            return len(now) == len(before) and all(map(same, now, before))
        if isinstance(before, dict):
            return list(now) == list(before) and all(
                same(now[key], before[key]) for key in before
            )
        if hasattr(before, "shape"):
            one, other = (
                np.asarray(x.detach() if is_tensor(x) else x) for x in (now, before)
            )
            kind = other.dtype.kind
            return np.array_equal(one, other, equal_nan=kind == "f")
        return bool(now == before)
    except Exception:  # an argument bent so far that it can't be compared
        return False


MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645  # of PCG64, NumPy's generator
ALL_BITS = 2**128 - 1


def steps_between(before: np.random.Generator, now: Any) -> int:
    """How many 64-bit numbers were drawn from a generator.

    Its state is that of x → a x + c modulo 2¹²⁸, so the steps come out bit by bit
    (O'Neill 2014, PCG: the distance of two states).
    """
    try:
        state = before.bit_generator.state["state"]
        x, c, a = state["state"], state["inc"], MULTIPLIER
        end = now.bit_generator.state["state"]["state"]
    except Exception:  # no longer NumPy's generator
        return 0
    steps, bit = 0, 1
    while x != end and bit <= ALL_BITS:
        if (x ^ end) & bit:
            x, steps = (a * x + c) & ALL_BITS, steps | bit
        bit, c, a = bit << 1, (a + 1) * c & ALL_BITS, a * a & ALL_BITS
    return steps


def in_words(error: BaseException) -> Raised:
    name = type(error).__name__
    try:
        text = str(error)
    except Exception:  # an exception class of the learner's own
        text = ""
    if len(text) > LONGEST:
        text = text[:LONGEST] + " …"
    return Raised(name, text, own_line(error))


LIBRARIES = (
    *map(sysconfig.get_path, ("stdlib", "platstdlib", "purelib", "platlib")),
    *(path for path in sys.path if path.endswith(("site-packages", "dist-packages"))),
)
OURS = str(Path(__file__).parents[2])


def own_line(error: BaseException) -> str:
    """The deepest line that belongs to no library: the learner's own."""
    own = [
        frame
        for frame in traceback.extract_tb(error.__traceback__, limit=-1000)
        if not is_library(frame.filename)
    ]
    if not own:
        return ""
    frame = own[-1]
    first, last = frame.lineno or 0, frame.end_lineno or frame.lineno or 0
    lines = [
        linecache.getline(frame.filename, n).rstrip() for n in range(first, last + 1)
    ]
    indent = min((len(x) - len(x.lstrip()) for x in lines if x.strip()), default=0)
    source = "\n".join(line[indent:] for line in lines).strip()
    where = f"line {frame.lineno} of {frame.name}"
    return f"{where}: {source}" if source else where


def is_library(filename: str) -> bool:
    if filename.endswith((".pyx", ".pxd")):  # compiled by Cython, as NumPy's generators
        return True
    return filename.startswith(("<frozen", "<__array_function__", OURS, *LIBRARIES))


LENT = "tt_utils.grading.lent"
_IDLE = {"RESUME", "NOP", "LOAD_CONST", "POP_TOP", "RETURN_VALUE", "RETURN_CONST"}


def is_stub(function: Any) -> bool:
    """Does its body do nothing: a docstring, `...`, `pass`, `return None`?

    A class is one as long as its `forward` is, or one of its methods if it has none.
    What is lent in the place of an answer counts as one, too.
    """
    kinds = function.__mro__ if isinstance(function, type) else (function,)
    if any(getattr(kind, "__module__", "") == LENT for kind in kinds):
        return True
    if isinstance(function, type):
        methods = vars(function)
        telling = methods if "forward" not in methods else ["forward"]
        return any(is_stub(methods[name]) for name in telling)
    if not isinstance(function, types.FunctionType):
        return False
    constants = [c for c in function.__code__.co_consts if c != function.__doc__]
    return all(c is None or c is ... for c in constants) and all(
        step.opname in _IDLE for step in dis.get_instructions(function)
    )
