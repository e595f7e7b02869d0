"""Watch where every head of a model looks."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from torch import Tensor, nn

from tt_utils.blocks.attention import MultiHeadAttention

Weights = dict[str, Tensor]


@contextmanager
def record_attention(model: nn.Module) -> Iterator[Weights]:
    """Collect the attention weights of what the model computes inside the block.

    They come by the attention's name in the model, such as
    "encoder.layers.0.self_attention", in the order of its layers, with the shape
    (batch, heads, t_q, t_k). A second call of the model replaces those of the first.
    """
    weights: Weights = {}
    hooks = []
    for name, module in model.named_modules():
        if isinstance(module, MultiHeadAttention):
            hooks += [
                module.register_forward_pre_hook(ask_for_weights, with_kwargs=True),
                module.register_forward_hook(partial(keep_weights, weights, name)),
            ]
    try:
        yield weights
    finally:
        for hook in hooks:
            hook.remove()


def ask_for_weights(module: nn.Module, args: tuple, kwargs: dict) -> tuple[tuple, dict]:
    """Let the attention compute its weights as well."""
    return args, kwargs | {"need_weights": True}


def keep_weights(
    weights: Weights, name: str, module: nn.Module, args: tuple, output: tuple
) -> None:
    """Note the weights that the attention gave beside its answer."""
    weights[name] = output[1]
