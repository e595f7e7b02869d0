"""Texts that go on, from a checkpoint; and what a checkpoint must hold to be used."""

import json

import pytest
import torch

from tt_utils.checkpoint import CheckpointError
from tt_utils.data.text_windows import TextWindows, encode_stream
from tt_utils.data.tokenizer import WordTokenizer
from tt_utils.decoding.trained import TextError, load_trained
from tt_utils.decoding.writer import Writer
from tt_utils.models.bert import Classifier
from tt_utils.models.gpt import GPT, GPTConfig
from tt_utils.training.config import TrainingConfig
from tt_utils.training.loop import train

LINES = ["one two three four five"] * 40
TOKENIZER = WordTokenizer.from_sentences(line.split() for line in LINES)
KEPT = {"about": {"data": "numbers"}, "tokenizers": [TOKENIZER.to_json()]}


def trained(folder, vocabulary=KEPT):
    torch.manual_seed(0)
    sizes = {"d_model": 16, "d_ff": 32, "n_heads": 2, "dropout": 0.0, "max_len": 13}
    model = GPT(GPTConfig(len(TOKENIZER), 1, **sizes))
    data = TextWindows(encode_stream(LINES, TOKENIZER), 11, 7)
    config = TrainingConfig(60, 0.01, warmup=5)
    train(model, data, config, checkpoint=folder, vocabulary=vocabulary)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return trained(tmp_path_factory.mktemp("writer"))


def test_it_goes_on_behind_each_beginning_and_behind_none(folder):
    writer = Writer.load(folder)
    assert writer.about == {"data": "numbers"}
    written = writer.write(["one two", "", "four"], top_k=1)
    whole = "one two three four five"
    assert written == [whole, whole, "four five"]
    assert writer.write(["one"], max_len=2, top_k=1) == ["one two three"]


def test_a_beginning_that_fills_all_places_is_refused(folder):
    writer = Writer.load(folder)
    message = "^the beginning has 12 tokens, the model has 12 places for it"
    with pytest.raises(TextError, match=message):
        writer.write(["one " * 12])


@pytest.mark.parametrize(
    ("vocabulary", "message"),
    [
        (None, "holds no vocabulary to use its model with"),
        (KEPT | {"tokenizers": []}, "holds no vocabulary to use its model with"),
        (
            KEPT | {"tokenizers": [WordTokenizer(["one"]).to_json()]},
            "doesn't fit together: its vocabulary has 5 entries, its model was made",
        ),
    ],
)
def test_a_checkpoint_that_does_not_fit_is_refused(tmp_path, vocabulary, message):
    trained(tmp_path, json.loads(json.dumps(vocabulary)))
    with pytest.raises(CheckpointError, match=message):
        Writer.load(tmp_path)


def test_another_kind_of_model_is_refused(folder):
    with pytest.raises(CheckpointError, match="holds a GPT; this needs a Classifier"):
        load_trained(folder, Classifier)
