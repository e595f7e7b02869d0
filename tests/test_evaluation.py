"""Scores against answers worked out by hand."""

import numpy as np
import pytest

from tt_utils.evaluation import alignment_error_rate, exact_match, hard_alignment


def test_exact_match_counts_whole_sentences():
    targets = [["la", "bola"], ["el", "gato"], ["sí"], []]
    outputs = [["la", "bola"], ["el", "gato", "negro"], ["no"], []]
    assert exact_match(outputs, targets) == 0.5
    assert exact_match(targets, targets) == 1
    assert exact_match([["bola", "la"]], [["la", "bola"]]) == 0


@pytest.mark.parametrize(("outputs", "targets"), [([], []), ([["la"]], [])])
def test_exact_match_needs_as_many_of_each(outputs, targets):
    message = rf"^exact_match: {len(outputs)} outputs and 0 targets; give as many"
    with pytest.raises(ValueError, match=message):
        exact_match(outputs, targets)


def test_each_target_word_links_to_the_source_word_it_looks_at_most():
    weights = np.array([[0.1, 0.3, 0.6], [0.5, 0.1, 0.4]])
    assert hard_alignment(weights) == {(2, 0), (0, 1)}


@pytest.mark.parametrize(
    ("found", "gold", "rate"),
    [
        ([{(0, 0), (1, 1)}], [{(0, 0), (1, 1)}], 0),
        ([{(0, 1)}], [{(1, 0)}], 1),
        # Two links found, three meant, one in common: 1 - 2·1/5.
        ([{(0, 0), (0, 1)}], [{(0, 0), (1, 1), (2, 2)}], 0.6),
        # Links are counted over the corpus, so long sentences weigh more.
        ([{(0, 0)}, {(0, 0), (1, 0), (2, 0)}], [{(0, 0)}, {(0, 1), (1, 1)}], 5 / 7),
    ],
)
def test_alignment_error_rate_by_hand(found, gold, rate):
    assert alignment_error_rate(found, gold) == pytest.approx(rate)


def test_alignment_error_rate_needs_as_many_of_each():
    with pytest.raises(ValueError, match="shorter"):
        alignment_error_rate([{(0, 0)}, {(1, 1)}], [{(0, 0)}])
