"""Exact match and F1 of answers, against numbers worked out by hand."""

import pytest

from tt_utils.evaluation.answers import (
    exact_match,
    normalise,
    score_answers,
    word_f1,
)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The Harbour.", "harbour"),
        ("  an   old,  old lamp ", "old old lamp"),
        ("theatre", "theatre"),  # an article inside a word stays
        ("O'Neill's U.S.A.", "oneills usa"),
        ("«Río»", "«río»"),  # only ASCII's marks go
        ("the", ""),
    ],
)
def test_it_normalises_as_squads_script_does(text, wanted):
    assert normalise(text) == wanted


def test_marks_go_before_articles():
    assert normalise("a-the b") == "athe b"


def test_one_right_answer_among_several_is_enough():
    assert exact_match("the old harbour", ["a port", "Old harbour!"])
    assert not exact_match("harbour", ["a port", "old harbour"])


def test_f1_is_the_harmonic_mean_for_the_best_of_the_right_answers():
    # Two of three words are right (2/3), two of four are found (1/2).
    assert word_f1("red old harbour", ["x", "old harbour wall gate"]) == pytest.approx(
        2 * (2 / 3) * (1 / 2) / (2 / 3 + 1 / 2)
    )
    assert word_f1("old old", ["old"]) == pytest.approx(2 / 3)
    assert word_f1("north", ["south"]) == 0


def test_no_answer_is_right_only_where_there_is_none():
    assert word_f1("", [""]) == 1
    assert word_f1("harbour", [""]) == word_f1("", ["harbour"]) == 0
    assert exact_match("", [""])
    assert not exact_match("", ["harbour"])
    assert exact_match("", ["the", "!"])


def test_a_wanted_answer_without_a_word_counts_only_if_all_are_so():
    assert not exact_match("", ["the", "harbour"])
    assert word_f1("", ["the", "harbour"]) == 0
    assert exact_match("a harbour", ["the", "harbour"])


def test_scores_are_means_over_the_questions():
    found = ["harbour", None, "old harbour", None, "x"]
    wanted = [["the harbour"], [""], ["harbour"], ["harbour"], ["y"]]
    scores = score_answers(found, wanted)
    assert scores.count == 5
    assert scores.exact == pytest.approx(2 / 5)
    assert scores.f1 == pytest.approx((1 + 1 + 2 / 3) / 5)


def test_what_cannot_be_scored_is_refused_in_one_sentence():
    with pytest.raises(ValueError, match="2 answers to 1 questions"):
        score_answers(["a", "b"], [["a"]])
    with pytest.raises(ValueError, match="0 answers"):
        score_answers([], [])
    with pytest.raises(ValueError, match="give a list"):
        exact_match("a", "abc")
    with pytest.raises(ValueError, match="give a list"):
        word_f1("a", [])
