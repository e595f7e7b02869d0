"""What stands around attention, each against its formula."""

import math

import numpy as np
import pytest
import torch

from tt_utils import reference
from tt_utils.layers import FeedForward, Residual, TokenEmbedding
from tt_utils.positions import sinusoidal_positions

BATCH, T, D_MODEL, D_FF, VOCAB = 3, 7, 22, 31, 101


@pytest.fixture(autouse=True)
def _seeded():
    torch.manual_seed(0)


def some_x():
    return torch.randn(BATCH, T, D_MODEL, dtype=torch.float64)


# Embedding


def test_embedding_is_the_scaled_row_plus_the_position():
    embedding = TokenEmbedding(VOCAB, D_MODEL, max_len=11, dropout=0.0)
    tokens = torch.randint(VOCAB, (BATCH, T))
    rows = embedding.table.weight[tokens]
    wanted = rows * math.sqrt(D_MODEL) + sinusoidal_positions(T, D_MODEL)
    torch.testing.assert_close(embedding(tokens), wanted)


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


# Feed-forward network


def test_feed_forward_is_equation_2():
    network = FeedForward(D_MODEL, D_FF, dropout=0.0).double()
    x = some_x()
    w1, b1 = network.widen.weight.T, network.widen.bias
    w2, b2 = network.narrow.weight.T, network.narrow.bias
    wanted = (x @ w1 + b1).clamp(min=0) @ w2 + b2
    torch.testing.assert_close(network(x), wanted, atol=1e-10, rtol=0)
    count = sum(p.numel() for p in network.parameters())
    assert count == 2 * D_MODEL * D_FF + D_FF + D_MODEL


def test_feed_forward_treats_each_position_for_itself():
    network = FeedForward(D_MODEL, D_FF, dropout=0.0).double()
    x = some_x()
    for t in range(T):
        torch.testing.assert_close(network(x)[:, t], network(x[:, t : t + 1])[:, 0])


def test_feed_forward_drops_hidden_features_only_in_training():
    network = FeedForward(D_MODEL, D_FF, dropout=1.0).double()
    x = some_x()
    assert torch.equal(network(x), network.narrow.bias.expand_as(x))
    assert not torch.equal(network.eval()(x), network.narrow.bias.expand_as(x))


# Residual branch


def with_gain(norm_first: bool, dropout: float = 0.0) -> Residual:
    residual = Residual(D_MODEL, dropout, norm_first).double()
    torch.nn.init.normal_(residual.norm.weight)
    torch.nn.init.normal_(residual.norm.bias)
    return residual


def normalised(x, residual):
    """The oracle's LayerNorm over the features of each position."""
    gain, bias = residual.norm.weight, residual.norm.bias
    arrays = (tensor.detach().numpy() for tensor in (x, gain, bias))
    return reference.layer_norm(*arrays)


def test_post_norm_normalises_the_sum():
    residual, x = with_gain(norm_first=False), some_x()
    wanted = normalised(x + x.sin(), residual)
    found = residual(x, torch.sin).detach().numpy()
    np.testing.assert_allclose(found, wanted, atol=1e-10)


def test_pre_norm_normalises_the_branch_and_leaves_x_alone():
    residual, x = with_gain(norm_first=True), some_x()
    wanted = x.numpy() + np.sin(normalised(x, residual))
    found = residual(x, torch.sin).detach().numpy()
    np.testing.assert_allclose(found, wanted, atol=1e-10)
    assert torch.equal(residual(x, torch.zeros_like), x)


def test_dropout_falls_on_the_branch_never_on_x():
    x = some_x()
    before = with_gain(norm_first=True, dropout=1.0)
    assert torch.equal(before(x, torch.ones_like), x)
    after = with_gain(norm_first=False, dropout=1.0)
    found = after(x, torch.ones_like).detach().numpy()
    np.testing.assert_allclose(found, normalised(x, after), atol=1e-10)
