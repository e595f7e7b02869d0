"""The loss of a large vocabulary, without ever holding all of its logits."""

from collections.abc import Sequence
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from tt_utils.data.batching import IdPair, token_batches
from tt_utils.models.transformer import Transformer
from tt_utils.training.config import TrainingConfig

HALF = {"bf16": torch.bfloat16, "fp16": torch.float16}
# About what the caches of a CPU, or a part of a GPU, hold.
LOGITS_AT_ONCE = {"cpu": 2**21, "cuda": 2**26}


def linear_cross_entropy(
    x: Float[Tensor, "n d_model"],
    weight: Float[Tensor, "vocab d_model"],
    labels: Int[Tensor, " n"],
    label_smoothing: float = 0.0,
) -> Float[Tensor, ""]:
    """Average the label-smoothed cross-entropy of the logits x·weightᵀ.

    Equal to `F.cross_entropy(x @ weight.T, labels, label_smoothing=…)`, faster and
    in far less memory: rows pass in groups, and a group's logits turn into its
    gradients where they stand. Products are in x's precision, sums in weight's.

    Source: Vaswani et al. 2017, section 5.4, for the smoothing (Szegedy et al. 2016).
    """
    if not torch.is_grad_enabled():
        x, weight = x.detach(), weight.detach()
    return LinearCrossEntropy.apply(x, weight, labels, label_smoothing)


class LinearCrossEntropy(torch.autograd.Function):
    """With p = softmax(z), the gradient of a row's loss by its logits z is p − q.

    q is the smoothed label: 1 − ε + ε/vocab at the true word, ε/vocab elsewhere.
    """

    @staticmethod
    def forward(
        ctx: Any, x: Tensor, weight: Tensor, labels: Tensor, smoothing: float
    ) -> Tensor:
        """Add up the loss and, where one may be asked for, both gradients."""
        learns = any(ctx.needs_input_grad)
        narrow = weight.to(x.dtype)
        n, vocab = len(x), len(weight)
        total = weight.new_zeros(())
        if learns:
            ctx.x_gradient = torch.empty_like(x)
            ctx.weight_gradient = torch.zeros_like(weight)
        rows = max(1, LOGITS_AT_ONCE.get(x.device.type, LOGITS_AT_ONCE["cpu"]) // vocab)
        for start in range(0, n, rows):
            group = slice(start, start + rows)
            true = labels[group, None]
            z = (x[group] @ narrow.T).to(weight.dtype)
            z -= z.amax(dim=-1, keepdim=True)
            expected = (1 - smoothing) * z.gather(1, true)[:, 0]
            expected += smoothing * z.mean(dim=-1)
            sums = z.exp_().sum(dim=-1, keepdim=True)
            total += (sums.log()[:, 0] - expected).sum()
            if learns:
                z.div_(sums).sub_(smoothing / vocab)
                z.scatter_add_(1, true, torch.full_like(sums, smoothing - 1))
                z = z.to(x.dtype)
                ctx.x_gradient[group] = z @ narrow
                ctx.weight_gradient += z.T @ x[group]
        return total / n

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, None, None]:
        """Scale what forward has computed already."""
        share = gradient / len(ctx.x_gradient)
        return ctx.x_gradient * share, ctx.weight_gradient * share, None, None


class ModelWithLoss(nn.Module):
    """A model that answers with its loss: what DDP wraps and several processes share.

    Products are in `config.precision`, all else in that of the weights.
    """

    def __init__(self, model: Transformer, config: TrainingConfig) -> None:
        super().__init__()
        self.model = model
        self.hidden = model.hidden
        if config.compile:
            self.hidden = torch.compile(model.hidden, dynamic=True)
        self.label_smoothing = config.label_smoothing
        self.half = HALF.get(config.precision)

    def forward(
        self,
        src: Int[Tensor, "batch t_src"],
        tgt: Int[Tensor, "batch t_tgt"],
        real: Int[Tensor, " n"],
        labels: Int[Tensor, " n"],
    ) -> Float[Tensor, ""]:
        """Average over the real tokens; `real` are their places in the flat target."""
        with torch.autocast(src.device.type, self.half, enabled=self.half is not None):
            x = self.hidden(src, tgt).flatten(0, 1)[real]
        weight = self.model.generator.weight
        return linear_cross_entropy(
            x.to(self.half or x.dtype), weight, labels, self.label_smoothing
        )


@torch.no_grad()
def validation_loss(
    model: Transformer, pairs: Sequence[IdPair], max_tokens: int = 4_096
) -> float:
    """Average the loss over the real tokens of pairs that nobody trains on.

    Without label smoothing, so that e^loss is the perplexity. Whether units drop out
    is for the model's mode to say.
    """
    device = next(model.parameters()).device
    total, tokens = 0.0, 0
    for batch in token_batches(pairs, max_tokens, pad_id=model.config.pad_id):
        real = batch.real.to(device)
        x = model.hidden(batch.src.to(device), batch.tgt.to(device))[real]
        labels = batch.labels.to(device)[real]
        loss = linear_cross_entropy(x, model.generator.weight, labels)
        total, tokens = total + len(x) * loss.item(), tokens + len(x)
    return total / tokens
