"""The loss of a large vocabulary, without ever holding all of its logits."""

from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor
from torch.autograd.function import once_differentiable

# About what the caches of a CPU, or a part of a GPU, hold.
LOGITS_AT_ONCE = {"cpu": 2**21, "cuda": 2**26}


def linear_cross_entropy(
    x: Float[Tensor, "n d_model"],
    weight: Float[Tensor, "vocab d_model"],
    labels: Int[Tensor, " n"],
    label_smoothing: float = 0.0,
) -> Float[Tensor, ""]:
    """Average the label-smoothed cross-entropy of the logits x·weightᵀ, in nats.

    Equal to `F.cross_entropy(x @ weight.T, labels, label_smoothing=…)`, faster and
    in far less memory: rows pass in groups, and a group's logits turn into its
    gradients where they stand. Products are in x's precision, or in autocast's inside
    autocast; sums are in weight's. Compiled, it is left to the compiler.

    Raises:
        ValueError: there are no rows, so no mean of them.
    Source: Vaswani et al. 2017, section 5.4, for the smoothing (Szegedy et al. 2016).
    Differs from `F.linear_cross_entropy`, which has the same idea: in PyTorch 2.13
    that one falls back to holding all logits where labels are smoothed.
    """
    if not len(x):
        raise ValueError(
            "linear_cross_entropy: x has no rows; leave out a batch that asks for no "
            "prediction."
        )
    kind = x.device.type
    if torch.is_autocast_enabled(kind):
        x = x.to(torch.get_autocast_dtype(kind))
    if not torch.is_grad_enabled():
        x, weight = x.detach(), weight.detach()
    with torch.autocast(kind, enabled=False):
        if torch.compiler.is_compiling():
            # A compiler fuses this by itself, and would compile groups anew by length.
            logits = (x @ weight.to(x.dtype).T).to(weight.dtype)  # (n, vocab)
            return F.cross_entropy(logits, labels, label_smoothing=label_smoothing)
        return LinearCrossEntropy.apply(x, weight, labels, label_smoothing)


class LinearCrossEntropy(torch.autograd.Function):
    """With p = softmax(z), the gradient of a row's loss by its logits z is p − q.

    q is the smoothed label: 1 − ε + ε/vocab at the true word, ε/vocab elsewhere. The
    loss is log Σ exp(z) − Σ q·z, of which the second part is the expected logit.
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
            true_word = labels[group, None]  # (rows, 1)
            z = (x[group] @ narrow.T).to(weight.dtype)  # (rows, vocab)
            z -= z.amax(dim=-1, keepdim=True)
            expected_logit = (1 - smoothing) * z.gather(1, true_word)[:, 0]
            expected_logit += smoothing * z.mean(dim=-1)
            exp_sum = z.exp_().sum(dim=-1, keepdim=True)  # z now holds exponentials
            total += (exp_sum.log()[:, 0] - expected_logit).sum()
            if learns:
                z.div_(exp_sum).sub_(smoothing / vocab)
                z.scatter_add_(1, true_word, torch.full_like(exp_sum, smoothing - 1))
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
