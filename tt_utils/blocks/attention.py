"""Attention: the scaled dot product, and many heads of it side by side."""

import math

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from tt_utils.blocks.cache import KeyValueCache
from tt_utils.blocks.positions import RelativePositions


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


def fused_attention(
    q: Float[Tensor, "batch heads t_q d_k"],
    k: Float[Tensor, "batch heads t_k d_k"],
    v: Float[Tensor, "batch heads t_k d_v"],
    mask: Bool[Tensor, "..."] | Float[Tensor, "..."] | None = None,
) -> Float[Tensor, "batch heads t_q d_v"]:
    """Do the same in PyTorch's one kernel, which never holds all the weights.

    A mask of numbers is added to the scores.
    """
    if q.device.type == "cpu" and q.dtype in (torch.bfloat16, torch.float16):
        # A CPU takes three times as long for this kernel in half precision.
        with torch.autocast("cpu", enabled=False):
            wide = fused_attention(q.float(), k.float(), v.float(), mask)
        return wide.to(q.dtype)
    if mask is not None and mask.is_floating_point():
        mask = mask.to(q.dtype)
    return F.scaled_dot_product_attention(q, k, v, mask)


class MultiHeadAttention(nn.Module):
    """Attend in several narrow heads at once, then mix their answers.

    `positions` tell a self-attention how far apart two tokens stand.

    Raises:
        ValueError: n_heads doesn't divide d_model.
    Source: Vaswani et al. 2017, section 3.2.2. Differs from the paper: the
    projections have biases, as in `torch.nn.MultiheadAttention`. Differs from that:
    no weights are dropped out, which the paper doesn't ask for.
    """

    def __init__(
        self, d_model: int, n_heads: int, positions: RelativePositions | None = None
    ) -> None:
        super().__init__()
        if d_model % n_heads:
            raise ValueError(
                f"MultiHeadAttention: d_model={d_model} can't be split evenly "
                f"into n_heads={n_heads}."
            )
        self.n_heads = n_heads
        self.positions = positions or RelativePositions()
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
        cache: KeyValueCache | None = None,
    ) -> tuple[
        Float[Tensor, "batch t_q d_model"],
        Float[Tensor, "batch heads t_q t_keys"] | None,
    ]:
        """Return the blended values and, if asked for, every head's weights.

        `mask` broadcasts to (batch, heads, t_q, t_k); True = may attend. Without
        weights PyTorch's fused kernel does the work. With a cache, key and value
        follow those that it holds, and the queries look at all of them.
        """
        if cache is None:
            k, v = self.project(key, value)
        else:
            k, v = cache.extend(*self.project(key, value, start=cache.length))
        return self.attend(query, k, v, mask, need_weights)

    def project(
        self,
        key: Float[Tensor, "batch t_k d_model"],
        value: Float[Tensor, "batch t_k d_model"],
        start: int = 0,
    ) -> tuple[
        Float[Tensor, "batch heads t_k d_head"], Float[Tensor, "batch heads t_k d_head"]
    ]:
        """Make every head's keys and values, which later queries may use again.

        The first key stands at position `start`.
        """
        k, v = self.split_heads(self.w_k(key)), self.split_heads(self.w_v(value))
        return self.positions.rotate(k, start), v

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
        t_q, t_k = query.shape[1], k.shape[2]
        q = self.positions.rotate(self.split_heads(self.w_q(query)), start=t_k - t_q)
        bias = self.positions.bias(t_q, t_k)
        if bias is not None:
            out, weights = biased_attention(q, k, v, mask, bias, need_weights)
        elif need_weights:
            out, weights = scaled_dot_product_attention(q, k, v, mask)
        else:
            out, weights = fused_attention(q, k, v, mask), None
        return self.w_o(out.transpose(1, 2).flatten(2)), weights

    def split_heads(
        self, x: Float[Tensor, "batch t d_model"]
    ) -> Float[Tensor, "batch heads t d_head"]:
        """Cut the features, not the positions, into one slice a head."""
        return x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)


def biased_attention(
    q: Float[Tensor, "batch heads t_q d_k"],
    k: Float[Tensor, "batch heads t_k d_k"],
    v: Float[Tensor, "batch heads t_k d_v"],
    mask: Bool[Tensor, "..."] | None,
    bias: Float[Tensor, "heads t_q t_k"],
    need_weights: bool,
) -> tuple[Tensor, Tensor | None]:
    """Attend with a number added to each score."""
    added = bias if mask is None else bias.masked_fill(~mask, -math.inf)
    if not need_weights:
        return fused_attention(q, k, v, added), None
    # Blending the rows of the identity writes out the weights themselves.
    rows = torch.eye(k.shape[-2], dtype=v.dtype, device=v.device)
    weights = fused_attention(q, k, rows.expand(*k.shape[:2], -1, -1), added)
    return weights @ v, weights
