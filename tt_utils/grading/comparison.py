"""Compares what a function returned with what was expected, and says where they part.

Everything here is plain NumPy: outputs are converted first, so that a learner may
answer in torch, NumPy or lists.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

SMALL = 24  # arrays up to this many numbers are shown whole


@dataclass(frozen=True)
class Difference:
    """One sentence on what differs, and the two sides as short texts."""

    sentence: str
    expected: str = ""
    got: str = ""


class NotNumbers(TypeError):
    """The returned value cannot be read as the numbers that were asked for."""


def as_arrays(value: Any, names: tuple[str, ...]) -> dict[str, np.ndarray]:
    """The returned value as one array per name; raises NotNumbers with a sentence."""
    if len(names) == 1:
        return {names[0]: _as_array(value)}
    wanted = f"({', '.join(names)})"
    if not isinstance(value, tuple | list):
        raise NotNumbers(
            f"Your function returned one {type(value).__name__}; "
            f"expected {len(names)} results, {wanted}."
        )
    if len(value) != len(names):
        raise NotNumbers(
            f"Your function returned {len(value)} results; "
            f"expected {len(names)}, {wanted}."
        )
    return dict(zip(names, map(_as_array, value), strict=True))


def _as_array(value: Any) -> np.ndarray:
    if hasattr(value, "detach"):  # torch, without importing it
        value = value.detach().cpu()
        if not value.dtype.is_complex and value.dtype.is_floating_point:
            value = value.double()
        value = value.numpy()
    try:
        array = np.asarray(value)
    except Exception:  # ragged lists, lists of tensors of different shapes
        array = np.asarray(None)
    if array.dtype.kind not in "fiub":
        raise NotNumbers(
            f"Expected decimal numbers, got {_describe(value)}. "
            "Which line turned them into something else?"
        )
    return array


def _describe(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"an array of dtype {value.dtype}"
    if isinstance(value, list | tuple):
        return f"a {type(value).__name__} that is no regular array of numbers"
    return f"a value of type {type(value).__name__}"


def difference(
    expected: dict[str, np.ndarray],
    got: dict[str, np.ndarray],
    rtol: float,
    atol: float,
) -> Difference | None:
    """The difference to look at: shape before dtype before values; None if none.

    Of several outputs the last that differs is shown: tasks name a result before
    what it was made from, and there the mistake is nearer.
    """
    for name, right in reversed(expected.items()):
        found = _one(name, right, got[name], rtol, atol)
        if found is not None:
            return found
    return None


def agree(
    one: dict[str, np.ndarray], other: dict[str, np.ndarray], rtol: float, atol: float
) -> bool:
    """Same shapes and the same values, NaN equal to NaN."""
    return all(
        one[name].shape == other[name].shape
        and np.allclose(other[name], one[name], rtol, atol, equal_nan=True)
        for name in one
    )


def _one(
    name: str, right: np.ndarray, got: np.ndarray, rtol: float, atol: float
) -> Difference | None:
    if got.shape != right.shape:
        return Difference(
            f"`{name}` has the wrong shape: expected {right.shape}, got {got.shape}.",
            show(right),
            show(got),
        )
    equal = np.isclose(got, right, rtol=rtol, atol=atol, equal_nan=True)
    if equal.all():
        return None
    if got.dtype.kind in "iub":
        return Difference(
            f"`{name}` holds {'truth values' if got.dtype == bool else 'whole numbers'}"
            f" ({got.dtype}); expected decimal numbers. Where did the decimals go?",
            show(right),
            show(got),
        )
    if got.ndim == 0:
        return Difference(
            f"`{name}` is not the expected number.", show(right), show(got)
        )
    first = tuple(int(i) for i in np.argwhere(~equal)[0])
    where = ", ".join(map(str, first))
    sentence = f"`{name}` differs first at [{where}]"
    if got.size == right.size > 1:
        sentence += f" ({np.count_nonzero(~equal)} of {right.size} numbers differ)"
    if right.size <= SMALL:
        return Difference(sentence + ".", show(right), show(got))
    return Difference(
        sentence + f"; the whole has shape {right.shape}.",
        show(right[first]),
        show(got[first]),
    )


def show(value: Any) -> str:
    """A value as a learner would type it, rounded; only the shape of a large array."""
    array = np.asarray(value)
    if array.size > SMALL:
        return f"an array of shape {array.shape}"
    if array.dtype.kind == "f":
        # Rounding first keeps -0.00001 from showing as "-0.".
        array = np.round(array.astype(float), 4) + 0.0
    if array.ndim == 0:
        return str(array)
    return np.array2string(array, separator=", ", precision=4, suppress_small=True)
