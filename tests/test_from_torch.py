"""A model with the weights of `torch.nn.Transformer` says what that says."""

from dataclasses import replace

import pytest
import torch
from torch import nn

from tt_utils.blocks.masks import causal_mask, padding_mask
from tt_utils.models.from_torch import from_torch
from tt_utils.models.transformer import TransformerConfig

BATCH, T_SRC, T_TGT, D_MODEL, D_FF = 3, 7, 5, 22, 31
CONFIG = TransformerConfig(
    src_vocab_size=17,
    tgt_vocab_size=19,
    d_model=D_MODEL,
    d_ff=D_FF,
    n_heads=2,
    n_encoder_layers=3,
    n_decoder_layers=2,
    max_len=13,
)


def pytorch(**changes) -> nn.Transformer:
    torch.manual_seed(0)
    options = {"norm_first": False, "dropout": 0.1} | changes
    theirs = nn.Transformer(D_MODEL, 2, 3, 2, D_FF, batch_first=True, **options)
    for name, parameter in theirs.named_parameters():
        if parameter.dim() == 1:
            gain = "norm" in name and "weight" in name
            nn.init.normal_(parameter, mean=float(gain), std=0.3)
    return theirs.double().eval()


@pytest.mark.filterwarnings("ignore:enable_nested_tensor is True")
@pytest.mark.parametrize("norm_first", [False, True], ids=["post-norm", "pre-norm"])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
@pytest.mark.parametrize("positions", ["sinusoidal", "learned", "none"])
def test_the_same_weights_give_the_same_states_and_gradients(
    norm_first, activation, positions
):
    theirs = pytorch(norm_first=norm_first, activation=activation)
    choices = {"norm_first": norm_first, "activation": activation}
    ours = from_torch(theirs, replace(CONFIG, positions=positions, **choices))
    src = torch.randint(1, 17, (BATCH, T_SRC))
    tgt = torch.randint(1, 19, (BATCH, T_TGT))
    src[1, 4:] = src[2, 2:] = 0
    memory = ours.encode(src, padding_mask(src, 0))
    found = ours.decode(tgt, memory, padding_mask(src, 0))
    embedded = ours.src_embedding(src), ours.tgt_embedding(tgt)
    wanted = theirs(
        *embedded,
        tgt_mask=~causal_mask(T_TGT),
        src_key_padding_mask=src == 0,
        memory_key_padding_mask=src == 0,
    )
    torch.testing.assert_close(found, wanted, atol=1e-10, rtol=0)
    real = src != 0
    theirs_memory = theirs.encoder(embedded[0], src_key_padding_mask=~real)
    torch.testing.assert_close(memory[real], theirs_memory[real], atol=1e-10, rtol=0)
    tables = [ours.src_embedding.table.weight, ours.tgt_embedding.table.weight]
    slope = torch.linspace(-1, 1, found.numel()).double().view_as(found)
    torch.testing.assert_close(
        torch.autograd.grad((found * slope).sum(), tables),
        torch.autograd.grad((wanted * slope).sum(), tables),
        atol=1e-10,
        rtol=0,
    )


@pytest.mark.filterwarnings("ignore:enable_nested_tensor is True")
@pytest.mark.parametrize(
    ("options", "changes"),
    [({"bias": False}, {"bias": False}), ({"layer_norm_eps": 0.3}, {})],
)
def test_a_model_of_other_settings_is_taken_over(options, changes):
    theirs = pytorch(**options)
    ours = from_torch(theirs, replace(CONFIG, **changes))
    names = [name for name, _ in ours.named_parameters() if "bias" in name]
    assert bool(names) == ours.config.bias
    src, tgt = (
        torch.randint(1, 17, (BATCH, T_SRC)),
        torch.randint(1, 19, (BATCH, T_TGT)),
    )
    mask = padding_mask(src, 0)
    found = ours.decode(tgt, ours.encode(src, mask), mask)
    embedded = ours.src_embedding(src), ours.tgt_embedding(tgt)
    wanted = theirs(*embedded, tgt_mask=~causal_mask(T_TGT))
    torch.testing.assert_close(found, wanted, atol=1e-10, rtol=0)


def test_the_copy_shares_no_memory_with_the_original():
    theirs = pytorch()
    ours = from_torch(theirs, CONFIG)
    own = {p.data_ptr() for p in ours.parameters()}
    assert not own & {p.data_ptr() for p in theirs.parameters()}


@pytest.mark.parametrize(
    ("options", "changes", "message"),
    [
        ({}, {"d_ff": 64}, "d_ff is 31 there and 64 in config; make them equal"),
        ({}, {"n_decoder_layers": 3}, "n_decoder_layers is 2 there and 3 in config"),
        ({"norm_first": True}, {}, "norm_first is True there and False in config"),
        ({}, {"final_norm": False}, "final_norm is True there and False in config"),
        ({"activation": "gelu"}, {}, "activation is gelu there and relu in config"),
        ({}, {"activation": "gelu"}, "activation is relu there and gelu in config"),
        ({"activation": torch.tanh}, {}, "its activation must be ReLU in all layers"),
        ({}, {"n_kv_heads": 1}, "n_kv_heads is 2 there and 1 in config"),
        ({}, {"norm": "rms"}, "norm is layer there and rms in config"),
        ({}, {"positions": "rotary"}, "positions is 'rotary' in config, but its "),
        ({}, {"positions": "alibi"}, "positions is 'alibi' in config, but its "),
        ({"bias": False}, {}, "bias is False there and True in config"),
        ({}, {"norm_eps": 0.1}, "norm_eps is 1e-05 there and 0.1 in config"),
    ],
)
@pytest.mark.filterwarnings("ignore:enable_nested_tensor is True")
def test_what_differs_is_named(options, changes, message):
    with pytest.raises(ValueError, match=f"^from_torch: {message}"):
        from_torch(pytorch(**options), replace(CONFIG, **changes))


def other_eps(module):
    module.eps = 0.1


def other_side(layer):
    layer.norm_first = True


@pytest.mark.parametrize(
    ("part", "change", "message"),
    [
        ("encoder.norm", other_eps, "layer_norm_eps must be the same in all norms"),
        ("decoder.norm", other_eps, "layer_norm_eps must be the same in all norms"),
        ("decoder.layers.1.norm3", other_eps, "layer_norm_eps must be the same"),
        ("encoder.layers.2", other_side, "norm_first must be True in all layers, or"),
        ("decoder.layers.0", other_side, "norm_first must be True in all layers, or"),
    ],
)
def test_what_differs_in_one_part_alone_is_named(part, change, message):
    theirs = pytorch()
    change(theirs.get_submodule(part))
    with pytest.raises(ValueError, match=f"^from_torch: {message}"):
        from_torch(theirs, CONFIG)


@pytest.mark.parametrize("stack", ["encoder", "decoder"])
def test_a_final_norm_on_one_side_alone_is_refused(stack):
    theirs = pytorch()
    getattr(theirs, stack).norm = None
    with pytest.raises(ValueError, match=r"^from_torch: one of its stacks ends with"):
        from_torch(theirs, replace(CONFIG, final_norm=True))


@pytest.mark.filterwarnings("ignore:enable_nested_tensor is True")
def test_one_layer_with_another_activation_is_named():
    theirs = pytorch()
    theirs.decoder.layers[1].activation = torch.nn.functional.gelu
    with pytest.raises(ValueError, match="its activation must be ReLU in all layers"):
        from_torch(theirs, CONFIG)


@pytest.mark.filterwarnings("ignore:enable_nested_tensor is True")
@pytest.mark.parametrize("final_norm", [None, True])
def test_the_config_says_what_was_taken_over(final_norm):
    ours = from_torch(pytorch(), replace(CONFIG, final_norm=final_norm, n_kv_heads=2))
    assert ours.config == replace(CONFIG, final_norm=True, n_kv_heads=2, norm_eps=1e-5)
    assert not ours.training


@pytest.mark.filterwarnings("ignore:enable_nested_tensor is True")
def test_stacks_without_a_last_norm_are_taken_over():
    theirs = pytorch()
    theirs.encoder.norm = theirs.decoder.norm = None
    ours = from_torch(theirs, CONFIG)
    assert type(ours.encoder.norm) is type(ours.decoder.norm) is nn.Identity
    src, tgt = torch.randint(1, 17, (2, BATCH, T_SRC))
    mask = padding_mask(src, 0)
    found = ours.decode(tgt, ours.encode(src, mask), mask)
    embedded = ours.src_embedding(src), ours.tgt_embedding(tgt)
    wanted = theirs(*embedded, tgt_mask=~causal_mask(T_SRC))
    torch.testing.assert_close(found, wanted, atol=1e-10, rtol=0)
