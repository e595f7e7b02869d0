"""The best allowed span, found at once and one by one; a saved model that answers."""

import pytest
import torch

from tt_utils.checkpoint import CheckpointError
from tt_utils.data.examples import ExampleBatches, LabelledBatch
from tt_utils.data.squad import Answer, Reading, encode_reading, span_batch
from tt_utils.data.tokenizer import WordTokenizer
from tt_utils.decoding.answering import (
    Answerer,
    AnsweringError,
    best_spans,
)
from tt_utils.models.bert import BERTConfig, Classifier, ClassifierConfig, SpanReader
from tt_utils.training import TrainingConfig, train

ROWS, T = 5, 13
PASSAGE = "Anna went  to the old harbour. Ben slept."
TOKENIZER = WordTokenizer.from_sentences(
    [
        ["Where", "is", "Anna", "Ben", "?"],
        ["went", "to", "the", "old", "harbour", ".", "slept"],
    ]
)
SIZES = {"d_model": 16, "d_ff": 24, "n_heads": 2, "dropout": 0.0, "n_layers": 1}


def reader(**sizes) -> SpanReader:
    torch.manual_seed(0)
    return SpanReader(BERTConfig(len(TOKENIZER), **SIZES | {"max_len": 29} | sizes))


def searched(logits, allowed, max_words):
    """Try every span."""
    log_p = logits.masked_fill(~allowed, -float("inf")).log_softmax(-1)
    spans = [(0, 0)] + [
        (i, j)
        for i in range(1, logits.shape[1])
        for j in range(i, min(i + max_words, logits.shape[1]))
        if allowed[i] and allowed[j]
    ]
    return max(((log_p[0, i] + log_p[1, j]).item(), (i, j)) for i, j in spans)


@pytest.mark.parametrize("max_words", [1, 3, 50])
def test_spans_found_at_once_are_those_found_one_by_one(max_words):
    generator = torch.Generator().manual_seed(max_words)
    found_none = 0
    for _ in range(20):
        logits = 3 * torch.randn(ROWS, 2, T, generator=generator)
        allowed = torch.rand(ROWS, T, generator=generator) < 0.6
        allowed[:, 0] = True
        spans, scores = best_spans(logits, allowed, max_words)
        for row in range(ROWS):
            score, span = searched(logits[row], allowed[row], max_words)
            assert tuple(spans[row].tolist()) == span
            assert scores[row].item() == pytest.approx(score, abs=1e-5)
            found_none += span == (0, 0)
    assert 0 < found_none < 100


def test_an_end_before_the_start_is_never_chosen():
    logits = torch.full((1, 2, 7), -9.0)
    logits[0, 0, 5] = logits[0, 1, 3] = 9.0  # 5 to 3 would score highest
    logits[0, 1, 6] = 4.0
    spans, _ = best_spans(logits, torch.ones(1, 7, dtype=torch.bool), 7)
    assert spans.tolist() == [[5, 6]]


def test_no_answer_stands_alone():
    logits = torch.zeros(1, 2, 7)
    logits[0, 0, 0] = logits[0, 1, 5] = 9.0  # from "none" to a word
    allowed = torch.tensor([[True] + [False] * 3 + [True] * 3])
    spans, _ = best_spans(logits, allowed, 7)
    assert spans.tolist() in ([[0, 0]], [[4, 5]], [[5, 5]])
    logits[0, 1, 0] = 1.0
    assert best_spans(logits, allowed, 7)[0].tolist() == [[0, 0]]


def test_a_span_of_no_words_is_refused():
    with pytest.raises(ValueError, match="max_words is 0"):
        best_spans(torch.zeros(1, 2, 7), torch.ones(1, 7, dtype=torch.bool), 0)


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    """A model that knows four answers by heart, saved by its training."""
    readings = [
        Reading("1", "Where is Anna?", PASSAGE, (Answer("old harbour", 18),)),
        Reading("2", "Where is Ben?", PASSAGE, ()),
    ]
    examples = [encode_reading(r, TOKENIZER, 29) for r in readings]
    folder = tmp_path_factory.mktemp("reader")
    train(
        reader(),
        ExampleBatches(examples, 2, span_batch),
        TrainingConfig(60, 0.01, warmup=5, weight_decay=0.0),
        checkpoint=folder,
        vocabulary={
            "about": {"max_words": 3},
            "tokenizers": [TOKENIZER.to_json()],
        },
    )
    return folder


def test_it_answers_from_a_checkpoint_in_the_passages_own_letters(checkpoint):
    answerer = Answerer.load(checkpoint)
    found = answerer.answer("Where is Anna?", PASSAGE)
    assert found.text == "old harbour"
    assert 0.2 < found.probability <= 1
    assert answerer.answer("Where is Ben?", PASSAGE).text is None


def test_answers_come_in_order_however_many_are_asked(checkpoint, monkeypatch):
    answerer = Answerer.load(checkpoint)
    asked = [("Where is Anna?", PASSAGE), ("Where is Ben?", PASSAGE)] * 3
    asked.insert(2, ("Where is Anna?", "Ben slept."))
    at_once = answerer.answer_all(asked)
    monkeypatch.setattr("tt_utils.decoding.answering.ROWS", 3)
    in_parts = answerer.answer_all(asked)
    assert [f.text for f in in_parts] == [f.text for f in at_once]
    assert [f.text for f in at_once][:2] == ["old harbour", None]
    assert answerer.answer_all([]) == []


def test_the_recipe_limits_the_words_of_an_answer(checkpoint):
    answerer = Answerer.load(checkpoint)
    narrow = Answerer(answerer.model, answerer.tokenizer, {"max_words": 1})
    text = narrow.answer("Where is Anna?", PASSAGE).text
    assert text is None or " " not in text


def test_words_never_seen_are_named(checkpoint):
    answerer = Answerer.load(checkpoint)
    assert answerer.unknown("Where is Zoë?", "Ben flew.") == ["Zoë", "flew"]
    assert answerer.unknown("where is anna?", PASSAGE) == []


@pytest.mark.parametrize(
    ("question", "passage", "reason"),
    [
        (" ", "Ben slept.", "no words in the question"),
        ("Where?", "\n", "no words in the passage"),
        ("Where is Ben?", "Ben slept. " * 9, "has 4 words and marks, the passage 27"),
    ],
)
def test_what_cannot_be_answered_is_refused_in_one_sentence(
    checkpoint, question, passage, reason
):
    with pytest.raises(AnsweringError, match=reason) as error:
        Answerer.load(checkpoint).answer(question, passage)
    assert str(error.value).count(". ") == 0


def saved(folder, model, vocabulary):
    examples = [encode_reading(Reading("1", "Ben?", PASSAGE, ()), TOKENIZER, 29)]
    train(
        model,
        ExampleBatches(examples, 1, span_batch),
        TrainingConfig(2, 0.01, warmup=1),
        checkpoint=folder,
        vocabulary=vocabulary,
    )
    return folder


@pytest.mark.parametrize(
    "vocabulary", [None, {}, {"about": {}, "tokenizers": []}, {"about": {}}]
)
def test_a_checkpoint_without_a_vocabulary_is_refused(tmp_path, vocabulary):
    folder = saved(tmp_path, reader(), vocabulary)
    with pytest.raises(CheckpointError, match="holds no vocabulary"):
        Answerer.load(folder)


def test_a_vocabulary_of_another_size_is_refused(tmp_path):
    kept = {"about": {}, "tokenizers": [WordTokenizer(["a"]).to_json()]}
    folder = saved(tmp_path, reader(), kept)
    with pytest.raises(CheckpointError, match="vocabulary has 5 entries"):
        Answerer.load(folder)


def test_another_kind_of_model_is_refused(tmp_path):
    config = ClassifierConfig(len(TOKENIZER), **SIZES, max_len=29)
    rows = [((4, 5), 1)]

    def collate(part):
        tokens, labels = zip(*part, strict=True)
        return LabelledBatch(torch.tensor(tokens), torch.tensor(labels))

    train(
        Classifier(config),
        ExampleBatches(rows, 1, collate),
        TrainingConfig(2, 0.01, warmup=1),
        checkpoint=tmp_path,
        vocabulary={"about": {}, "tokenizers": [TOKENIZER.to_json()]},
    )
    with pytest.raises(CheckpointError, match="holds a Classifier"):
        Answerer.load(tmp_path)
