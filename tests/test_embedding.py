"""An embedding is a scaled row and its position; what it can't look up is named."""

import math

import pytest
import torch

from tt_utils.blocks.embedding import TokenEmbedding
from tt_utils.blocks.positions import sinusoidal_positions

BATCH, T, D_MODEL, VOCAB = 3, 7, 22, 101


@pytest.fixture(autouse=True)
def _seeded():
    torch.manual_seed(0)


def test_embedding_is_the_scaled_row_plus_the_position():
    embedding = TokenEmbedding(VOCAB, D_MODEL, max_len=11, dropout=0.0)
    tokens = torch.randint(VOCAB, (BATCH, T))
    rows = embedding.table.weight[tokens]
    wanted = rows * math.sqrt(D_MODEL) + sinusoidal_positions(T, D_MODEL)
    torch.testing.assert_close(embedding(tokens), wanted)


@pytest.mark.parametrize("kind", ["sinusoidal", "learned"])
def test_embedding_counts_positions_from_where_it_is_told(kind):
    embedding = TokenEmbedding(VOCAB, D_MODEL, 11, 0.0, positions=kind)
    tokens = torch.randint(VOCAB, (BATCH, T))
    whole = embedding(tokens)
    for start in range(T):
        assert torch.equal(embedding(tokens[:, start:], start), whole[:, start:])


@pytest.mark.parametrize("kind", ["rotary", "alibi", "none"])
def test_embedding_leaves_relative_positions_to_attention(kind):
    embedding = TokenEmbedding(VOCAB, D_MODEL, 11, 0.0, positions=kind)
    tokens = torch.randint(VOCAB, (BATCH, T))
    rows = embedding.table.weight[tokens] * embedding.scale
    assert torch.equal(embedding(tokens), rows)
    assert torch.equal(embedding(tokens, start=3), rows)


def test_scaled_rows_start_with_variance_one():
    embedding = TokenEmbedding(1009, 64, max_len=2, dropout=0.0)
    rows = embedding.table.weight * embedding.scale
    assert rows.std().item() == pytest.approx(1, abs=0.02)


def test_dropout_falls_on_the_sum_and_only_in_training():
    embedding = TokenEmbedding(VOCAB, D_MODEL, max_len=11, dropout=0.5)
    tokens = torch.randint(VOCAB, (BATCH, T))
    dropped = embedding(tokens)
    kept = embedding.eval()(tokens)
    gone = dropped == 0
    assert 0.4 < gone.double().mean() < 0.6
    torch.testing.assert_close(dropped[~gone], 2 * kept[~gone])


@pytest.mark.parametrize("shape", [(BATCH, 0), (0, T), (0, 0)], ids=str)
def test_no_token_at_all_is_refused(shape):
    embedding = TokenEmbedding(VOCAB, D_MODEL, max_len=11, dropout=0.0)
    with pytest.raises(ValueError) as error:  # noqa: PT011 - compared whole below
        embedding(torch.ones(shape, dtype=torch.long))
    assert str(error.value) == (
        f"TokenEmbedding: tokens has shape {shape}; give at least one sentence of one "
        "token, such as </s>."
    )


@pytest.mark.parametrize("shape", [(BATCH,), (BATCH, T, 2)])
def test_ids_without_both_axes_are_refused(monkeypatch, shape):
    monkeypatch.setattr("jaxtyping.config.jaxtyping_disable", True)
    embedding = TokenEmbedding(VOCAB, D_MODEL, max_len=11, dropout=0.0)
    with pytest.raises(ValueError) as error:  # noqa: PT011 - compared whole below
        embedding(torch.ones(shape, dtype=torch.long))
    assert str(error.value) == (
        f"TokenEmbedding: tokens has shape {shape}; give (batch, t), for one sentence "
        "tokens[None]."
    )


@pytest.mark.parametrize(("unknown", "low", "high"), [(-1, -1, 5), (VOCAB, 5, VOCAB)])
def test_ids_outside_the_vocabulary_are_refused(unknown, low, high):
    embedding = TokenEmbedding(VOCAB, D_MODEL, max_len=11, dropout=0.0)
    tokens = torch.full((BATCH, T), 5)
    tokens[1, 2] = unknown
    with pytest.raises(ValueError) as error:  # noqa: PT011 - compared whole below
        embedding(tokens)
    assert str(error.value) == (
        f"TokenEmbedding: ids run from {low} to {high}, the vocabulary from 0 to 100; "
        "use the tokenizer of this model."
    )
