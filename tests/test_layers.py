"""What stands around attention, each against its formula."""

import math

import numpy as np
import pytest
import torch

from tt_utils import reference
from tt_utils.blocks.cache import KeyValueCache
from tt_utils.blocks.dropout import Dropout, random_bytes
from tt_utils.blocks.embedding import TokenEmbedding
from tt_utils.blocks.layers import EncoderLayer, FeedForward, Residual
from tt_utils.blocks.masks import causal_mask
from tt_utils.blocks.positions import relative_positions, sinusoidal_positions

BATCH, T, D_MODEL, D_FF, VOCAB = 3, 7, 22, 31, 101


@pytest.fixture(autouse=True)
def _seeded():
    torch.manual_seed(0)


def some_x():
    return torch.randn(BATCH, T, D_MODEL, dtype=torch.float64)


# Dropout

MANY = 400_009  # enough for shares to be exact to a few thousandths
shares = pytest.mark.parametrize("p", [0.1, 0.3, 0.5, 0.9])


def scale_of(p):
    return 256 / (256 - round(256 * p))


@shares
def test_dropout_drops_the_share_p_and_keeps_the_mean(p):
    out = Dropout(p)(torch.ones(MANY))
    assert (out == 0).double().mean().item() == pytest.approx(p, abs=0.005)
    assert out.double().mean().item() == pytest.approx(1, abs=0.02)


def test_every_feature_is_dropped_as_often_and_apart_from_its_neighbours():
    """Eight features share a random number: neither place nor neighbour may show."""
    p, gone = 0.3, Dropout(0.3)(torch.ones(MANY)) == 0
    places = gone[: MANY // 8 * 8].view(-1, 8).double()
    torch.testing.assert_close(
        places.mean(0), torch.full((8,), p).double(), atol=0.01, rtol=0
    )
    for step in range(1, 17):
        both = (gone[step:] & gone[:-step]).double().mean()
        assert both.item() == pytest.approx(p**2, abs=0.005)


def test_random_bytes_take_all_256_values_as_often():
    counts = random_bytes(torch.empty(256 * 1_000)).flatten().bincount(minlength=256)
    assert counts.shape == (256,)
    assert 800 < counts.min() <= counts.max() < 1_200


@shares
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_what_survives_is_scaled_to_the_digit_and_so_is_its_gradient(p, dtype):
    x = torch.randn(1009, dtype=dtype, requires_grad=True)
    out = Dropout(p)(x)
    (gradient,) = torch.autograd.grad(out.sum(), x)
    assert out.dtype == gradient.dtype == dtype
    lives = out != 0
    assert 0 < lives.sum() < x.numel()
    scale = torch.tensor(scale_of(p), dtype=dtype)
    assert torch.equal(out[lives], x[lives] * scale)
    assert torch.equal(gradient, lives * scale)


@pytest.mark.parametrize("p", [0.0, 0.1, 1.0])
def test_dropout_rests_in_evaluation(p):
    x = some_x()
    assert torch.equal(Dropout(p).eval()(x), x)


def test_dropping_nothing_and_dropping_all_are_exact():
    x = some_x().requires_grad_()
    assert torch.equal(Dropout(0.0)(x), x)
    out = Dropout(1.0)(x)
    assert not out.any()
    (gradient,) = torch.autograd.grad(out.sum(), x)
    assert not gradient.any()


@pytest.mark.parametrize("p", [0.001, 0.999])
def test_a_share_too_small_for_a_byte_is_left_to_pytorch(p):
    out = Dropout(p)(torch.ones(MANY))
    assert (out == 0).double().mean().item() == pytest.approx(p, abs=0.0005)
    assert out.max().item() == pytest.approx(1 / (1 - p))


def test_the_same_seed_drops_the_same():
    dropout, x = Dropout(0.5), torch.ones(1009)
    outs = []
    for seed in (3, 3, 4):
        torch.manual_seed(seed)
        outs.append(dropout(x))
    assert torch.equal(outs[0], outs[1])
    assert not torch.equal(outs[0], outs[2])
    assert not torch.equal(dropout(x), dropout(x))


@pytest.mark.parametrize(
    "shape", [(), (1,), (7,), (8,), (9,), (3, 5, 11), (0, 3)], ids=str
)
def test_dropout_takes_any_shape(shape):
    out = Dropout(0.5)(torch.ones(shape))
    assert out.shape == shape
    assert ((out == 0) | (out == 2)).all()


def test_dropout_takes_what_does_not_lie_in_one_piece():
    x = torch.randn(11, 7, 5)[::2].transpose(0, 2)
    out = Dropout(0.5)(x)
    lives = out != 0
    assert torch.equal(out[lives], 2 * x[lives])


def test_other_devices_use_pytorchs_own_and_a_cpu_does_not(monkeypatch):
    used = []
    monkeypatch.setattr(torch.nn.Dropout, "forward", lambda _, x: used.append(x) or x)
    for device in ("meta", "cpu"):
        Dropout(0.1)(torch.ones(3, device=device))
    assert [x.device.type for x in used] == ["meta"]


# Embedding


def test_embedding_is_the_scaled_row_plus_the_position():
    embedding = TokenEmbedding(VOCAB, D_MODEL, max_len=11, dropout=0.0)
    tokens = torch.randint(VOCAB, (BATCH, T))
    rows = embedding.table.weight[tokens]
    wanted = rows * math.sqrt(D_MODEL) + sinusoidal_positions(T, D_MODEL)
    torch.testing.assert_close(embedding(tokens), wanted)


def test_embedding_counts_positions_from_where_it_is_told():
    for kind in ("sinusoidal", "learned"):
        embedding = TokenEmbedding(VOCAB, D_MODEL, 11, 0.0, positions=kind)
        tokens = torch.randint(VOCAB, (BATCH, T))
        whole = embedding(tokens)
        for start in range(T):
            assert torch.equal(embedding(tokens[:, start:], start), whole[:, start:])


@pytest.mark.parametrize("kind", ["rotary", "alibi"])
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


# A layer of a decoder-only model

N_HEADS = 11


@pytest.mark.parametrize("norm_first", [False, True], ids=["post-norm", "pre-norm"])
@pytest.mark.parametrize("kind", ["sinusoidal", "rotary", "alibi"])
@pytest.mark.parametrize("sizes", [[1] * T, [3, 1, 2, 1]], ids=str)
def test_a_causal_encoder_layer_with_a_cache_equals_all_at_once(
    kind, norm_first, sizes
):
    positions = relative_positions(kind, D_MODEL, N_HEADS, max_len=T)
    layer = EncoderLayer(D_MODEL, N_HEADS, D_FF, 0.0, norm_first, positions).double()
    x, mask = some_x(), causal_mask(T)
    kept, kept_piece = [], []
    with torch.no_grad():
        whole = layer(x, mask, kept)
        cache, end = KeyValueCache(T), 0
        for size in sizes:
            start, end = end, end + size
            rows = mask[start:end, :end]
            out = layer(x[:, start:end], rows, kept_piece, cache)
            torch.testing.assert_close(out, whole[:, start:end], atol=1e-10, rtol=0)
            torch.testing.assert_close(
                kept_piece.pop(), kept[0][:, :, start:end, :end], atol=1e-10, rtol=0
            )
    assert cache.length == T
    assert kept_piece == []


def test_a_causal_encoder_layer_does_not_look_ahead():
    layer = EncoderLayer(D_MODEL, N_HEADS, D_FF, dropout=0.0).double()
    x, mask = some_x(), causal_mask(T)
    before = layer(x, mask)
    for changed in range(T):
        y = x.clone()
        y[:, changed] += 1
        after = layer(y, mask)
        assert torch.equal(before[:, :changed], after[:, :changed])
        assert (before[:, changed:] != after[:, changed:]).any(-1).all()
