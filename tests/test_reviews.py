"""Reviews: the same everywhere, balanced, twins of equal words, kinds held apart.

An own reader judges them word by word, so that labels don't lean on the grammar.
"""

import hashlib
import os
import subprocess
import sys
from collections import Counter, defaultdict

import pytest
import torch
from without_type_checks import types_unchecked

from tt_utils.data.reviews import (
    HELD_OUT,
    LABELS,
    TRAINING,
    Review,
    encode_review,
    labelled_batch,
    reviews,
    reviews_data,
)
from tt_utils.data.reviews.lexicon import ADJECTIVES, DENIES, EVENTS, KEPT, NOT
from tt_utils.data.reviews.rules import KINDS
from tt_utils.data.tokenizer import WordTokenizer
from tt_utils.evaluation.cutting import (
    cls_attention,
    highest,
    logits_without,
    words_of,
)
from tt_utils.models.bert import Classifier
from tt_utils.training.recipes_reviews import (
    MODEL,
    classifier_config,
    classifier_vocabulary,
)

EACH = 200
BEFORE = ("although", "though", "while")


@pytest.fixture(scope="module")
def of_kind() -> dict[str, list[Review]]:
    with types_unchecked():
        return {kind: reviews(EACH, seed=7, kinds=(kind,)) for kind in KINDS}


# A reader of its own


def clauses_of(review):
    """The conceded clause, where there is one, and the one that decides."""
    opinion = " ".join(review.words).split(" . ")[-1]
    for word in ("but", "yet"):
        if f" , {word} " in opinion:
            return opinion.split(f" , {word} ")
    for word in BEFORE:
        if opinion.startswith(word + " "):
            return opinion.removeprefix(word + " ").split(" , ")
        if f" , {word} " in opinion:
            return opinion.split(f" , {word} ")[::-1]
    return [opinion]


def denials(clause):
    """How often a clause is negated: by the frame before it, and at its verb."""
    verb = clause.split(" was ")[-1].split()
    return sum(clause.startswith(frame + " ") for frame in DENIES), verb[0] in NOT


def opinion_of(clause):
    (found,) = [
        (label, word)
        for label, words in enumerate(ADJECTIVES)
        for word in clause.split()
        if word in words
    ]
    return found


def judged(clause):
    return (opinion_of(clause)[0] + sum(denials(clause))) % 2


@pytest.mark.parametrize("kind", KINDS)
def test_another_reader_comes_to_the_same_label(of_kind, kind):
    for review in of_kind[kind]:
        *conceded, decides = clauses_of(review)
        assert judged(decides) == review.label, review.text
        assert all(judged(clause) != review.label for clause in conceded), review.text


# Balance


@pytest.mark.parametrize("kind", KINDS)
def test_half_of_each_kind_praise(of_kind, kind):
    assert Counter(review.label for review in of_kind[kind]) == {0: 100, 1: 100}


@pytest.mark.parametrize("kind", [kind for kind in KINDS if KINDS[kind].joins])
def test_twins_have_the_same_words_and_opposite_labels(of_kind, kind):
    labels = defaultdict(list)
    for review in of_kind[kind]:
        labels[tuple(sorted(review.words))].append(review.label)
    assert {tuple(sorted(found)) for found in labels.values()} == {(0, 1)}


def test_the_twin_of_a_single_clause_differs_in_its_adjective(of_kind):
    for kind in ("plain", "negation", "double negation"):
        for one, other in zip(of_kind[kind][::2], of_kind[kind][1::2], strict=True):
            (pair,) = [
                p for p in zip(one.words, other.words, strict=True) if len({*p}) > 1
            ]
            assert [word in ADJECTIVES[1] for word in pair].count(True) == 1


# What training never shows


def signs(review):
    """What makes a review one of a kind that is held out."""
    text, clauses = f" {review.text} ", clauses_of(review)
    counts = [sum(denials(clause)) for clause in clauses]
    negated = {opinion_of(c)[1] for c, n in zip(clauses, counts, strict=True) if n}
    gaps = [
        len(clause.split(" that we ")[1].split(" was ")[0].split()) + 2
        for clause in clauses
        if " that we had " in clause
    ]
    stories = review.words.count(".")
    return {
        "double negation in but": " but " in text and 2 in counts,
        "although with negation": " although " in text and any(counts),
        "new negations": bool(negated & KEPT),
        "although behind": ", although " in text,
        "far apart": max(gaps, default=0) > 3,
        "a story first": " but " in text and 2 <= stories <= 3,
        "a long story first": " but " in text and stories >= 5,
    }


def test_training_shows_nothing_of_what_is_held_out():
    for review in reviews(2_000, seed=3, stretch=6):
        assert not any(signs(review).values()), review.text


@pytest.mark.parametrize("kind", HELD_OUT)
def test_each_held_out_kind_has_its_sign_and_no_other(of_kind, kind):
    for review in of_kind[kind]:
        assert [name for name, is_there in signs(review).items() if is_there] == [kind]


def test_stories_stretch_only_where_no_clause_begins_with_but():
    drawn = reviews(1_400, seed=3, stretch=6)
    long = {review.kind for review in drawn if review.words.count(".") > 1}
    assert long == {*TRAINING} - {"but"}
    assert max(review.words.count(".") for review in drawn) == 6
    assert max(review.words.count(".") for review in reviews(1_400, seed=3)) == 1


# Chance


def digest(found):
    text = "\n".join(f"{r.text}|{r.label}|{r.kind}" for r in found)
    return hashlib.sha256(text.encode()).hexdigest()


def test_the_same_everywhere():
    code = (
        "import sys; sys.path.insert(0, 'tests')\n"
        "from test_reviews import digest, reviews\n"
        "print(digest(reviews(140, seed=5)))"
    )
    environment = os.environ | {"PYTHONHASHSEED": "123"}
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment
    )
    assert result.stdout.strip() == digest(reviews(140, seed=5)), result.stderr


def test_seeds_differ_and_no_text_comes_twice():
    found = reviews(4_000, seed=1)
    assert len({review.text for review in found}) == 4_000
    assert digest(reviews(200, seed=1)) != digest(reviews(200, seed=2))
    assert {review.kind for review in found} == {*TRAINING}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"n": 2, "kinds": ("irony",)}, r"^reviews: kind is 'irony'; choose among pla"),
        ({"n": 3}, r"^reviews: n is 3; twins need an even number above 0\.$"),
        ({"n": 0}, r"^reviews: n is 0; twins need"),
        ({"n": 900, "stretch": 7}, r"^reviews: a story of 7 sentences; at most 6\.$"),
    ],
)
def test_what_can_not_be_is_said(given, message):
    with pytest.raises(ValueError, match=message):
        reviews(**given)


def test_there_is_an_event_for_each_sentence():
    assert max(max(kind.story) for kind in KINDS.values()) <= len(EVENTS)


# Ready for training


@pytest.fixture(scope="module")
def data():
    with types_unchecked():
        return reviews_data(n=2_002, rows=13, seed=2)


def test_no_review_to_test_with_is_among_those_to_learn_from(data):
    seen = {review.text for review in data.train}
    assert len(seen) == len(data.train) == 2_002
    for rest in (data.valid, *data.test.values()):
        assert len(rest) == 1_000
        assert not seen & {review.text for review in rest}
    assert tuple(data.test) == HELD_OUT


def test_every_word_of_the_tests_is_known(data):
    for rest in (data.valid, *data.test.values()):
        for review in rest:
            assert data.tokenizer.unk_id not in encode_review(review, data.tokenizer)[0]


def test_the_tests_are_the_same_for_every_seed(data):
    other = reviews_data(n=2, rows=1, seed=3)
    assert other.test == data.test
    assert other.train != data.train[:2]


def test_some_of_a_kind_can_be_shown_after_all():
    shown = reviews_data(n=20, rows=3, seed=2, shown={"although behind": 14}).train
    assert Counter(review.kind for review in shown)["although behind"] == 14
    assert len(shown) == 34


def test_a_text_reads_as_its_words(data):
    for review in data.test["a story first"][:50]:
        ids = data.tokenizer.encode(review.text)
        assert ids == data.tokenizer.encode(review.words)


def test_a_batch_is_padded_behind_and_keeps_labels():
    tokenizer = WordTokenizer(["a", "b", "c"])
    pair = [Review(("a",), 1, "plain"), Review(("c", "b", "b"), 0, "plain")]
    batch = labelled_batch([encode_review(review, tokenizer) for review in pair])
    assert batch.tokens.tolist() == [[1, 4, 2, 0, 0], [1, 6, 5, 5, 2]]
    assert batch.labels.tolist() == [1, 0]


# The model of the recipe, and cutting


@pytest.fixture(scope="module")
def small(data):
    torch.manual_seed(0)
    config = classifier_config(data.tokenizer, d_model=24, d_ff=37, n_heads=3)
    assert config.n_layers == MODEL["n_layers"]
    return Classifier(config).eval()


@pytest.fixture(scope="module")
def tokens(data):
    few = data.test["a story first"][:5]
    return labelled_batch([encode_review(r, data.tokenizer) for r in few]).tokens


def test_without_positions_twins_look_alike(data):
    config = classifier_config(data.tokenizer, positions="none")
    model = Classifier(config).eval()
    pair = [encode_review(r, data.tokenizer) for r in data.test["far apart"][:2]]
    one, other = model(labelled_batch(pair).tokens)
    assert torch.allclose(one, other, atol=1e-5)


def test_the_vocabulary_is_what_a_checkpoint_keeps(data):
    kept = classifier_vocabulary(data.tokenizer)
    assert kept["about"] == {"data": "reviews", "labels": list(LABELS)}
    assert [each["words"] for each in kept["tokenizers"]] == [data.tokenizer.words]


def test_attention_is_shared_out_among_the_tokens_of_a_text(small, tokens):
    found = cls_attention(small, tokens)
    assert found.shape == tokens.shape
    assert torch.allclose(found.sum(dim=1), torch.ones(len(tokens)), atol=1e-5)
    assert found[tokens == 0].eq(0).all()


def test_cutting_nothing_changes_nothing(small, tokens):
    found = logits_without(small, tokens, torch.zeros_like(tokens, dtype=torch.bool))
    assert torch.allclose(found, small(tokens), atol=1e-5)


def test_cutting_hides_a_token_from_cls_and_from_no_other(small, tokens):
    """With one layer nothing of a cut token reaches [CLS]; with two it still does."""
    cut = torch.zeros_like(tokens, dtype=torch.bool)
    cut[:, 3] = True
    other = tokens.clone()
    other[:, 3] = 11
    assert not torch.allclose(
        logits_without(small, tokens, cut), logits_without(small, other, cut), atol=1e-5
    )
    second, small.stack.layers = small.stack.layers[1], small.stack.layers[:1]
    try:
        assert torch.allclose(
            logits_without(small, tokens, cut),
            logits_without(small, other, cut),
            atol=1e-5,
        )
    finally:
        small.stack.layers.append(second)


def test_the_highest_are_chosen_among_those_allowed(tokens):
    scores = torch.tensor([[0.5, 0.1, 0.3, 0.2], [0.1, 0.2, 0.3, 0.4]])
    among = torch.tensor([[False, True, True, True], [True, True, False, True]])
    assert highest(scores, among, 2).nonzero().tolist() == [
        [0, 2],
        [0, 3],
        [1, 1],
        [1, 3],
    ]
    for k in (0, 4):
        with pytest.raises(ValueError, match=rf"^highest: k is {k}; a row has only 3"):
            highest(scores, among, k)
    words = words_of(tokens, 1, 2, 0)
    assert not words[:, 0].any()
    assert (words.sum(dim=1) == (tokens > 3).sum(dim=1)).all()
