"""The model that draws: labels, temperature, guidance."""

import pytest
import torch
import torch.nn.functional as F

from tt_utils.data.codebook import CodeBatch
from tt_utils.models.image_gpt import ImageGPT, ImageGPTConfig

BATCH, PLACES, CODES, LABELS = 5, 7, 13, 3
VOCAB = CODES + LABELS + 1
SIZES = {"d_model": 22, "d_ff": 31, "n_heads": 2, "max_len": PLACES}


def made(n_layers=2, **changes):
    """A model whose logits hang on the label, and aren't all on one code."""
    torch.manual_seed(0)
    chosen = SIZES | {"dropout": 0.0, "tie_embeddings": False} | changes
    config = ImageGPTConfig(VOCAB, n_layers, n_labels=LABELS, **chosen)
    model = ImageGPT(config).double().eval()
    torch.nn.init.normal_(model.embedding.table.weight)
    return model


def luck(seed=0):
    return torch.Generator().manual_seed(seed)


def some_codes():
    return torch.randint(CODES, (BATCH, PLACES), generator=luck(1))


LABELLED = torch.tensor([2, 0, 3, 1, 2])


@torch.no_grad()
def logits_of(model, labels, codes):
    """Every code's logits, all places at once and without a cache."""
    tokens = torch.cat([CODES + labels[:, None], codes[:, :-1]], dim=1)
    return model(tokens)[:, :, :CODES]  # (batch, places, codes)


@torch.no_grad()
def test_the_loss_is_the_cross_entropy_of_codes_behind_a_label():
    model, codes = made(), some_codes()
    tokens = torch.cat([CODES + LABELLED[:, None], codes[:, :-1]], dim=1)
    wanted = F.cross_entropy(model(tokens).mT, codes, label_smoothing=0.1)
    found = model.loss(CodeBatch(codes, LABELLED), label_smoothing=0.1)
    assert found.item() == pytest.approx(wanted.item())


@pytest.mark.parametrize("guidance", [0.0, 1.0, 2.5])
def test_cold_drawings_take_the_likeliest_code_of_the_guided_logits(guidance):
    """Also that the cache holds what it should: here all is computed at once."""
    model = made()
    codes = model.draw(LABELLED, 1e-6, guidance, luck())
    asked = logits_of(model, LABELLED, codes)
    free = logits_of(model, torch.full_like(LABELLED, LABELS), codes)
    wanted = (free + guidance * (asked - free)).argmax(dim=-1)
    assert codes.shape == (BATCH, PLACES)
    assert torch.equal(codes, wanted)


def test_without_guidance_the_label_says_nothing():
    model = made()
    rows = [model.draw(torch.full((BATCH,), i), 1.0, 0.0, luck()) for i in range(4)]
    assert all(torch.equal(row, rows[0]) for row in rows)
    asked = [model.draw(torch.full((BATCH,), i), 1.0, 1.0, luck()) for i in range(4)]
    assert not torch.equal(asked[0], asked[1])


@pytest.mark.parametrize(("temperature", "guidance"), [(0.7, 1.0), (1.3, 2.0)])
def test_codes_come_as_often_as_their_probabilities_say(temperature, guidance):
    model, rows = made(n_layers=1), 5_003
    codes = model.draw(torch.full((rows,), 1), temperature, guidance, luck())
    one, no_codes = torch.tensor([1]), torch.zeros(1, PLACES, dtype=torch.long)
    asked = logits_of(model, one, no_codes)[0, 0]
    free = logits_of(model, torch.tensor([LABELS]), no_codes)[0, 0]
    wanted = ((free + guidance * (asked - free)) / temperature).softmax(dim=-1)
    found = codes[:, 0].bincount(minlength=CODES) / rows
    torch.testing.assert_close(found.double(), wanted, atol=0.025, rtol=0)


def test_only_codes_are_drawn():
    """Even where the tokens of labels score highest."""
    model = made()
    model.head.weight.data[CODES:] *= 50
    codes = model.draw(LABELLED.repeat(19), 2.0, 1.0, luck())
    assert 0 <= codes.min() <= codes.max() < CODES


def test_drawing_leaves_the_mode_and_repeats_itself():
    model = made(dropout=0.5).train()
    first, again, other = (model.draw(LABELLED, generator=luck(s)) for s in (0, 0, 1))
    assert model.training
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


@pytest.mark.parametrize("label", [-1, LABELS + 1])
def test_labels_it_does_not_know_are_refused(label):
    labels = torch.full((BATCH,), label)
    for ask in (made().draw, lambda x: made().loss(CodeBatch(some_codes(), x))):
        with pytest.raises(ValueError, match="the model knows 0 to 2, and 3 for any"):
            ask(labels)


@pytest.mark.parametrize("temperature", [0.0, -1.0, float("nan")])
def test_a_temperature_that_is_none_is_refused(temperature):
    with pytest.raises(ValueError, match="it must be above 0"):
        made().draw(LABELLED, temperature)


@pytest.mark.parametrize(
    ("vocab", "labels", "message"),
    [
        (LABELS + 1, LABELS, "ImageGPTConfig: a vocabulary of 4 has no room for codes"),
        (VOCAB, 0, "ImageGPTConfig: n_labels is 0; it must be at least 1."),
    ],
)
def test_what_cannot_be_is_named(vocab, labels, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        ImageGPTConfig(vocab, 1, n_labels=labels, **SIZES)
