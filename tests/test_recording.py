"""What is recorded is what the heads looked at, and nothing stays behind."""

import pytest
import torch
from pytorch_modules import TOLERANCE
from torch import nn

from tt_utils.blocks.attention import MultiHeadAttention
from tt_utils.blocks.config import LayerConfig
from tt_utils.blocks.recording import record_attention
from tt_utils.blocks.stacks import Decoder, Encoder

BATCH, T, T_SRC, D_MODEL, N_HEADS = 3, 7, 5, 22, 11
CONFIG = LayerConfig(d_model=D_MODEL, d_ff=31, n_heads=N_HEADS, dropout=0.0)


class Nested(nn.Module):
    """Two stacks inside another module, declared in the other order."""

    def __init__(self) -> None:
        super().__init__()
        self.parts = nn.ModuleDict(
            {"second": Decoder(CONFIG, 2), "first": Encoder(CONFIG, 3)}
        )

    def forward(self, x, memory):
        return self.parts["second"](x, self.parts["first"](memory))


@pytest.fixture
def model():
    torch.manual_seed(0)
    return Nested().double()


def some_x(t=T):
    return torch.randn(BATCH, t, D_MODEL).double()


def hooks_of(model):
    return [
        hook
        for module in model.modules()
        for hook in (*module._forward_hooks, *module._forward_pre_hooks)
    ]


def test_weights_come_by_name_in_the_order_of_the_layers(model):
    with record_attention(model) as weights:
        model(some_x(), some_x(T_SRC))
    assert list(weights) == [
        *(f"parts.first.layers.{i}.self_attention" for i in range(3)),
        "parts.second.layers.0.self_attention",
        "parts.second.layers.0.cross_attention",
        "parts.second.layers.1.self_attention",
        "parts.second.layers.1.cross_attention",
    ]
    shapes = [tuple(seen.shape[2:]) for seen in weights.values()]
    assert shapes == [(T_SRC, T_SRC)] * 3 + [(T, T), (T, T_SRC)] * 2
    for seen in weights.values():
        assert seen.shape[:2] == (BATCH, N_HEADS)
        torch.testing.assert_close(seen.sum(-1), torch.ones_like(seen[..., 0]))


def test_they_are_the_weights_that_the_layer_used(model):
    encoder, x = model.parts["first"], some_x()
    with record_attention(encoder) as weights:
        encoder(x)
    _, wanted = encoder.layers[0].self_attention(x, x, x, need_weights=True)
    torch.testing.assert_close(weights["layers.0.self_attention"], wanted, **TOLERANCE)


def test_watching_changes_no_answer(model):
    inputs = some_x(), some_x(T_SRC)
    with record_attention(model):
        watched = model(*inputs)
    torch.testing.assert_close(watched, model(*inputs), **TOLERANCE)


def test_a_second_call_replaces_the_first(model):
    with record_attention(model) as weights:
        model(some_x(), some_x(T_SRC))
        before = dict(weights)
        model(some_x(3), some_x(T_SRC))
    assert list(weights) == list(before)
    own = weights["parts.second.layers.1.self_attention"]
    assert own.shape == (BATCH, N_HEADS, 3, 3)


def test_an_attention_alone_has_no_name():
    attention, x = MultiHeadAttention(D_MODEL, N_HEADS).double(), some_x()
    with record_attention(attention) as weights:
        attention(x, x, x)
    assert list(weights) == [""]


def test_two_may_watch_at_once_and_each_stops_for_itself(model):
    inputs = some_x(), some_x(T_SRC)
    with record_attention(model) as outer:
        with record_attention(model.parts["first"]) as inner:
            model(*inputs)
        assert inner["layers.0.self_attention"] is next(iter(outer.values()))
        inner.clear()
        model(*inputs)
        assert not inner
    assert not hooks_of(model)


def test_no_hook_stays_behind(model):
    with record_attention(model) as weights:
        assert len(hooks_of(model)) == 2 * 7
    assert not hooks_of(model)
    model(some_x(), some_x(T_SRC))
    assert not weights
    x = some_x()
    assert model.parts["first"].layers[0].self_attention(x, x, x)[1] is None


def test_no_hook_stays_behind_after_an_exception(model):
    with pytest.raises(RuntimeError, match="interrupted"), record_attention(model):
        raise RuntimeError("interrupted")
    assert not hooks_of(model)
