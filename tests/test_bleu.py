"""BLEU against scores worked out by hand, and against sacreBLEU itself."""

import math
import random
import subprocess
import sys
from dataclasses import FrozenInstanceError

import pytest
from sacrebleu.metrics import BLEU

from tt_utils.evaluation.bleu import Bleu, corpus_bleu

SIGNATURE = "case:mixed|eff:no|tok:13a|smooth:exp|version:"
WORDS = ["a", "the", "cat", "dog", "saw", ",", "no", "one's", "two-year", "3.5"]


def corpus(n, seed=0):
    """Sentences of which some words are wrong, missing or in capitals."""
    rng = random.Random(seed)
    outputs, references = [], []
    for _ in range(n):
        words = rng.choices(WORDS, k=11)
        changed = [
            word.upper() if rng.random() < 0.1 else rng.choice([word] * 9 + ["mouse"])
            for word in words
            if rng.random() > 0.1
        ]
        outputs.append(" ".join(changed) + ".")
        references.append(" ".join(words) + ".")
    return outputs, references


@pytest.mark.parametrize(
    ("outputs", "references", "score"),
    [
        (["a b c d"], ["a b c d"], 100),
        (["a b c d"], ["e f g h"], 0),
        ([""], ["a b c d"], 0),
        # 4 of 5 words, 3 of 4 pairs, 2 of 3 triples, 1 of 2 fours: a fifth.
        (["a b c d e"], ["a b c d f"], 100 * 0.2**0.25),
        # All is right but a word is missing: the brevity penalty alone.
        (["a b c d"], ["a b c d e"], 100 * math.exp(1 - 5 / 4)),
        # Counted over both sentences together: 8/9 · 6/7 · 4/5 · 2/3.
        (["a b c d e", "a b c d"], ["a b c d f", "a b c d"], 100 * (128 / 315) ** 0.25),
        # 13a cuts punctuation off.
        (["Go home, now!"], ["Go home , now !"], 100),
    ],
)
def test_bleu_by_hand(outputs, references, score):
    assert corpus_bleu(outputs, references).score == pytest.approx(score)


def test_capitals_count_unless_asked_otherwise():
    outputs, references = ["the Cat sat down ."], ["The cat sat down ."]
    cased = corpus_bleu(outputs, references)
    lower = corpus_bleu(outputs, references, lowercase=True)
    assert cased.score < 50
    assert lower.score == pytest.approx(100)
    assert "|case:mixed|" in cased.signature
    assert "|case:lc|" in lower.signature


@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize(("samples", "seed"), [(1000, 12345), (200, 7), (40, 0)])
def test_score_samples_and_signature_are_sacrebleus_own(
    monkeypatch, lowercase, samples, seed
):
    monkeypatch.setenv("SACREBLEU_SEED", str(seed))
    outputs, references = corpus(60)
    metric = BLEU(lowercase=lowercase)
    theirs = metric.corpus_score(outputs, [references], n_bootstrap=samples)
    monkeypatch.setenv("SACREBLEU_SEED", "99")  # which ours does not read

    ours = corpus_bleu(
        outputs, references, lowercase=lowercase, samples=samples, seed=seed
    )
    assert ours.score == theirs.score
    assert ours.signature == str(metric.get_signature())
    # sacreBLEU resamples in single precision and tells half the width.
    assert (ours.high - ours.low) / 2 == pytest.approx(theirs._ci, abs=1e-4)


def test_the_default_seed_is_sacrebleus_own(monkeypatch):
    monkeypatch.delenv("SACREBLEU_SEED", raising=False)
    outputs, references = corpus(20)
    metric = BLEU()
    metric.corpus_score(outputs, [references], n_bootstrap=1000)
    assert corpus_bleu(outputs, references).signature == str(metric.get_signature())


def test_without_samples_there_is_no_interval_and_no_bootstrap_in_the_signature():
    bleu = corpus_bleu(["a b c d"], ["a b c d"], samples=0)
    assert (bleu.low, bleu.high) == (None, None)
    assert bleu.signature.startswith("nrefs:1|" + SIGNATURE)
    assert str(bleu) == f"100.0, {bleu.signature}"


def test_the_interval_stays_between_0_and_100():
    # Each sample holds the good sentence twice, the bad one twice, or both.
    bleu = corpus_bleu(["a b c d", "a b c d"], ["a b c d", "e f g h"])
    assert (bleu.low, bleu.high) == (0, pytest.approx(100))
    assert bleu.low < bleu.score < bleu.high


def test_any_sequence_of_sentences_will_do():
    given = ["a b c d e", "a b c d"], ["a b c d f", "a b c d"]
    assert corpus_bleu(*map(tuple, given)) == corpus_bleu(*given)


def test_of_one_sentence_every_sample_is_the_same():
    # No three words in a row match, which sacreBLEU smooths, in the samples as well.
    bleu = corpus_bleu(["a b c d"], ["a b x d"])
    assert 0 < bleu.low == bleu.score == bleu.high


def test_the_interval_narrows_as_the_corpus_grows():
    outputs, references = corpus(800)
    few, many = corpus_bleu(outputs[:50], references[:50]), corpus_bleu(*corpus(800))
    # Sixteen times the sentences: a quarter of the width, more or less.
    assert 2.5 < (few.high - few.low) / (many.high - many.low) < 6
    assert few.low < few.score < few.high
    assert many.low < many.score < many.high


def test_the_same_seed_gives_the_same_interval():
    outputs, references = corpus(30)
    first, again = (corpus_bleu(outputs, references, seed=3) for _ in range(2))
    other = corpus_bleu(outputs, references, seed=4)
    assert first == again
    assert (first.low, first.high) != (other.low, other.high)
    assert first.score == other.score


def test_a_score_fits_on_one_line():
    bleu = Bleu(39.44, 37.66, 41.11, "nrefs:1|bs:1000|tok:13a")
    assert str(bleu) == "39.4 (37.7 to 41.1), nrefs:1|bs:1000|tok:13a"
    with pytest.raises(FrozenInstanceError):
        bleu.score = 100


@pytest.mark.parametrize(
    ("outputs", "references", "message"),
    [
        (
            ["a b"],
            ["a b", "c d"],
            "corpus_bleu: 1 outputs and 2 references; "
            "give as many of each, at least one.",
        ),
        (
            [],
            [],
            "corpus_bleu: 0 outputs and 0 references; "
            "give as many of each, at least one.",
        ),
        (
            "a b",
            ["a b"],
            "corpus_bleu: outputs is one string; "
            "give a list of strings, one for each sentence.",
        ),
        (
            ["a b"],
            "a b",
            "corpus_bleu: references is one string; "
            "give a list of strings, one for each sentence.",
        ),
        (
            ["a b", ["c", "d"]],
            ["a b", "c d"],
            "corpus_bleu: outputs[1] is of type list; "
            "give each sentence as one string, such as decode writes.",
        ),
        (
            ["a b"],
            [["a b"]],
            "corpus_bleu: references[0] is of type list; "
            "give each sentence as one string, such as decode writes.",
        ),
    ],
)
def test_what_is_no_list_of_sentences_is_named(
    monkeypatch, outputs, references, message
):
    monkeypatch.setattr("jaxtyping.config.jaxtyping_disable", True)
    with pytest.raises(ValueError) as error:  # noqa: PT011 - compared whole below
        corpus_bleu(outputs, references)
    assert str(error.value) == message


@pytest.mark.parametrize("samples", [-1, 1, 39])
def test_too_few_samples_are_refused(samples):
    message = (
        rf"^corpus_bleu: samples is {samples}; give at least 40, or 0 for a score "
        r"without an interval\.$"
    )
    with pytest.raises(ValueError, match=message):
        corpus_bleu(["a b"], ["a b"], samples=samples)


def test_without_sacrebleu_one_sentence_says_what_to_install(monkeypatch):
    for name in ("sacrebleu", "sacrebleu.metrics"):
        monkeypatch.setitem(sys.modules, name, None)
    message = (
        r"^corpus_bleu: the package sacrebleu is missing; install it with "
        r"`pip install sacrebleu`\.$"
    )
    with pytest.raises(ImportError, match=message):
        corpus_bleu(["a b"], ["a b"])


@pytest.mark.slow
def test_importing_the_module_loads_no_sacrebleu():
    heavy = {"sacrebleu", "torch"}
    code = f"import sys, tt_utils.evaluation.bleu; print({heavy} & set(sys.modules))"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True
    )
    assert result.stdout.strip() == "set()", result.stderr
