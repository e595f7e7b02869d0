"""What every module of a Transformer gives, by its name."""

import re

from torch import Tensor

from tt_utils.models.transformer import Transformer

PARTS = re.compile(
    r"(src|tgt)_embedding|generator|(en|de)coder\.norm|(en|de)coder\.layers\.\d\."
    r"(\w+_attention|feed_forward|residuals\.\d(\.norm)?)"
)


def outputs(model: Transformer, src: Tensor, tgt: Tensor) -> dict[str, Tensor]:
    """Run one sentence, with a hook on each module that the map draws."""
    seen, hooks = {}, []

    def watch(module, name, rows_of):
        hook = module.register_forward_hook(
            lambda module, given, out: seen.update({name: rows_of(given, out)})
        )
        hooks.append(hook)

    for name, module in model.named_modules():
        if PARTS.fullmatch(name):
            watch(module, name, first_of_batch)
        elif name.endswith("_embedding.positions"):
            name = name.replace("positions", "rows")
            watch(module, name, lambda given, out: given[0][0])
    model(src, tgt)
    for hook in hooks:
        hook.remove()
    return seen | {"softmax": seen["generator"].softmax(dim=-1)}


def first_of_batch(given: tuple, out: Tensor | tuple) -> Tensor:
    return (out[0] if isinstance(out, tuple) else out)[0]
