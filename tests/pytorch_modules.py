"""Modules of PyTorch with the weights of ours, and what compares the two."""

import torch
from torch import Tensor, nn

from tt_utils.blocks.attention import MultiHeadAttention
from tt_utils.blocks.layers import DecoderLayer, EncoderLayer

TOLERANCE = {"atol": 1e-10, "rtol": 0}


def count(module: nn.Module) -> int:
    return sum(p.numel() for p in module.parameters())


def stirred(module: nn.Module) -> nn.Module:
    """With biases and gains away from 0 and 1, as after training."""
    for name, parameter in module.named_parameters():
        if parameter.dim() == 1:
            nn.init.normal_(parameter, mean=float("norm.weight" in name), std=0.3)
    return module.double()


def gradients(out: Tensor, inputs: list[Tensor]) -> tuple[Tensor, ...]:
    """Of a sum that weighs every number of `out` differently."""
    weights = torch.linspace(-1, 1, out.numel(), dtype=out.dtype).view_as(out)
    return torch.autograd.grad((out * weights).sum(), inputs)


def assert_same_gradients(
    ours: tuple[Tensor, list[Tensor]], theirs: tuple[Tensor, list[Tensor]]
) -> None:
    torch.testing.assert_close(gradients(*ours), gradients(*theirs), **TOLERANCE)


def as_pytorch(ours: MultiHeadAttention) -> nn.MultiheadAttention:
    d_model = ours.w_o.in_features
    theirs = nn.MultiheadAttention(d_model, ours.n_heads, batch_first=True)
    projections = ours.w_q, ours.w_k, ours.w_v
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([p.weight for p in projections]))
        theirs.in_proj_bias.copy_(torch.cat([p.bias for p in projections]))
        theirs.out_proj.load_state_dict(ours.w_o.state_dict())
    return theirs.to(ours.w_o.weight.dtype)


def same_layer(ours: EncoderLayer | DecoderLayer) -> nn.Module:
    decodes = isinstance(ours, DecoderLayer)
    kind = nn.TransformerDecoderLayer if decodes else nn.TransformerEncoderLayer
    theirs = kind(
        ours.self_attention.w_o.in_features,
        ours.self_attention.n_heads,
        ours.feed_forward.widen.out_features,
        dropout=0.0,
        activation=ours.feed_forward.activation,
        batch_first=True,
        norm_first=ours.residuals[0].norm_first,
    )
    theirs.self_attn = as_pytorch(ours.self_attention)
    if decodes:
        theirs.multihead_attn = as_pytorch(ours.cross_attention)
    theirs.linear1.load_state_dict(ours.feed_forward.widen.state_dict())
    theirs.linear2.load_state_dict(ours.feed_forward.narrow.state_dict())
    for i, residual in enumerate(ours.residuals, start=1):
        getattr(theirs, f"norm{i}").load_state_dict(residual.norm.state_dict())
    return theirs.double()


def layer_weights(layer: nn.Module) -> list[nn.Parameter]:
    """The parameters that both kinds of layer hold in the same shape."""
    if isinstance(layer, EncoderLayer | DecoderLayer):
        feed_forward = layer.feed_forward
        linear = feed_forward.widen, feed_forward.narrow, layer.self_attention.w_o
        norms = [residual.norm for residual in layer.residuals]
    else:
        linear = layer.linear1, layer.linear2, layer.self_attn.out_proj
        names = ("norm1", "norm2", "norm3")
        norms = [getattr(layer, name) for name in names if hasattr(layer, name)]
    return [p for module in (*linear, *norms) for p in (module.weight, module.bias)]
