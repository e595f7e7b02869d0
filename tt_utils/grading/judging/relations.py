"""How wrong numbers lie to the right ones, where no known mistake explains them.

What is said here is seen in the numbers, so it is never false; a learner draws the
conclusion.
"""

from collections.abc import Callable

import numpy as np

TELLING = 3  # different numbers; fewer stand in many relations by chance
TOGETHER = 2  # with one or two entries, "only the first" says nothing


def relation(right: np.ndarray, got: np.ndarray, rtol: float, atol: float) -> str:
    """A sentence or two on how all of `got` lies to `right`; "" where nothing shows."""

    def close(one: np.ndarray, other: np.ndarray) -> bool:
        return one.shape == other.shape and bool(
            np.allclose(one, other, rtol, atol, equal_nan=True)
        )

    if right.dtype.kind == "b" and got.dtype.kind == "b":
        return of_truth_values(right, got)
    if "b" in (right.dtype.kind, got.dtype.kind):
        return ""
    right, got = right.astype(float), got.astype(float)
    with np.errstate(all="ignore"):
        if got.shape != right.shape:
            return of_shapes(right, got, close)
        return (
            of_places(right, got, close)
            or of_odd_numbers(right, got)
            or of_sizes(right, got, close)
            or of_functions(right, got, close)
            or of_some_entries(right, got, rtol, atol)
        )


Close = Callable[[np.ndarray, np.ndarray], bool]


def of_shapes(right: np.ndarray, got: np.ndarray, close: Close) -> str:
    if got.ndim > 1 and close(right, np.swapaxes(got, -1, -2)):
        return TURNED
    if got.size == right.size and close(right.ravel(), got.ravel()):
        return (
            "The numbers are right, in another shape. Which axis should be kept, or "
            "come back as it went in?"
        )
    if got.size > right.size > 0 and got.ndim <= right.ndim:
        return "There is more than was asked for. What should have been cut off?"
    if got.ndim < right.ndim:
        return (
            "An axis is lost on the way. Which line sums over it, or picks one entry?"
        )
    return ""


TURNED = (
    "Rows and columns stand in each other's place. In which line should something be "
    "turned, or not be?"
)


def of_places(right: np.ndarray, got: np.ndarray, close: Close) -> str:
    if right.ndim > 1 and close(right, np.swapaxes(got, -1, -2)):
        return TURNED
    if np.unique(right).size < TELLING:
        return ""
    for axis in range(right.ndim):
        if close(right, np.flip(got, axis)):
            return "The right numbers, in the opposite order. Where does it begin?"
        for step in (1, -1):
            if right.shape[axis] > TOGETHER and close(right, np.roll(got, step, axis)):
                return "All numbers are shifted by one place. Where does it begin?"
    if close(np.sort(right, axis=None), np.sort(got, axis=None)):
        return (
            "The right numbers, at other places. Which axes or entries change places "
            "on the way?"
        )
    return ""


def of_odd_numbers(right: np.ndarray, got: np.ndarray) -> str:
    if np.isnan(got).any() and not np.isnan(right).any():
        return (
            "There is nan where a number should be: it comes of 0 divided by 0, of ∞ "
            "divided by ∞ (as where `exp` gets too large), or of ∞ minus ∞. Which rows "
            "of the input lead there?"
        )
    if np.isinf(got).any() and not np.isinf(right).any():
        return (
            "There is an infinite number: something is divided by 0, or too large for "
            "`exp`. Which inputs lead there?"
        )
    return ""


def of_sizes(right: np.ndarray, got: np.ndarray, close: Close) -> str:
    finite = np.isfinite(right) & np.isfinite(got)
    if not finite.all() or np.unique(right).size < TELLING:
        return ""
    if close(-right, got):
        return "Each number has the opposite sign. What is subtracted from what?"
    if close(np.abs(right), got):
        return "The signs are lost. Which line makes all numbers positive?"
    if got.any() and close(np.trunc(right), got):
        return (
            "Your numbers are the right ones without their decimals. Which array, or "
            "which division, holds whole numbers only?"
        )
    large = np.abs(right) > 1e-3 * np.abs(right).max()
    factor = float(np.median(got[large] / right[large]))
    if factor and close(right * factor, got):
        return (
            f"Each number is {factor:.3g} times the right one. Which factor is "
            "missing, or stands there once too often?"
        )
    step = float(np.median(got - right))
    if step and close(right + step, got):
        return (
            f"Each number is {abs(step):.3g} too {'large' if step > 0 else 'small'}. "
            "What is added, or left out, everywhere?"
        )
    return ""


def softmax(x: np.ndarray) -> np.ndarray:
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


ONE_STEP = {
    "the softmax": softmax,
    "the exponentials": np.exp,
    "the logarithms": np.log,
    "the roots": np.sqrt,
    "the squares": np.square,
    "one divided by each": np.reciprocal,
    "one minus each": lambda x: 1 - x,
    "the running sums": lambda x: np.cumsum(x, axis=-1),
}


def of_functions(right: np.ndarray, got: np.ndarray, close: Close) -> str:
    """One step too many, or one too few."""
    if not right.ndim or np.unique(right).size < TELLING:
        return ""
    for name, function in ONE_STEP.items():
        if np.isfinite(function(right)).all() and close(function(right), got):
            return (
                f"Your numbers are {name} of the right ones. Which line goes one step "
                "further than was asked?"
            )
        if np.isfinite(function(got)).all() and close(right, function(got)):
            return (
                f"The right numbers are {name} of yours. Which step is still missing?"
            )
    return ""


def of_some_entries(
    right: np.ndarray, got: np.ndarray, rtol: float, atol: float
) -> str:
    """What the entries that differ have in common, where most are right."""
    off = ~np.isclose(got, right, rtol, atol, equal_nan=True)
    if off.all() or not right.ndim:
        return ""
    if not got[off].any() and np.count_nonzero(off) > 1:
        return "Wherever yours differs, it is 0. What never gets there?"
    for axis, name in zip((-1, -2), ("column", "row"), strict=False):
        if right.ndim < -axis or right.shape[axis] <= TOGETHER:
            continue
        word = "entry" if right.ndim == 1 else name
        others = tuple(a for a in range(right.ndim) if a != right.ndim + axis)
        where = np.flatnonzero(off.any(axis=others))
        if list(where) == [0]:
            return f"Only the first {word} is off. What is different there?"
        if list(where) == [right.shape[axis] - 1]:
            return f"Only the last {word} is off. What is different there?"
    return ""


def of_truth_values(right: np.ndarray, got: np.ndarray) -> str:
    if right.shape != got.shape or right.size < TELLING:
        return ""
    if np.array_equal(right, ~got):
        return (
            "Every truth value is the opposite of the right one. What does True mean?"
        )
    if right.ndim > 1 and np.array_equal(right, np.swapaxes(got, -1, -2)):
        return TURNED
    if not (right & ~got).any():
        return OPEN
    if not (got & ~right).any():
        return CLOSED
    return ""


OPEN = "Wherever yours differs, it is True. Which condition says yes too easily?"
CLOSED = "Wherever yours differs, it is False. Which condition says no too easily?"


def of_lists(right: list, got: list) -> str:
    """The same for lists of words, or of lists."""
    texts, others = sorted(map(repr, right)), sorted(map(repr, got))
    if not got or len(right) < TOGETHER:
        return ""
    if texts == others:
        return "The right entries, in another order. By what should they be sorted?"
    if set(texts) == set(others):
        more = "more" if len(others) > len(texts) else "less"
        return f"The right entries, some {more} often than they should be."
    if set(others) < set(texts):
        return "What you have is right, and some is missing. What is left out?"
    if set(texts) < set(others):
        return "All that should be there is there, and more. What should be left out?"
    if right[1:] == got[1:] or right[:-1] == got[:-1]:
        end = "first" if right[1:] == got[1:] else "last"
        return f"Only the {end} entry is off. What is different there?"
    return ""
