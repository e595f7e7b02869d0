"""The encoder-only models against PyTorch's own encoder, and what their heads read."""

import pytest
import torch
import torch.nn.functional as F
from pytorch_modules import TOLERANCE, same_layer, stirred

from tt_utils.data.examples import LabelledBatch, SpanBatch
from tt_utils.models.bert import (
    BERT,
    BERTConfig,
    Classifier,
    ClassifierConfig,
    SpanReader,
)

VOCAB, ROWS, T, WIDTH, LAYERS, LABELS = 19, 3, 7, 24, 2, 5
SIZES = {
    **{"d_model": WIDTH, "d_ff": 37, "n_heads": 6, "max_len": 13},
    **{"dropout": 0.0, "n_layers": LAYERS},
}


def made(kind, **changes):
    torch.manual_seed(0)
    config = ClassifierConfig if kind is Classifier else BERTConfig
    if kind is Classifier:
        changes["n_labels"] = LABELS
    return stirred(kind(config(VOCAB, **SIZES | changes))).eval()


def some_tokens():
    return torch.randint(
        1, VOCAB, (ROWS, T), generator=torch.Generator().manual_seed(1)
    )


@torch.no_grad()
@pytest.mark.parametrize("norm_first", [False, True])
def test_its_states_are_those_of_pytorchs_encoder_layers(norm_first):
    model, tokens = made(BERT, norm_first=norm_first), some_tokens()
    tokens[1, 4:] = 0
    x = model.embedding(tokens)
    for layer in model.stack.layers:
        x = same_layer(layer).eval()(x, src_key_padding_mask=tokens == 0)
    real = tokens != 0
    wanted = model.stack.norm(x)
    torch.testing.assert_close(model.states(tokens)[real], wanted[real], **TOLERANCE)


@torch.no_grad()
def test_every_word_sees_every_word_and_no_padding():
    model, tokens = made(BERT), some_tokens()
    tokens[:, T - 2 :] = 0
    out = model.states(tokens)
    for place in range(T - 2):
        other = tokens.clone()
        other[:, place] = tokens[:, place] % (VOCAB - 1) + 1
        moved = (model.states(other) - out).abs().amax(-1).gt(1e-9)
        assert moved[:, : T - 2].all()
    torch.testing.assert_close(
        model.states(tokens[:, : T - 2]), out[:, : T - 2], **TOLERANCE
    )


@torch.no_grad()
def test_a_classifier_reads_the_first_token():
    model, tokens = made(Classifier), some_tokens()
    states = model.states(tokens)
    assert model(tokens).shape == (ROWS, LABELS)
    torch.testing.assert_close(model(tokens), model.head(states[:, 0]))


@torch.no_grad()
def test_the_loss_of_a_classifier_is_that_of_its_labels():
    model, tokens, labels = made(Classifier), some_tokens(), torch.tensor([4, 0, 2])
    wanted = -model(tokens).log_softmax(-1)[torch.arange(ROWS), labels].mean()
    found = model.loss(LabelledBatch(tokens, labels))
    torch.testing.assert_close(found, wanted)


@torch.no_grad()
def test_the_loss_of_a_reader_counts_only_the_places_that_are_allowed():
    model, tokens = made(SpanReader), some_tokens()
    allowed = torch.zeros(ROWS, T, dtype=torch.bool)
    allowed[:, 0] = allowed[:, 3:6] = True
    spans = torch.tensor([[3, 5], [0, 0], [4, 4]])
    logits = model(tokens)
    assert logits.shape == (ROWS, 2, T)
    wanted = 0.0
    for row, span in enumerate(spans.tolist()):
        for end, place in enumerate(span):
            scores = logits[row, end][allowed[row]]
            label = allowed[row, :place].sum()
            wanted += F.cross_entropy(scores, label) / (2 * ROWS)
    torch.testing.assert_close(model.loss(SpanBatch(tokens, allowed, spans)), wanted)


@pytest.mark.parametrize(
    ("config", "wrong", "message"),
    [
        (BERTConfig, {"pad_id": 19}, "^BERTConfig: pad_id is 19, outside a vocab"),
        (BERTConfig, {"n_layers": 0}, "^BERTConfig: n_layers is 0; it must be"),
        (ClassifierConfig, {"n_labels": 0}, "^ClassifierConfig: n_labels is 0; it m"),
    ],
)
def test_sizes_that_cannot_be_are_refused(config, wrong, message):
    with pytest.raises(ValueError, match=message):
        config(VOCAB, **SIZES | wrong)
