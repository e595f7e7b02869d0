"""The decoder-only model against GPT-2's and Llama's blocks, written out in PyTorch."""

import math

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from tt_utils.blocks.cache import KeyValueCache
from tt_utils.models.gpt import GPT, GPTConfig

VOCAB, ROWS, T, WIDTH, D_FF, HEADS, KV_HEADS, LAYERS, MAX_LEN = (
    *(19, 3, 7, 24, 37, 6),
    *(2, 2, 13),
)
NORM_EPS = 0.07  # large enough to be seen
SIZES = {"d_model": WIDTH, "d_ff": D_FF, "n_heads": HEADS, "max_len": MAX_LEN}
LLAMA = {
    **{"norm": "rms", "activation": "swiglu", "positions": "rotary", "bias": False},
    **{"n_kv_heads": KV_HEADS, "tie_embeddings": False, "rotary_base": 501.0},
    "norm_eps": NORM_EPS,
}
KINDS = {
    "GPT-2": {},
    "Llama": LLAMA,
    "sinusoids": {"positions": "sinusoidal", "scale_embeddings": True},
    "ALiBi": {"positions": "alibi"},
}
every_kind = pytest.mark.parametrize("changes", KINDS.values(), ids=KINDS)


def made(**changes):
    """A model whose norms and biases do something, too."""
    torch.manual_seed(0)
    model = GPT(GPTConfig(VOCAB, LAYERS, dropout=0.0, **SIZES | changes)).double()
    for name, parameter in model.named_parameters():
        if "norm" in name or "bias" in name:
            nn.init.normal_(parameter, std=0.3)
    return model.eval()


def some_tokens():
    return torch.randint(
        3, VOCAB, (ROWS, T), generator=torch.Generator().manual_seed(1)
    )


# The blocks as their papers and their authors' code have them


def heads_of(x, linear, n_heads):
    return linear(x).view(*x.shape[:2], n_heads, WIDTH // HEADS).transpose(1, 2)


def attended(q, k, v):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    later = torch.ones(T, T, dtype=torch.bool).triu(1)
    return (scores.masked_fill(later, -math.inf).softmax(-1) @ v).transpose(1, 2)


def gpt2(model, tokens):
    x = model.embedding.table.weight[tokens] + model.embedding.positions.table[:T]
    for layer in model.stack.layers:
        attention, network = layer.self_attention, layer.feed_forward
        y = F.layer_norm(x, (WIDTH,), *layer.residuals[0].norm.parameters())
        projections = attention.w_q, attention.w_k, attention.w_v
        q, k, v = (heads_of(y, w, HEADS) for w in projections)
        x = x + attention.w_o(attended(q, k, v).reshape(ROWS, T, WIDTH))
        y = F.layer_norm(x, (WIDTH,), *layer.residuals[1].norm.parameters())
        wide = network.widen(y)
        # OpenAI's gelu, by the tanh.
        inner = math.sqrt(2 / math.pi) * (wide + 0.044715 * wide**3)
        x = x + network.narrow(0.5 * wide * (1 + inner.tanh()))
    x = F.layer_norm(x, (WIDTH,), *model.stack.norm.parameters())
    return x @ model.embedding.table.weight.T


def rms(x, norm):
    return x / (x.square().mean(-1, keepdim=True) + NORM_EPS).sqrt() * norm.weight


def turned(x, base):
    """As complex numbers, in pairs of neighbours."""
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
    speeds = base ** (-torch.arange(0, x.shape[-1], 2).double() / x.shape[-1])
    angles = torch.arange(T)[:, None] * speeds
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles))


def llama(model, tokens):
    x, base = model.embedding.table.weight[tokens], model.config.rotary_base
    for layer in model.stack.layers:
        attention, network = layer.self_attention, layer.feed_forward
        y = rms(x, layer.residuals[0].norm)
        q = turned(heads_of(y, attention.w_q, HEADS), base).flatten(-2)
        k = turned(heads_of(y, attention.w_k, KV_HEADS), base).flatten(-2)
        v = heads_of(y, attention.w_v, KV_HEADS)
        groups = [head // (HEADS // KV_HEADS) for head in range(HEADS)]
        blended = attended(q, k[:, groups], v[:, groups])
        x = x + attention.w_o(blended.reshape(ROWS, T, WIDTH))
        y = rms(x, layer.residuals[1].norm)
        gate = network.gate(y)
        x = x + network.narrow(gate * gate.sigmoid() * network.widen(y))
    return rms(x, model.stack.norm) @ model.head.weight.T


@torch.no_grad()
@pytest.mark.parametrize(("written", "kind"), [(gpt2, "GPT-2"), (llama, "Llama")])
def test_its_logits_are_those_of_the_block_written_out(written, kind):
    model, tokens = made(**KINDS[kind]), some_tokens()
    # Our sines are rounded to fp32.
    torch.testing.assert_close(model(tokens), written(model, tokens), atol=1e-5, rtol=0)


def test_a_model_of_llamas_kind_has_no_biases_and_a_head_of_its_own():
    model = made(**LLAMA)
    assert not [name for name, _ in model.named_parameters() if "bias" in name]
    assert model.head.weight is not model.embedding.table.weight
    d_head = WIDTH // HEADS
    attention = 2 * WIDTH * WIDTH + 2 * WIDTH * d_head * KV_HEADS
    layer = attention + 3 * WIDTH * D_FF + 2 * WIDTH
    total = LAYERS * layer + WIDTH + 2 * VOCAB * WIDTH
    assert sum(p.numel() for p in model.parameters()) == total


def test_without_biases_the_norms_have_none_either():
    model = made(bias=False)
    assert not [name for name, _ in model.named_parameters() if "bias" in name]


# Who sees what


@torch.no_grad()
@every_kind
def test_no_token_sees_what_follows_it_and_each_sees_all_before(changes):
    model, tokens = made(**changes), some_tokens()
    out = model(tokens)
    for place in range(T):
        other = tokens.clone()
        other[:, place] = (tokens[:, place] + 1) % VOCAB
        moved = (model(other) - out).abs().amax(-1).gt(1e-9)  # (batch, t)
        assert not moved[:, :place].any()
        assert moved[:, place:].all()


@torch.no_grad()
@every_kind
@pytest.mark.parametrize("side", ["left", "right"])
def test_padding_on_either_side_changes_nothing(changes, side):
    model, tokens = made(**changes), some_tokens()
    alone = [model(row[: T - 2 * i][None])[0] for i, row in enumerate(tokens)]
    counts = torch.tensor([2 * i for i in range(ROWS)])
    padded = tokens.clone()
    for i, n in enumerate(counts):
        padded[i, T - n :] = 0
        if side == "left":
            padded[i] = padded[i].roll(int(n))
    out = model(padded, counts) if side == "left" else model(padded)
    for i, n in enumerate(counts):
        row = out[i, n:] if side == "left" else out[i, : T - n]
        # Rotary angles are rounded to fp32, so distances shift by a hair.
        torch.testing.assert_close(row, alone[i], atol=1e-7, rtol=0)


@torch.no_grad()
@every_kind
def test_the_cache_says_what_the_whole_pass_says_behind_padding_too(changes):
    model, tokens, pads = made(**changes), some_tokens(), torch.tensor([0, 3, 1])
    caches = [KeyValueCache(T) for _ in model.stack.layers]
    parts = tokens.split([4, 1, 2], dim=1)
    states = [model.states(part, pads, caches) for part in parts]
    found, wanted = torch.cat(states, 1), model.states(tokens, pads)
    real = torch.arange(T) >= pads[:, None]
    torch.testing.assert_close(found[real], wanted[real], atol=1e-10, rtol=0)


@pytest.mark.parametrize("name", ["pad_id", "bos_id", "eos_id"])
def test_ids_outside_the_vocabulary_are_refused(name):
    message = f"^GPTConfig: {name} is 19, outside a vocabulary of 19; use the tok"
    with pytest.raises(ValueError, match=message):
        GPTConfig(VOCAB, LAYERS, **SIZES, **{name: VOCAB})
