"""Facts: what is told, what is asked, and what training never sees."""

import pytest
import torch

from tt_utils.data.facts import (
    ENGLISH,
    NO_QUESTION,
    SPANISH,
    as_tokens,
    facts,
    ids_of,
    word_vectors,
)

CAT = ("black", "cat", "drank", "milk")


def test_no_cat_that_drinks_milk_is_learned_from():
    known, held_out = facts(held_out=7)
    assert len(known) + len(held_out) == 5**4
    assert not {*known} & {*held_out}
    assert CAT in held_out
    assert not [fact for fact in known if fact[1:] == CAT[1:]]


@pytest.mark.parametrize("wrong", [0, 625])
def test_something_is_held_out_and_something_left(wrong):
    with pytest.raises(ValueError, match=f"{wrong} of 625 held out"):
        facts(wrong)


def test_a_fact_is_told_in_three_ways_each_word_answered_by_another():
    tokens, answers = as_tokens([CAT])
    lines = [" ".join(ENGLISH[i] for i in row) for row in tokens]
    assert lines == [
        "today the black cat drank the milk",
        "the black cat drank the milk today",
        "the milk that the black cat drank",
    ]
    for line, row in zip(lines, answers.tolist(), strict=True):
        told = zip(line.split(), row, strict=True)
        found = {word: SPANISH[i] for word, i in told if i != NO_QUESTION}
        right = {"milk": "bebió", "drank": "gato", "cat": "negro", "black": "leche"}
        assert found == right


def test_only_the_words_asked_have_answers():
    _, answers = as_tokens([CAT], asked=[3])
    assert ((answers != NO_QUESTION).sum(dim=1) == 1).all()


def test_words_of_a_kind_are_more_alike_than_others():
    vectors = word_vectors(d_model=997)
    alike = torch.corrcoef(vectors)
    assert alike[0, 1:5].min() > 0.1 > alike[0, 5:].max()
    assert torch.equal(word_vectors(), word_vectors())


def test_an_unknown_word_is_named():
    assert ids_of("the cat") == [ENGLISH.index("the"), ENGLISH.index("cat")]
    with pytest.raises(ValueError, match="'zebra' is no word"):
        ids_of("the zebra")
