"""Take over the weights of PyTorch's own Transformer."""

from dataclasses import fields

import torch
from torch import nn

from tt_utils.blocks.attention import MultiHeadAttention
from tt_utils.blocks.config import ACTIVATIONS
from tt_utils.blocks.layers import DecoderLayer, EncoderLayer
from tt_utils.models.transformer import Transformer, TransformerConfig


def from_torch(theirs: nn.Transformer, config: TransformerConfig) -> Transformer:
    """Build a model that computes what `theirs` computes, in evaluation mode.

    `theirs` has no embeddings and no output projection; these start anew, in the
    sizes of `config`, and positions only before the first layer. Everything else must
    agree with `config`, but for what is left at None there. (With final_norm left to
    itself, PyTorch ends post-norm stacks with a norm, too.)

    Raises:
        ValueError: naming what differs, or what we don't have.
    """
    found = sizes_of(theirs)
    wanted = {f.name: getattr(config, f.name) for f in fields(config)}
    for name, value in found.items():
        if wanted[name] is None:
            wanted[name] = value
        if wanted[name] != value:
            raise ValueError(
                f"from_torch: {name} is {value} there and {wanted[name]} in config; "
                "make them equal."
            )
    if config.positions in ("rotary", "alibi"):
        raise ValueError(
            f"from_torch: positions is {config.positions!r} in config, but its "
            "attention knows none; choose sinusoidal, learned or none."
        )
    ours = Transformer(TransformerConfig(**wanted))
    like = next(theirs.parameters())
    ours.to(like.device, like.dtype)
    for own_layers, layers in (
        (ours.encoder.layers, theirs.encoder.layers),
        (ours.decoder.layers, theirs.decoder.layers),
    ):
        for own, layer in zip(own_layers, layers, strict=True):
            copy_layer(own, layer)
    if found["final_norm"]:
        ours.encoder.norm.load_state_dict(theirs.encoder.norm.state_dict())
        ours.decoder.norm.load_state_dict(theirs.decoder.norm.state_dict())
    return ours.eval()


def sizes_of(theirs: nn.Transformer) -> dict[str, object]:
    """Read sizes and choices off PyTorch's model.

    Raises:
        ValueError: it has something that our model doesn't.
    """
    name_of = {function: name for name, function in ACTIVATIONS.items()}
    first = theirs.encoder.layers[0]
    for layer in (*theirs.encoder.layers, *theirs.decoder.layers):
        if layer.activation not in name_of or layer.activation != first.activation:
            raise ValueError(
                "from_torch: its activation must be ReLU in all layers, or GELU in all."
            )
        if (layer.linear1.bias is None) != (first.linear1.bias is None):
            raise ValueError(
                "from_torch: all its layers must have biases, or none of them."
            )
        if layer.norm_first != first.norm_first:
            raise ValueError(
                "from_torch: norm_first must be True in all layers, or False in all."
            )
    epsilons = {m.eps for m in theirs.modules() if isinstance(m, nn.LayerNorm)}
    if len(epsilons) > 1:
        raise ValueError("from_torch: layer_norm_eps must be the same in all norms.")
    if (theirs.encoder.norm is None) != (theirs.decoder.norm is None):
        raise ValueError(
            "from_torch: one of its stacks ends with a norm, the other without; ours "
            "have one both, or neither."
        )
    return {
        "d_model": theirs.d_model,
        "d_ff": first.linear1.out_features,
        "n_heads": theirs.nhead,
        "n_kv_heads": theirs.nhead,
        "n_encoder_layers": len(theirs.encoder.layers),
        "n_decoder_layers": len(theirs.decoder.layers),
        "norm": "layer",
        "norm_eps": epsilons.pop(),
        "norm_first": first.norm_first,
        "activation": name_of[first.activation],
        "bias": first.linear1.bias is not None,
        "final_norm": theirs.encoder.norm is not None,
    }


def copy_layer(ours: EncoderLayer | DecoderLayer, theirs: nn.Module) -> None:
    """Copy one layer's weights; the names differ, the numbers don't."""
    copy_attention(ours.self_attention, theirs.self_attn)
    if isinstance(ours, DecoderLayer):
        copy_attention(ours.cross_attention, theirs.multihead_attn)
    ours.feed_forward.widen.load_state_dict(theirs.linear1.state_dict())
    ours.feed_forward.narrow.load_state_dict(theirs.linear2.state_dict())
    for i, residual in enumerate(ours.residuals, start=1):
        residual.norm.load_state_dict(getattr(theirs, f"norm{i}").state_dict())


@torch.no_grad()
def copy_attention(ours: MultiHeadAttention, theirs: nn.MultiheadAttention) -> None:
    """Cut PyTorch's one matrix for queries, keys and values into three."""
    projections = ours.w_q, ours.w_k, ours.w_v
    for i, projection in enumerate(projections):
        projection.weight.copy_(theirs.in_proj_weight.chunk(3)[i])
        if projection.bias is not None:
            projection.bias.copy_(theirs.in_proj_bias.chunk(3)[i])
    ours.w_o.load_state_dict(theirs.out_proj.state_dict())
