"""Texts in, labels out: what stands between a text and a trained classifier."""

import random

import pytest
import torch
from torch.testing import assert_close

from tt_utils.checkpoint import CheckpointError
from tt_utils.data.examples import ExampleBatches
from tt_utils.data.reviews import labelled_batch
from tt_utils.data.tokenizer import WordTokenizer
from tt_utils.decoding.classifying import ClassificationError, TextClassifier
from tt_utils.models.bert import BERTConfig, Classifier, ClassifierConfig, SpanReader
from tt_utils.training.config import TrainingConfig
from tt_utils.training.loop import train

WORDS = [*"abcdefg"]
LABELS = ["bad", "so so", "good"]
WIDTH, D_FF, HEADS, MAX_LEN = 14, 22, 2, 17
TOKENIZER = WordTokenizer(WORDS)
EXAMPLES = [((1, 4, 5, 2), 0), ((1, 6, 2), 1), ((1, 7, 8, 9, 2), 2)]
VOCABULARY = {"about": {"labels": LABELS}, "tokenizers": [TOKENIZER.to_json()]}


def sizes(**changes):
    given = {"d_model": WIDTH, "d_ff": D_FF, "n_heads": HEADS, "max_len": MAX_LEN}
    return given | {"n_layers": 1, "dropout": 0.0} | changes


def trained(folder, vocabulary, model=None):
    """Write what a training of one step writes."""
    torch.manual_seed(0)
    config = ClassifierConfig(len(TOKENIZER), n_labels=len(LABELS), **sizes())
    data = ExampleBatches(EXAMPLES, 2, labelled_batch)
    settings = TrainingConfig(2, 0.01, warmup=1)
    train(
        model or Classifier(config),
        data,
        settings,
        checkpoint=folder,
        vocabulary=vocabulary,
    )
    return folder


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    return trained(tmp_path_factory.mktemp("run"), VOCABULARY)


@pytest.fixture(scope="module")
def classifier(checkpoint):
    return TextClassifier.load(checkpoint)


def test_a_training_is_all_it_takes(classifier):
    (verdict,) = classifier.classify(["a b"])
    assert verdict.label in LABELS
    assert list(verdict.probabilities) == LABELS
    assert sum(verdict.probabilities.values()) == pytest.approx(1)
    assert verdict.probability == max(verdict.probabilities.values())
    assert verdict.unknown == []


def test_the_probabilities_are_the_models(classifier):
    (verdict,) = classifier.classify(["a b"])
    logits = classifier.model(torch.tensor([[1, 4, 5, 2]]))
    assert_close(torch.tensor([*verdict.probabilities.values()]), logits.softmax(-1)[0])


def test_the_company_of_other_texts_changes_nothing(classifier):
    rng = random.Random(0)
    texts = [" ".join(rng.choices(WORDS, k=rng.randint(1, 13))) for _ in range(11)]
    alone = [classifier.classify([text])[0] for text in texts]
    for rows in (1, 3, 64):
        together = classifier.classify(texts, rows)
        for one, other in zip(alone, together, strict=True):
            assert one.label == other.label
            assert one.probabilities == pytest.approx(other.probabilities, abs=1e-5)


def test_unknown_words_are_told_as_written(classifier):
    (verdict,) = classifier.classify(["a Soufflé b Soufflé"])
    assert verdict.unknown == ["Soufflé", "Soufflé"]


def test_no_text_gives_no_verdict(classifier):
    assert classifier.classify([]) == []


@pytest.mark.parametrize("text", ["", " \n", "\u200b"])
def test_a_text_without_words_is_said(classifier, text):
    with pytest.raises(
        ClassificationError, match=r"no words to classify; write a text"
    ):
        classifier.classify(["a", text])


def test_a_text_that_is_too_long_is_said(classifier):
    assert classifier.classify([" ".join("a" * (MAX_LEN - 2))])
    message = r"^the text has 16 words \(18 tokens\), the model reads at most 17; sh"
    with pytest.raises(ClassificationError, match=message):
        classifier.classify([" ".join("a" * (MAX_LEN - 1))])


def test_no_rows_are_refused(classifier):
    with pytest.raises(ValueError, match=r"^classify: rows is 0; it must be at least"):
        classifier.classify(["a"], rows=0)


@pytest.mark.parametrize(
    ("vocabulary", "message"),
    [
        (None, "holds no vocabulary to use its model with"),
        (VOCABULARY | {"about": {}}, "its labels are None, its model was made for 3"),
        (VOCABULARY | {"about": {"labels": 7}}, "its labels are 7, its model was made"),
        (VOCABULARY | {"about": {"labels": LABELS[:2]}}, r"its labels are \['"),
        (
            VOCABULARY | {"tokenizers": [WordTokenizer(WORDS[:5]).to_json()]},
            "its vocabulary has 9 entries, its model was made for 11; train",
        ),
    ],
)
def test_a_checkpoint_that_does_not_fit_is_said(tmp_path, vocabulary, message):
    with pytest.raises(CheckpointError, match=message):
        TextClassifier.load(trained(tmp_path, vocabulary))


def test_another_kind_of_model_is_said(tmp_path):
    class Reader(SpanReader):
        def loss(self, batch):
            return self(batch.tokens).mean()

    Reader.__name__ = "SpanReader"
    model = Reader(BERTConfig(len(TOKENIZER), **sizes()))
    with pytest.raises(
        CheckpointError, match="holds a SpanReader; this needs a Classifier"
    ):
        TextClassifier.load(trained(tmp_path, VOCABULARY, model))


def test_a_missing_checkpoint_is_said(tmp_path):
    with pytest.raises(CheckpointError):
        TextClassifier.load(tmp_path / "none")
