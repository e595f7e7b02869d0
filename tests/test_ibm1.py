"""IBM model 1 on the textbook's three sentences, and against plain loops."""

import random
from collections import defaultdict
from itertools import pairwise
from math import log

import pytest

from tt_utils.evaluation.ibm1 import IBMModel1

TOY = [
    (["das", "Haus"], ["the", "house"]),
    (["das", "Buch"], ["the", "book"]),
    (["ein", "Buch"], ["a", "book"]),
]


def by_loops(pairs, iterations, null):
    """EM with dictionaries, one link at a time."""
    words = {e for _, target in pairs for e in target}
    pairs = [([None, *source] if null else source, target) for source, target in pairs]
    t = defaultdict(lambda: 1 / len(words))
    for _ in range(iterations):
        count, total = defaultdict(float), defaultdict(float)
        for source, target in pairs:
            for e in target:
                norm = sum(t[f, e] for f in source)
                for f in source:
                    count[f, e] += t[f, e] / norm
                    total[f] += t[f, e] / norm
        t = {(f, e): count[f, e] / total[f] for f, e in count}
    likelihoods = [
        log(sum(t[f, e] for f in source) / len(source))
        for source, target in pairs
        for e in target
    ]
    return t, sum(likelihoods) / len(likelihoods)


@pytest.fixture
def pairs():
    """Sentences of 0 to 6 words, some of which come twice."""
    rng = random.Random(0)
    english = [rng.choices("abcdefg", k=rng.randint(0, 6)) for _ in range(40)]
    sides = [(words, [w.upper() for w in reversed(words)]) for words in english]
    return [*sides, (["a", "a"], ["A"]), ([], ["B"])]


@pytest.mark.parametrize(
    ("iterations", "the", "book"),
    [(1, 0.5, 0.25), (2, 0.6364, 0.1818), (3, 0.7479, 0.1208)],
)
def test_the_loops_give_the_published_numbers(iterations, the, book):
    # Koehn 2010, chapter 4, which leaves NULL out.
    t, _ = by_loops(TOY, iterations, null=False)
    assert t["das", "the"] == pytest.approx(the, abs=5e-5)
    assert t["das", "book"] == pytest.approx(book, abs=5e-5)


@pytest.mark.parametrize("iterations", [1, 2, 7])
def test_the_model_agrees_with_the_loops(pairs, iterations):
    for corpus in (TOY, pairs):
        model = IBMModel1().fit(corpus, iterations)
        t, likelihood = by_loops(corpus, iterations, null=True)
        for (f, e), probability in t.items():
            assert model.probability(f, e) == pytest.approx(probability, abs=1e-12)
        assert len(model.table) == len(t)
        assert len(model.log_likelihoods) == iterations
        assert model.log_likelihoods[-1] == pytest.approx(likelihood)


def test_the_first_iteration_by_hand():
    # Three choices for each word of the target, all equally likely at first.
    model = IBMModel1().fit(TOY, iterations=1)
    assert model.probability("das", "the") == pytest.approx(1 / 2)
    assert model.probability("das", "house") == pytest.approx(1 / 4)
    assert model.probability("ein", "a") == pytest.approx(1 / 2)
    assert model.probability(None, "the") == pytest.approx(1 / 3)
    assert model.probability(None, "a") == pytest.approx(1 / 6)
    assert model.probability("ein", "the") == 0


def test_words_find_their_translations_although_nobody_links_them():
    model = IBMModel1().fit(TOY, iterations=30)
    assert model.probability("ein", "a") > 0.9
    assert model.probability("Haus", "house") > 0.9
    for source, target in TOY:
        assert model.align(source, target) == {(0, 0), (1, 1)}
    assert model.align(["Buch", "das"], ["the", "book"]) == {(1, 0), (0, 1)}


def test_the_likelihood_never_falls(pairs):
    for corpus in (TOY, pairs):
        steps = IBMModel1().fit(corpus, iterations=100).log_likelihoods
        assert all(b >= a - 1e-12 for a, b in pairwise(steps))
        assert steps[0] < steps[-1] <= 0


def test_each_source_word_shares_out_one(pairs):
    model = IBMModel1().fit(pairs, iterations=3)
    for source in (None, *"abcdefg"):
        row = [model.probability(source, target) for target in "ABCDEFG"]
        assert sum(row) == pytest.approx(1)


def test_a_word_that_comes_with_everything_belongs_to_null():
    pairs = [([w], [w.upper(), "!"]) for w in "abcdefgh"] + [([], ["!"])] * 3
    model = IBMModel1().fit(pairs, iterations=20)
    assert model.probability(None, "!") > 0.9
    assert model.align(["c"], ["!", "C"]) == {(0, 1)}


def test_an_unknown_word_has_no_link():
    model = IBMModel1().fit(TOY, iterations=30)
    assert model.align(["das", "Haus"], ["the", "castle"]) == {(0, 0)}
    assert model.align(["kein", "Haus"], ["a", "house"]) == {(1, 1)}
    assert model.align([], ["the"]) == model.align(["das"], []) == set()
    assert model.probability("kein", "a") == model.probability("das", "castle") == 0


def test_two_words_that_never_met_have_no_link():
    model = IBMModel1().fit(TOY, iterations=30)
    assert model.probability("Haus", "a") == 0
    # NULL has met "a", and nothing else here has.
    assert model.align(["Haus"], ["a"]) == set()
    # The last words of both sides have no entry behind the last one either.
    assert IBMModel1().fit([(["x"], ["y"]), ([], ["z"])]).probability("x", "z") == 0


def test_of_two_equal_source_words_the_earlier_has_the_link():
    model = IBMModel1().fit(TOY, iterations=30)
    assert model.align(["das", "Haus", "das", "Haus"], ["house"]) == {(1, 0)}


def test_a_second_fit_forgets_the_first():
    model = IBMModel1().fit([(["x"], ["y"])])
    model.fit(TOY, iterations=4)
    fresh = IBMModel1().fit(TOY, iterations=4)
    assert model.log_likelihoods == fresh.log_likelihoods
    assert model.probability("das", "the") == fresh.probability("das", "the")
    assert model.source_ids == fresh.source_ids
    assert model.target_ids == fresh.target_ids


@pytest.mark.parametrize(
    ("pairs", "iterations", "message"),
    [
        (
            [],
            5,
            "IBMModel1.fit: 0 pairs hold no target word; "
            "give pairs of source words and target words.",
        ),
        (
            [(["das"], []), ([], [])],
            5,
            "IBMModel1.fit: 2 pairs hold no target word; "
            "give pairs of source words and target words.",
        ),
        (
            [*TOY, (["das", "Haus"], "the house")],
            5,
            "IBMModel1.fit: pair 3 holds a string; give two lists of words.",
        ),
        (TOY, 0, "IBMModel1.fit: iterations is 0; it must be at least 1."),
    ],
)
def test_what_cannot_be_learnt_from_is_named(pairs, iterations, message):
    with pytest.raises(ValueError) as error:  # noqa: PT011 - compared whole below
        IBMModel1().fit(pairs, iterations)
    assert str(error.value) == message


def test_before_it_has_learnt_it_says_so():
    message = r"^IBMModel1: nothing has been learnt yet; call fit first\.$"
    with pytest.raises(ValueError, match=message):
        IBMModel1().probability("das", "the")
    with pytest.raises(ValueError, match=message):
        IBMModel1().align(["das"], ["the"])
