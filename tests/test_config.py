"""A config says in one sentence what can't be, and builds what it names."""

import math

import pytest
from torch import nn

from tt_utils.blocks.config import LayerConfig

AT_LEAST_1 = "it must be at least 1."
DROPOUT = "it must be at least 0 and below 1."


def test_the_defaults_are_the_base_model_of_the_paper():
    config = LayerConfig()
    assert (config.d_model, config.d_ff, config.n_heads) == (512, 2048, 8)
    assert config.dropout == 0.1
    assert (config.norm, config.norm_first) == ("layer", False)
    assert (config.activation, config.positions) == ("relu", "sinusoidal")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"d_model": 0}, f"LayerConfig: d_model is 0; {AT_LEAST_1}"),
        ({"d_ff": -1}, f"LayerConfig: d_ff is -1; {AT_LEAST_1}"),
        ({"n_heads": 0}, f"LayerConfig: n_heads is 0; {AT_LEAST_1}"),
        ({"n_kv_heads": 0}, f"LayerConfig: n_kv_heads is 0; {AT_LEAST_1}"),
        ({"max_len": 0}, f"LayerConfig: max_len is 0; {AT_LEAST_1}"),
        ({"rotary_base": 0.0}, f"LayerConfig: rotary_base is 0.0; {AT_LEAST_1}"),
        ({"dropout": 1.0}, f"LayerConfig: dropout is 1.0; {DROPOUT}"),
        ({"dropout": -0.1}, f"LayerConfig: dropout is -0.1; {DROPOUT}"),
        ({"dropout": math.nan}, f"LayerConfig: dropout is nan; {DROPOUT}"),
        (
            {"n_heads": 7},
            "MultiHeadAttention: d_model=512 can't be split evenly into n_heads=7.",
        ),
        (
            {"n_kv_heads": 3},
            "MultiHeadAttention: n_heads=8 can't share n_kv_heads=3 evenly.",
        ),
        (
            {"n_kv_heads": 16},
            "MultiHeadAttention: n_heads=8 can't share n_kv_heads=16 evenly.",
        ),
        ({"norm_eps": -0.1}, "LayerConfig: norm_eps is -0.1; it must be at least 0."),
        ({"norm": "batch"}, "LayerConfig: norm is 'batch'; choose one of layer, rms."),
        (
            {"activation": "tanh"},
            "LayerConfig: activation is 'tanh'; "
            "choose one of relu, gelu, gelu_tanh, swiglu.",
        ),
        (
            {"positions": "rope"},
            "LayerConfig: positions is 'rope'; "
            "choose one of sinusoidal, learned, rotary, alibi, none.",
        ),
    ],
    ids=str,
)
def test_what_cannot_be_is_named(monkeypatch, changes, message):
    monkeypatch.setattr("jaxtyping.config.jaxtyping_disable", True)
    with pytest.raises(ValueError) as error:  # noqa: PT011 - compared whole below
        LayerConfig(**changes)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("norm", "kind"), [("layer", nn.LayerNorm), ("rms", nn.RMSNorm)]
)
def test_a_norm_goes_over_the_features(norm, kind):
    made = LayerConfig(d_model=24, norm=norm).make_norm()
    assert type(made) is kind
    assert made.normalized_shape == (24,)


@pytest.mark.parametrize(("norm", "own"), [("layer", 1e-5), ("rms", None)])
def test_a_norm_has_pytorchs_epsilon_or_that_of_the_settings(norm, own):
    assert LayerConfig(norm=norm).make_norm().eps == own
    assert LayerConfig(norm=norm, norm_eps=0.0).make_norm().eps == 0
    assert LayerConfig(norm=norm, norm_eps=0.3).make_norm().eps == 0.3


@pytest.mark.parametrize("norm", ["layer", "rms"])
@pytest.mark.parametrize("norm_first", [False, True], ids=["post-norm", "pre-norm"])
@pytest.mark.parametrize("final_norm", [None, False, True])
def test_pre_norm_stacks_end_with_a_norm_unless_told_otherwise(
    norm, norm_first, final_norm
):
    config = LayerConfig(norm=norm, norm_first=norm_first, final_norm=final_norm)
    ends = norm_first if final_norm is None else final_norm
    kind = type(config.make_norm()) if ends else nn.Identity
    assert type(config.make_final_norm()) is kind
