"""Scores against answers worked out by hand."""

import numpy as np
import pytest
from without_type_checks import types_unchecked

from tt_utils.evaluation.alignment import (
    alignment_error_rate,
    diagonal_alignment,
    hard_alignment,
    uniform_error_rate,
)
from tt_utils.evaluation.bleu import exact_match


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


@pytest.mark.parametrize("given", [([["a", "b"]], ["a b"]), (["a b"], [["a", "b"]])])
def test_a_text_is_not_compared_with_a_list_of_words(given):
    message = r"^exact_match: a text never equals a list "
    with types_unchecked(), pytest.raises(ValueError, match=message):
        exact_match(*given)


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


@pytest.mark.parametrize(
    ("found", "rate"),
    [
        ({(0, 0), (1, 1)}, 0.0),
        # Possible links may be found or left out at no cost.
        ({(0, 0), (1, 1), (2, 1)}, 0.0),
        ({(0, 0)}, 1 - 2 / 3),
        ({(0, 0), (2, 1)}, 1 - 3 / 4),
        ({(0, 0), (2, 2)}, 1 - 2 / 4),
    ],
)
def test_only_sure_links_must_be_found(found, rate):
    sure, gold = {(0, 0), (1, 1)}, {(0, 0), (1, 1), (2, 1)}
    assert alignment_error_rate([found], [gold], [sure]) == pytest.approx(rate)


def test_a_sure_link_must_be_gold():
    message = r"^the sure link \(1, 0\) is not among the gold links; gold holds all"
    with pytest.raises(ValueError, match=message):
        alignment_error_rate([{(0, 0)}], [{(0, 0)}], [{(0, 0), (1, 0)}])
    with pytest.raises(ValueError, match=message):
        uniform_error_rate([{(0, 0)}], [(2, 1)], [{(0, 0), (1, 0)}])


def test_alignment_error_rate_needs_as_many_of_each():
    with pytest.raises(ValueError, match="shorter"):
        alignment_error_rate([{(0, 0)}, {(1, 1)}], [{(0, 0)}])


@pytest.mark.parametrize(
    ("t_src", "t_tgt", "sources"),
    [
        (1, 1, [0]),
        (4, 4, [0, 1, 2, 3]),
        (2, 6, [0, 0, 0, 1, 1, 1]),
        (6, 2, [1, 4]),
        (3, 2, [0, 2]),
        (5, 3, [0, 2, 4]),
        # The middle of the second word lies on the border of both source words.
        (2, 3, [0, 1, 1]),
        (3, 1, [1]),
        (3, 0, []),
    ],
)
def test_the_diagonal_by_hand(t_src, t_tgt, sources):
    assert diagonal_alignment(t_src, t_tgt) == {(i, j) for j, i in enumerate(sources)}


def test_the_diagonal_stays_inside_and_never_turns_back():
    for t_src in range(1, 15):
        for t_tgt in range(1, 15):
            links = sorted(diagonal_alignment(t_src, t_tgt), key=lambda link: link[1])
            sources = [i for i, _ in links]
            assert [j for _, j in links] == list(range(t_tgt))
            assert sources == sorted(sources)
            assert min(sources) >= 0
            assert max(sources) < t_src


def test_the_diagonal_needs_a_source_word():
    message = r"^diagonal_alignment: t_src is 0; a link needs a source word\.$"
    with pytest.raises(ValueError, match=message):
        diagonal_alignment(0, 3)


@pytest.mark.parametrize(
    ("gold", "lengths", "rate"),
    [
        # One link, one choice: always right.
        ([{(0, 0)}], [(1, 1)], 0),
        # Right with chance 1/4: 1 - 2·(1/4)/(1 + 1).
        ([{(3, 0)}], [(4, 1)], 3 / 4),
        # Both source words are meant, one is found: 1 - 2·1/(1 + 2).
        ([{(0, 0), (1, 0)}], [(2, 1)], 1 / 3),
        # Nothing is meant, one link is drawn.
        ([set()], [(2, 1)], 1),
        # The corpus counts together: 1 - 2·(2/2 + 1/3)/((2 + 2) + (1 + 1)).
        ([{(0, 0), (1, 1)}, {(2, 0)}], [(2, 2), (3, 1)], 5 / 9),
    ],
)
def test_uniform_error_rate_by_hand(gold, lengths, rate):
    assert uniform_error_rate(gold, lengths) == pytest.approx(rate)


def test_random_links_reach_the_uniform_error_rate_on_average():
    rng = np.random.default_rng(0)
    lengths = [(5, 3), (2, 7), (3, 11)]
    gold = [{(0, 0), (4, 0), (2, 2)}, {(1, 0), (0, 6)}, {(2, j) for j in range(11)}]
    sure = [{(4, 0)}, {(1, 0), (0, 6)}, {(2, j) for j in range(5)}]
    rates = []
    for _ in range(10_000):
        found = [
            {(int(rng.integers(t_src)), j) for j in range(t_tgt)}
            for t_src, t_tgt in lengths
        ]
        rates.append(alignment_error_rate(found, gold, sure))
    error_of_mean = np.std(rates) / len(rates) ** 0.5
    expected = uniform_error_rate(gold, lengths, sure)
    assert abs(np.mean(rates) - expected) < 4 * error_of_mean < 0.01


@pytest.mark.parametrize(
    ("gold", "lengths", "message"),
    [
        (
            [{(0, 0)}],
            [],
            "uniform_error_rate: 1 gold alignments and 0 lengths; "
            "give as many of each.",
        ),
        (
            [{(0, 0)}, {(0, 2), (1, 1)}],
            [(1, 1), (3, 2)],
            "uniform_error_rate: pair 1 has 3 source words and 2 target words, "
            "but a gold link (0, 2); give (t_src, t_tgt).",
        ),
        (
            [{(0, 0), (2, 1)}],
            [(2, 3)],
            "uniform_error_rate: pair 0 has 2 source words and 3 target words, "
            "but a gold link (2, 1); give (t_src, t_tgt).",
        ),
        (
            [set()],
            [(0, 2)],
            "uniform_error_rate: pair 0 has no source word; a link needs one.",
        ),
        ([], [], "uniform_error_rate: there are no links to compare."),
    ],
)
def test_uniform_error_rate_names_what_is_wrong(gold, lengths, message):
    with pytest.raises(ValueError) as error:  # noqa: PT011 - compared whole below
        uniform_error_rate(gold, lengths)
    assert str(error.value) == message
