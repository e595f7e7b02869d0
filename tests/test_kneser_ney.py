"""The n-gram model: by hand on four texts, and its probabilities add up to 1."""

import math

import numpy as np
import pytest

from tt_utils.evaluation.kneser_ney import KneserNey

START, A, B, C, END = 0, 1, 2, 3, 4
TEXTS = [
    [START, A, B, END],
    [START, A, B, END],
    [START, A, C, END],
    [START, B, C, A, END],
]


def test_by_hand_for_pairs_of_tokens():
    model = KneserNey(TEXTS, vocab_size=5, order=2)
    # Different tokens before A: <start>, C. B: A, <start>. C: A, B. END: B, C, A.
    singles = {A: 2, B: 2, C: 2, END: 3}
    # No single came once: the discount is its default.
    assert model.discounts[0] == 0.5
    lower = {token: (count - 0.5 + 0.5 * 4 / 5) / 9 for token, count in singles.items()}
    # Pairs: START A 3, A B 2, B END 2, and six that came once.
    assert model.discounts[1] == pytest.approx(6 / (6 + 2 * 2))
    taken = 0.6
    behind_a = (2 - taken + taken * 3 * lower[B]) / 4  # A B, A B, A C, A END
    assert model.probability([START, A], B) == pytest.approx(behind_a)
    found = model.log_probabilities([START, A, B])
    assert found.shape == (2,)
    assert found[1] == pytest.approx(math.log(behind_a))


@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_behind_any_context_all_tokens_together_have_probability_one(order):
    rng = np.random.default_rng(0)
    texts = [[0, *rng.integers(1, 11, 7).tolist()] for _ in range(40)]
    model = KneserNey(texts, vocab_size=11, order=order)
    for before in ([0], [0, 3], texts[5][:4], [0, 10, 10, 10], [9, 9, 9, 9, 9]):
        total = sum(model.probability(before, token) for token in range(11))
        assert total == pytest.approx(1)


def test_a_longer_context_is_used_where_it_was_seen():
    texts = [[START, A, C, END]] * 5 + [[START, B, C, A]] * 5
    pairs, threes = (KneserNey(texts, 5, order) for order in (2, 3))
    assert threes.probability([START, A, C], END) > 0.8
    assert pairs.probability([START, A, C], END) < 0.6


@pytest.mark.parametrize(
    ("texts", "sizes"),
    [([], (5, 2)), ([[0]], (5, 2)), (TEXTS, (0, 2)), (TEXTS, (5, 0))],
)
def test_nothing_to_count_is_refused(texts, sizes):
    with pytest.raises(ValueError, match=r"^KneserNey: .* give texts of two tokens"):
        KneserNey(texts, *sizes)
