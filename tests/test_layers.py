"""What stands around attention, each against its formula and against PyTorch."""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from pytorch_modules import (
    TOLERANCE,
    assert_same_gradients,
    count,
    layer_weights,
    same_layer,
    stirred,
)
from torch import nn

from tt_utils import reference
from tt_utils.blocks.attention import MultiHeadAttention
from tt_utils.blocks.cache import KeyValueCache, LayerCache
from tt_utils.blocks.config import LayerConfig
from tt_utils.blocks.layers import DecoderLayer, EncoderLayer, FeedForward, Residual
from tt_utils.blocks.masks import causal_mask, padding_mask
from tt_utils.blocks.positions import relative_positions

BATCH, T, T_SRC, D_MODEL, D_FF, N_HEADS = 3, 7, 5, 22, 31, 11
both_norms = pytest.mark.parametrize(
    "norm_first", [False, True], ids=["post-norm", "pre-norm"]
)
activations = pytest.mark.parametrize("activation", ["relu", "gelu"])


@pytest.fixture(autouse=True)
def _seeded():
    torch.manual_seed(0)


def some_x(t=T):
    return torch.randn(BATCH, t, D_MODEL, dtype=torch.float64)


def some_config(**changes) -> LayerConfig:
    sizes = {"d_model": D_MODEL, "d_ff": D_FF, "n_heads": N_HEADS, "max_len": 13}
    return LayerConfig(**sizes | {"dropout": 0.0} | changes)


def drop_all(module: nn.Module) -> nn.Module:
    """A config refuses to; a test sees best with nothing left."""
    for part in module.modules():
        if isinstance(part, nn.Dropout):
            part.p = 1.0
    return module


# Feed-forward network


def test_feed_forward_is_equation_2():
    network = FeedForward(some_config()).double()
    x = some_x()
    w1, b1 = network.widen.weight.T, network.widen.bias
    w2, b2 = network.narrow.weight.T, network.narrow.bias
    wanted = (x @ w1 + b1).clamp(min=0) @ w2 + b2
    torch.testing.assert_close(network(x), wanted, atol=1e-10, rtol=0)
    assert count(network) == 2 * D_MODEL * D_FF + D_FF + D_MODEL


def test_feed_forward_treats_each_position_for_itself():
    network = FeedForward(some_config()).double()
    x = some_x()
    for t in range(T):
        torch.testing.assert_close(network(x)[:, t], network(x[:, t : t + 1])[:, 0])


def test_feed_forward_drops_hidden_features_only_in_training():
    network = drop_all(FeedForward(some_config(dropout=0.5))).double()
    x = some_x()
    assert torch.equal(network(x), network.narrow.bias.expand_as(x))
    assert not torch.equal(network.eval()(x), network.narrow.bias.expand_as(x))


@activations
def test_the_activation_is_pytorchs(activation):
    network, x = FeedForward(some_config(activation=activation)).double(), some_x()
    theirs = {"relu": nn.ReLU(), "gelu": nn.GELU()}[activation]
    wanted = nn.Sequential(network.widen, theirs, network.narrow)(x)
    torch.testing.assert_close(network(x), wanted, **TOLERANCE)


def test_weights_and_biases_start_as_in_linear():
    network = FeedForward(some_config(d_model=1001, d_ff=307))
    for linear, t_in in ((network.widen, 1001), (network.narrow, 307)):
        limit = 1 / math.sqrt(t_in)
        assert 0.99 * limit < linear.weight.max() <= limit
        assert -limit <= linear.weight.min() < -0.99 * limit
        assert linear.weight.std().item() == pytest.approx(limit / 3**0.5, rel=0.02)
        assert 0.8 / t_in**0.5 < linear.bias.abs().max() <= 1 / t_in**0.5


# Residual branch


def with_gain(norm_first: bool) -> Residual:
    residual = Residual(some_config(norm_first=norm_first)).double()
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
    before = drop_all(with_gain(norm_first=True))
    assert torch.equal(before(x, torch.ones_like), x)
    after = drop_all(with_gain(norm_first=False))
    found = after(x, torch.ones_like).detach().numpy()
    np.testing.assert_allclose(found, normalised(x, after), atol=1e-10)


@both_norms
def test_rms_norm_is_pytorchs(norm_first):
    residual = Residual(some_config(norm="rms", norm_first=norm_first)).double()
    x, gain = some_x(), nn.init.normal_(residual.norm.weight)

    def normalised(x):
        return F.rms_norm(x, (D_MODEL,), gain, residual.norm.eps)

    root_mean_square = x.square().mean(-1, keepdim=True).sqrt()
    torch.testing.assert_close(normalised(x), gain * x / root_mean_square)
    wanted = x + normalised(x).sin() if norm_first else normalised(x + x.sin())
    torch.testing.assert_close(residual(x, torch.sin), wanted, **TOLERANCE)
    assert not hasattr(residual.norm, "bias")


def test_every_sub_layer_drops_the_share_of_the_config():
    layer = DecoderLayer(some_config(dropout=0.3))
    dropouts = [part for part in layer.modules() if isinstance(part, nn.Dropout)]
    assert [part.p for part in dropouts] == [0.3] * 4


# The two layers against PyTorch's


def some_tokens():
    """Sources of several lengths, padded with 0."""
    src = torch.randint(1, 17, (BATCH, T_SRC))
    src[1, 4:] = 0
    src[2, 2:] = 0
    return src


@both_norms
@activations
def test_encoder_layer_equals_pytorch(norm_first, activation):
    config = some_config(norm_first=norm_first, activation=activation)
    ours = stirred(EncoderLayer(config))
    theirs = same_layer(ours)
    x = some_x(T_SRC).requires_grad_()
    tokens = some_tokens()
    out = ours(x, padding_mask(tokens, 0))
    wanted = theirs(x, src_key_padding_mask=tokens == 0)
    torch.testing.assert_close(out, wanted, **TOLERANCE)
    assert_same_gradients(
        (out, [x, *layer_weights(ours)]), (wanted, [x, *layer_weights(theirs)])
    )


@both_norms
@activations
def test_decoder_layer_equals_pytorch(norm_first, activation):
    config = some_config(norm_first=norm_first, activation=activation)
    ours = stirred(DecoderLayer(config))
    theirs = same_layer(ours)
    x = some_x().requires_grad_()
    memory = some_x(T_SRC).requires_grad_()
    src = some_tokens()
    out = ours(x, memory, padding_mask(src, 0))
    wanted = theirs(
        x,
        memory,
        tgt_mask=~causal_mask(T),
        memory_key_padding_mask=src == 0,
    )
    torch.testing.assert_close(out, wanted, **TOLERANCE)
    assert_same_gradients(
        (out, [x, memory, *layer_weights(ours)]),
        (wanted, [x, memory, *layer_weights(theirs)]),
    )


def test_without_the_causal_flag_a_decoder_layer_looks_both_ways():
    layer = stirred(DecoderLayer(some_config()))
    theirs = same_layer(layer)
    x, memory = some_x(), some_x(T_SRC)
    found = layer(x, memory, causal=False)
    torch.testing.assert_close(found, theirs(x, memory), **TOLERANCE)


# Layers with a cache


KINDS = ["none", "rotary", "alibi"]
kinds = pytest.mark.parametrize("kind", KINDS)
pieces = pytest.mark.parametrize("sizes", [[1] * T, [3, 1, 2, 1], [5, 2]], ids=str)
groups = pytest.mark.parametrize("n_kv_heads", [None, 1])


def positions_of(kind):
    return relative_positions(kind, D_MODEL, N_HEADS, max_len=T)


@both_norms
@kinds
@pieces
@groups
@torch.no_grad()
def test_a_causal_encoder_layer_with_a_cache_equals_all_at_once(
    kind, norm_first, sizes, n_kv_heads
):
    config = some_config(norm_first=norm_first, n_kv_heads=n_kv_heads)
    layer, x = stirred(EncoderLayer(config, positions_of(kind))), some_x()
    whole = layer(x, causal_mask(T))
    torch.testing.assert_close(layer(x, causal=True), whole, **TOLERANCE)
    cache, end = KeyValueCache(T), 0
    for size in sizes:
        start, end = end, end + size
        out = layer(x[:, start:end], causal=True, cache=cache)
        torch.testing.assert_close(out, whole[:, start:end], **TOLERANCE)
        assert cache.length == end


@both_norms
@kinds
@pieces
@groups
@torch.no_grad()
def test_a_decoder_layer_with_a_cache_equals_all_at_once(
    kind, norm_first, sizes, n_kv_heads
):
    config = some_config(norm_first=norm_first, n_kv_heads=n_kv_heads)
    layer = stirred(DecoderLayer(config, positions_of(kind)))
    x, memory, src_mask = some_x(), some_x(T_SRC), padding_mask(some_tokens(), 0)
    whole = layer(x, memory, src_mask)
    cache, end = LayerCache(T_SRC, T), 0
    for size in sizes:
        start, end = end, end + size
        out = layer(x[:, start:end], memory, src_mask, cache=cache)
        torch.testing.assert_close(out, whole[:, start:end], **TOLERANCE)
        assert cache.own.length == end
        assert cache.cross.length == T_SRC


@torch.no_grad()
def test_the_memory_is_projected_only_once():
    layer, memory = DecoderLayer(some_config()).double(), some_x(T_SRC)
    cache, seen = LayerCache(T_SRC, T), []
    layer.cross_attention.w_k.register_forward_hook(lambda *_: seen.append(1))
    for x in some_x().split(1, dim=1):
        layer(x, memory, cache=cache)
    assert len(seen) == 1


@both_norms
def test_a_causal_encoder_layer_does_not_look_ahead(norm_first):
    layer, x = EncoderLayer(some_config(norm_first=norm_first)).double(), some_x()
    before = layer(x, causal=True)
    for changed in range(T):
        y = x.clone()
        y[:, changed] += 1
        after = layer(y, causal=True)
        assert torch.equal(before[:, :changed], after[:, :changed])
        assert (before[:, changed:] != after[:, changed:]).any(-1).all()


@pytest.mark.parametrize("kind", [EncoderLayer, DecoderLayer])
def test_only_self_attention_is_told_of_positions(kind):
    positions = positions_of("rotary")
    layer = kind(some_config(), positions)
    assert layer.self_attention.positions is positions
    if kind is DecoderLayer:
        assert layer.cross_attention.positions is not positions
        assert not list(layer.cross_attention.buffers())


@pytest.mark.parametrize("kind", [EncoderLayer, DecoderLayer])
def test_every_attention_of_a_layer_shares_its_keys_as_the_config_says(kind):
    layer = kind(some_config(n_kv_heads=1))
    attentions = [m for m in layer.modules() if isinstance(m, MultiHeadAttention)]
    assert len(attentions) == (1 if kind is EncoderLayer else 2)
    assert {attention.n_kv_heads for attention in attentions} == {1}
