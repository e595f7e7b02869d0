"""Stacks equal PyTorch's, and layers in a row with caches equal all at once."""

import pytest
import torch
from pytorch_modules import TOLERANCE, same_layer, stirred
from torch import nn

from tt_utils.blocks.cache import DecoderCache, KeyValueCache
from tt_utils.blocks.config import LayerConfig
from tt_utils.blocks.masks import causal_mask
from tt_utils.blocks.positions import POSITION_KINDS
from tt_utils.blocks.stacks import Decoder, Encoder

BATCH, T, T_SRC, D_MODEL, D_FF, N_HEADS, N_LAYERS = 3, 7, 5, 22, 31, 11, 2
both_norms = pytest.mark.parametrize(
    "norm_first", [False, True], ids=["post-norm", "pre-norm"]
)
both_ends = pytest.mark.parametrize("final_norm", [False, True])


@pytest.fixture(autouse=True)
def _seeded():
    torch.manual_seed(0)


def stack(kind, n_layers=N_LAYERS, **changes):
    sizes = {"d_model": D_MODEL, "d_ff": D_FF, "n_heads": N_HEADS, "max_len": 13}
    return stirred(kind(LayerConfig(**sizes | {"dropout": 0.0} | changes), n_layers))


def some_x(t=T):
    return torch.randn(BATCH, t, D_MODEL).double()


def some_mask():
    return torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0], [1, 0, 1, 0, 0]]).bool()


@both_norms
@both_ends
def test_an_encoder_equals_pytorchs(norm_first, final_norm):
    ours, x = stack(Encoder, norm_first=norm_first, final_norm=final_norm), some_x(5)
    theirs = nn.TransformerEncoder(
        same_layer(ours.layers[0]),
        1,
        norm=ours.norm if final_norm else None,
        enable_nested_tensor=False,
    )
    theirs.layers = nn.ModuleList(map(same_layer, ours.layers))
    wanted = theirs(x, src_key_padding_mask=~some_mask())
    found = ours(x, some_mask()[:, None, None])
    torch.testing.assert_close(found, wanted, **TOLERANCE)


@both_norms
@both_ends
def test_a_decoder_equals_pytorchs(norm_first, final_norm):
    ours = stack(Decoder, norm_first=norm_first, final_norm=final_norm)
    x, memory = some_x(), some_x(T_SRC)
    norm = ours.norm if final_norm else None
    theirs = nn.TransformerDecoder(same_layer(ours.layers[0]), 1, norm=norm)
    theirs.layers = nn.ModuleList(map(same_layer, ours.layers))
    for causal in (True, False):
        wanted = theirs(
            x,
            memory,
            tgt_mask=~causal_mask(T) if causal else None,
            memory_key_padding_mask=~some_mask(),
        )
        found = ours(x, memory, some_mask()[:, None, None], causal=causal)
        torch.testing.assert_close(found, wanted, **TOLERANCE)


@pytest.mark.parametrize("kind", POSITION_KINDS)
@pytest.mark.parametrize("sizes", [[1] * T, [3, 1, 2, 1]], ids=str)
@torch.no_grad()
def test_a_decoder_only_stack_with_caches_equals_all_at_once(kind, sizes):
    encoder, x = stack(Encoder, positions=kind, norm_first=True), some_x()
    whole = encoder(x, causal_mask(T))
    torch.testing.assert_close(encoder(x, causal=True), whole, **TOLERANCE)
    caches, end = [KeyValueCache(T) for _ in encoder.layers], 0
    for size in sizes:
        start, end = end, end + size
        out = encoder(x[:, start:end], causal=True, caches=caches)
        torch.testing.assert_close(out, whole[:, start:end], **TOLERANCE)


@pytest.mark.parametrize("kind", POSITION_KINDS)
@pytest.mark.parametrize("sizes", [[1] * T, [3, 1, 2, 1]], ids=str)
@torch.no_grad()
def test_a_decoder_with_a_cache_equals_all_at_once(kind, sizes):
    decoder, x, memory = stack(Decoder, positions=kind), some_x(), some_x(T_SRC)
    mask = some_mask()[:, None, None]
    whole = decoder(x, memory, mask)
    cache, end = DecoderCache(N_LAYERS, T_SRC, T), 0
    for size in sizes:
        start, end = end, end + size
        out = decoder(x[:, start:end], memory, mask, caches=cache.layers)
        torch.testing.assert_close(out, whole[:, start:end], **TOLERANCE)
        assert cache.length == end


@pytest.mark.parametrize("n_layers", [1, 3])
def test_every_layer_needs_a_cache_of_its_own(n_layers):
    """With fewer caches than layers the last layers would be left out."""
    message = (
        f"The cache is for {n_layers} layers, the stack has 2; give every layer one "
        "cache."
    )
    x, memory = some_x(), some_x(T_SRC)
    for call in (
        lambda: stack(Encoder)(x, caches=[KeyValueCache(T)] * n_layers),
        lambda: stack(Decoder)(
            x, memory, caches=DecoderCache(n_layers, T_SRC, T).layers
        ),
    ):
        with pytest.raises(ValueError) as error:  # noqa: PT011 - compared whole below
            call()
        assert str(error.value) == message


@pytest.mark.parametrize("kind", [Encoder, Decoder])
def test_all_layers_of_a_stack_ask_the_same_positions(kind):
    made = stack(kind, positions="rotary", rotary_base=1009.0)
    found = {id(layer.self_attention.positions) for layer in made.layers}
    assert len(found) == 1
    table = made.layers[0].self_attention.positions.table
    assert table.shape == (13, D_MODEL // N_HEADS)


def test_the_rotary_base_reaches_attention():
    slow, fast = (
        stack(Encoder, d_model=44, positions="rotary", rotary_base=base)
        for base in (10_000.0, 100.0)
    )
    turn = [
        made.layers[0].self_attention.positions.table[1, -2] for made in (slow, fast)
    ]
    assert turn[0].item() == pytest.approx(0.01, rel=1e-4)
    assert turn[1].item() == pytest.approx(0.1, rel=2e-3)
