"""Attention: the scaled dot product, and many heads of it side by side."""

import math

import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn


def scaled_dot_product_attention(
    q: Float[Tensor, "*batch t_q d_k"],
    k: Float[Tensor, "*batch t_k d_k"],
    v: Float[Tensor, "*batch t_k d_v"],
    mask: Bool[Tensor, "..."] | None = None,
) -> tuple[Float[Tensor, "*batch t_q d_v"], Float[Tensor, "*batch t_q t_k"]]:
    """Blend the values, each weighted by how well its key answers the query.

    `mask` broadcasts to (…, t_q, t_k); True = may attend. A fully masked row
    gives zeros.

    Source: Vaswani et al. 2017, equation 1.
    """
    check_shapes(q, k, v)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        weights = scores.softmax(dim=-1)
    else:
        scores = scores.masked_fill(~mask, -math.inf)
        # Softmax makes a fully masked row 0/0; the second fill makes it zeros.
        weights = scores.softmax(dim=-1).masked_fill(~mask, 0.0)
    return weights @ v, weights


def check_shapes(q: Tensor, k: Tensor, v: Tensor) -> None:
    """Refuse queries, keys and values that do not fit together.

    Raises:
        ValueError: naming the two sizes that differ.
    """
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(
            f"scaled_dot_product_attention: k has d_k={k.shape[-1]}, "
            f"q has {q.shape[-1]}; a query and a key need equal width."
        )
    if k.shape[-2] != v.shape[-2]:
        raise ValueError(
            f"scaled_dot_product_attention: k has t_k={k.shape[-2]} rows, "
            f"v has {v.shape[-2]}; every key needs one value."
        )


class MultiHeadAttention(nn.Module):
    """Attend in several narrow heads at once, then mix their answers.

    Source: Vaswani et al. 2017, section 3.2.2. Differs from the paper: the
    projections have biases, as in `torch.nn.MultiheadAttention`.
    """

    def __init__(self, d_model: int, n_heads: int) -> None:
        super().__init__()
        if d_model % n_heads:
            raise ValueError(
                f"MultiHeadAttention: d_model={d_model} can't be split evenly "
                f"into n_heads={n_heads}."
            )
        self.n_heads = n_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        for projection in (self.w_q, self.w_k, self.w_v, self.w_o):
            nn.init.xavier_uniform_(projection.weight)
            nn.init.zeros_(projection.bias)

    def forward(
        self,
        query: Float[Tensor, "batch t_q d_model"],
        key: Float[Tensor, "batch t_k d_model"],
        value: Float[Tensor, "batch t_k d_model"],
        mask: Bool[Tensor, "..."] | None = None,
        need_weights: bool = False,
    ) -> tuple[
        Float[Tensor, "batch t_q d_model"],
        Float[Tensor, "batch heads t_q t_k"] | None,
    ]:
        """Return the blended values and, if asked for, every head's weights.

        `mask` broadcasts to (batch, heads, t_q, t_k); True = may attend. Without
        weights PyTorch's fused kernel does the work.
        """
        return self.attend(query, *self.project(key, value), mask, need_weights)

    def project(
        self,
        key: Float[Tensor, "batch t_k d_model"],
        value: Float[Tensor, "batch t_k d_model"],
    ) -> tuple[
        Float[Tensor, "batch heads t_k d_head"], Float[Tensor, "batch heads t_k d_head"]
    ]:
        """Make every head's keys and values, which later queries may use again."""
        return self.split_heads(self.w_k(key)), self.split_heads(self.w_v(value))

    def attend(
        self,
        query: Float[Tensor, "batch t_q d_model"],
        k: Float[Tensor, "batch heads t_k d_head"],
        v: Float[Tensor, "batch heads t_k d_head"],
        mask: Bool[Tensor, "..."] | None = None,
        need_weights: bool = False,
    ) -> tuple[
        Float[Tensor, "batch t_q d_model"],
        Float[Tensor, "batch heads t_q t_k"] | None,
    ]:
        """Let queries look at keys and values that are projected already."""
        q = self.split_heads(self.w_q(query))
        if need_weights:
            out, weights = scaled_dot_product_attention(q, k, v, mask)
        else:
            out, weights = F.scaled_dot_product_attention(q, k, v, mask), None
        return self.w_o(out.transpose(1, 2).flatten(2)), weights

    def split_heads(
        self, x: Float[Tensor, "batch t d_model"]
    ) -> Float[Tensor, "batch heads t d_head"]:
        """Cut the features, not the positions, into one slice a head."""
        return x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
