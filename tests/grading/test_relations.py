"""What is said of wrong numbers holds, and is said where it holds."""

import numpy as np
import pytest

from tt_utils.grading.judging.relations import of_lists, relation, softmax

RIGHT = np.array([[1.5, -2.0, 3.25], [0.5, 7.0, -4.5]])
SQUARE = np.array([[1.5, -2.0, 3.25], [0.5, 7.0, -4.5], [9.0, 2.5, -1.0]])
MASK = np.tri(4, dtype=bool)


def said(right, got):
    return relation(np.asarray(right), np.asarray(got), 1e-5, 1e-6)


def with_entry(at, value, right=SQUARE):
    got = right.copy()
    got[at] = value
    return got


@pytest.mark.parametrize(
    ("right", "got", "words"),
    [
        (RIGHT, RIGHT.T, "Rows and columns"),
        (SQUARE, SQUARE.T, "Rows and columns"),
        (RIGHT, RIGHT[None], "in another shape"),
        (RIGHT, RIGHT.reshape(6), "in another shape"),
        (RIGHT, np.vstack([RIGHT, RIGHT]), "more than was asked for"),
        (RIGHT, RIGHT.sum(0), "An axis is lost"),
        (SQUARE, SQUARE[::-1], "opposite order"),
        (SQUARE, np.roll(SQUARE, 1, 0), "shifted by one place"),
        (RIGHT, RIGHT.ravel()[[2, 0, 5, 1, 3, 4]].reshape(2, 3), "at other places"),
        (SQUARE, with_entry((1, 1), np.nan), "There is nan"),
        (SQUARE, with_entry((1, 1), np.inf), "infinite number"),
        (RIGHT, -RIGHT, "opposite sign"),
        (RIGHT, abs(RIGHT), "signs are lost"),
        (RIGHT, np.trunc(RIGHT), "without their decimals"),
        (RIGHT, 2.5 * RIGHT, "2.5 times the right one"),
        (RIGHT, RIGHT - 0.25, "0.25 too small"),
        (SQUARE, with_entry((slice(None), 0), 8.0), "Only the first column"),
        (SQUARE, with_entry(2, 8.0), "Only the last row"),
        (SQUARE, with_entry(([0, 2], [1, 0]), 0.0), "it is 0"),
        (RIGHT, np.exp(RIGHT), "Your numbers are the exponentials of the right ones"),
        (RIGHT**2, RIGHT, "The right numbers are the squares of yours"),
        (SQUARE, np.cumsum(SQUARE, 1), "running sums"),
        (RIGHT, softmax(RIGHT), "the softmax"),
        (MASK, ~MASK, "opposite of the right one"),
        (MASK, MASK.T, "Rows and columns"),
        (MASK, MASK | True, "it is True"),
        (MASK, MASK & np.eye(4, dtype=bool), "it is False"),
        (RIGHT, RIGHT**2 + 1, ""),
        (np.zeros(4), np.ones(4), ""),
        (RIGHT / 10, 0 * RIGHT, ""),
        (RIGHT * 2e307, RIGHT * -2e307, "opposite sign"),
        (3.0, 6.0, ""),
        (MASK, MASK.astype(float), ""),
    ],
)
def test_of_arrays(right, got, words):
    found = said(right, got)
    assert words in found
    assert bool(found) == bool(words)


@pytest.mark.parametrize(
    ("got", "words"),
    [
        (["b", "a", "c"], "another order"),
        (["a", "b", "c", "c"], "more often"),
        (["a", "b"], "some is missing"),
        (["a", "b", "c", "d"], "and more"),
        (["x", "b", "c"], "Only the first"),
        (["a", "b", "x"], "Only the last"),
        (["x", "y"], ""),
        ([], ""),
    ],
)
def test_of_lists(got, words):
    found = of_lists(["a", "b", "c"], got)
    assert words in found
    assert bool(found) == bool(words)
