"""Compares plain values with the right ones, and says where they part."""

import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from tt_utils.grading.judging.relations import of_lists, relation
from tt_utils.grading.observing.observation import Observation
from tt_utils.grading.observing.plain_values import Value

DIGITS = re.compile(r"\d+")
KINDS = {"b": "truth values", "i": "whole numbers", "f": "decimal numbers"}
SMALL = 24  # arrays up to this many numbers are shown whole
SHOWN = 3  # entries of a large dictionary
ROUNDED = (
    "Is something rounded on the way, is a small number added, or is a type of fewer "
    "digits in use?"
)
NEAR = 1e-2  # relative; numbers this close look right at first sight


@dataclass(frozen=True)
class Difference:
    """One sentence on what differs, the two sides as short texts, and what to ask.

    The question is for a difference that no known mistake explains.
    """

    sentence: str
    expected: str = ""
    got: str = ""
    question: str = ""


def agree(one: Observation, other: Observation, rtol: float, atol: float) -> bool:
    """Did two answers come to the same: equal results, or an exception of one class?"""
    if one.raised or other.raised:
        return same_error(one, other, exactly=False)
    return len(one.values) == len(other.values) > 0 and all(
        equal(right, got, rtol, atol)
        for right, got in zip(one.values, other.values, strict=True)
    )


def same_error(one: Observation, other: Observation, exactly: bool) -> bool:
    """Two exceptions of one class; `exactly`: with the same words, but for numbers."""
    if one.raised is None or other.raised is None:
        return False
    texts = {DIGITS.sub("#", error.text) for error in (one.raised, other.raised)}
    return one.raised.name == other.raised.name and (not exactly or len(texts) == 1)


def equal(right: Value, got: Value, rtol: float, atol: float) -> bool:
    """The same value: decimal numbers within the tolerance, NaN equal to NaN."""
    if right.kind != got.kind:
        return False
    if right.array is None or got.array is None:
        return right.kind != "unreadable" and right.data == got.data
    if right.array.shape != got.array.shape:
        return False
    if "b" in (right.array.dtype.kind, got.array.dtype.kind):
        return right.array.dtype == got.array.dtype and bool(
            np.array_equal(right.array, got.array)
        )
    if right.array.dtype.kind == "i":
        return bool(np.array_equal(right.array, got.array))
    return bool(np.allclose(got.array, right.array, rtol, atol, equal_nan=True))


def difference(
    names: tuple[str, ...],
    right: tuple[Value, ...],
    got: tuple[Value, ...],
    rtol: float,
    atol: float,
) -> Difference | None:
    """The first of these outputs that differs: shape before kind before values."""
    off = [
        row
        for row in zip(names, right, got, strict=True)
        if not equal(*row[1:], rtol, atol)
    ]
    if not off:
        return None
    may_be_rounding = all(_are_decimals(wanted, given) for _, wanted, given in off)
    return _one(*off[0], rtol, atol, may_be_rounding)


def _are_decimals(right: Value, got: Value) -> bool:
    if right.array is None or got.array is None or right.array.dtype.kind != "f":
        return False
    return right.array.shape == got.array.shape


def _one(
    name: str,
    right: Value,
    got: Value,
    rtol: float,
    atol: float,
    may_be_rounding: bool,
) -> Difference:
    if right.array is None or got.array is None:
        return _data(name, right, got)
    wanted, given = right.array, got.array
    if given.shape != wanted.shape:
        return Difference(
            f"`{name}` has the wrong shape: expected {wanted.shape}, "
            f"got {given.shape}.",
            show(wanted),
            got.shown if given.size == 0 and got.shown else show(given),
            relation(wanted, given, rtol, atol),
        )
    kinds = (wanted.dtype.kind, given.dtype.kind)
    if kinds[0] != kinds[1] and ("b" in kinds or kinds == ("f", "i")):
        lost = " Where did the decimals go?" if kinds[0] == "f" else ""
        return Difference(
            f"`{name}` holds {KINDS[kinds[1]]} ({got.form}); "
            f"expected {KINDS[kinds[0]]}.{lost}",
            show(wanted),
            show(given),
        )
    return _numbers(name, wanted, given, rtol, atol, may_be_rounding)


def _numbers(
    name: str,
    right: np.ndarray,
    got: np.ndarray,
    rtol: float,
    atol: float,
    may_be_rounding: bool,
) -> Difference:
    if right.dtype.kind == "f":
        unequal = ~np.isclose(got, right, rtol=rtol, atol=atol, equal_nan=True)
    else:
        unequal = got != right
    first = tuple(int(i) for i in np.argwhere(unequal)[0])
    noun = "truth value" if right.dtype.kind == "b" else "number"
    if right.ndim == 0:
        sentence = f"`{name}` is not the expected {noun}"
    else:
        sentence = f"`{name}` differs first at [{', '.join(map(str, first))}]"
    if right.size > 1:
        sentence += f" ({np.count_nonzero(unequal)} of {right.size} {noun}s differ)"
    wanted, given = show(right), show(got)
    if right.size > SMALL:
        sentence += f"; the whole has shape {right.shape}"
        wanted, given = show(right[first]), show(got[first])
    gap = float(np.abs(got[unequal].astype(float) - right[unequal]).max())
    size = max(min(1.0, 1e6 * atol), float(np.abs(right[unequal]).max()))
    if may_be_rounding and gap <= NEAR * size:
        wanted, given = _apart(float(right[first]), float(got[first]))
        return Difference(f"{sentence}, by {gap:.2g} at most.", wanted, given, ROUNDED)
    question = relation(right, got, rtol, atol)
    return Difference(sentence + ".", wanted, given, question)


def _apart(right: float, got: float) -> tuple[str, str]:
    """Two numbers with as many digits as tell them apart."""
    for digits in range(4, 18):
        texts = f"{right:.{digits}g}", f"{got:.{digits}g}"
        if texts[0] != texts[1]:
            break
    return texts


def _data(name: str, right: Value, got: Value) -> Difference:
    # Lists that happen to be of one length came as an array.
    given = got.data if got.array is None else got.array.tolist()
    if isinstance(right.data, list) and isinstance(given, list):
        if len(right.data) != len(given):
            count = "1 entry" if len(given) == 1 else f"{len(given)} entries"
            return Difference(
                f"`{name}` has {count}, expected {len(right.data)}.",
                str(right.data),
                got.shown,
                of_lists(right.data, given),
            )
        pairs = zip(right.data, given, strict=True)
        first = next(n for n, (a, b) in enumerate(pairs) if a != b)
        return Difference(
            f"`{name}` differs first at [{first}].",
            str(right.data),
            got.shown,
            of_lists(right.data, given),
        )
    if isinstance(right.data, dict) and isinstance(given, dict):
        return _entries(name, right.data, given, got.shown)
    if right.array is not None and isinstance(given, list):
        widths = {len(row) for row in given if isinstance(row, list)}
        if len(widths) > 1:
            return Difference(
                f"`{name}` has rows of different lengths; expected one table of the "
                f"shape {right.array.shape}.",
                show(right.array),
                got.shown,
            )
    if right.kind == got.kind:
        return Difference(f"`{name}` is not as expected.", str(right.data), got.shown)
    return Difference(
        f"`{name}` should be {wanted_form(right)}, got {got.form}.",
        "" if right.array is None else show(right.array),
        got.shown,
    )


def _entries(name: str, right: dict, got: dict, shown: str) -> Difference:
    """Two dictionaries, or sets, as `plain` writes them."""
    wanted, given = right.get("keys"), got.get("keys")
    if wanted is None or given is None:
        return Difference(f"`{name}` is not as expected.", str(right), shown)
    missing = [key for key in wanted if key not in given]
    others = [key for key in given if key not in wanted]
    if missing or others:
        parts = [f"has no entry {missing[0]!r}"] if missing else []
        parts += [f"has one that isn't expected, {others[0]!r}"] if others else []
        return Difference(f"`{name}` {' and '.join(parts)}.", "", "")
    for key, value in zip(wanted, right["values"], strict=True):
        other = got["values"][given.index(key)]
        if other != value:
            sentence = f"`{name}` differs first at [{key!r}]."
            return Difference(sentence, show(value), show(other))
    return Difference(f"`{name}` has its entries in another order.", str(right), shown)


def wanted_form(right: Value) -> str:
    """What is asked for, in words."""
    if right.array is not None:
        return KINDS[right.array.dtype.kind]
    forms: dict[type, str] = {str: "text", list: "a list", dict: "a dictionary"}
    return forms.get(type(right.data), "something else")


def show(value: Any) -> str:
    """A value as a learner would type it, rounded; only the shape of a large array."""
    if isinstance(value, dict):
        return _show_entries(value)
    if isinstance(value, str) or value is None:
        return repr(value)
    if isinstance(value, list | tuple) and not _is_numeric(value):
        return repr(value)
    array = np.asarray(value)
    if array.size > SMALL:
        return f"an array of shape {array.shape}"
    if array.dtype.kind == "f":
        # Rounding first keeps -0.00001 from showing as "-0.".
        with np.errstate(over="ignore"):
            array = np.round(array.astype(float), 4) + 0.0
    if array.ndim == 0:
        return str(array)
    return np.array2string(array, separator=", ", precision=4, suppress_small=True)


def _show_entries(value: dict) -> str:
    shapes = {key: tuple(getattr(x, "shape", ())) for key, x in value.items()}
    if sum(map(math.prod, shapes.values())) <= SMALL:
        return repr(value)
    parts = [f"{key!r}: array of shape {shape}" for key, shape in shapes.items()]
    more = f", … ({len(parts)} in all)" if len(parts) > SHOWN else ""
    return "{" + ", ".join(parts[:SHOWN]) + more + "}"


def _is_numeric(value: list | tuple) -> bool:
    try:
        return np.asarray(value).dtype.kind in "fiub"
    except ValueError:
        return False
