"""Attention: the scaled dot product, and many heads of it side by side."""

import math

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from tt_utils.blocks.cache import KeyValueCache
from tt_utils.blocks.masks import Mask, join_masks
from tt_utils.blocks.positions import RelativePositions

Queries = Float[Tensor, "batch heads t_q d_k"]
Keys = Float[Tensor, "batch heads t_k d_k"]
Values = Float[Tensor, "batch heads t_k d_v"]


def scaled_dot_product_attention(
    q: Float[Tensor, "*batch t_q d_k"],
    k: Float[Tensor, "*batch t_k d_k"],
    v: Float[Tensor, "*batch t_k d_v"],
    mask: Mask | None = None,
) -> tuple[Float[Tensor, "*batch t_q d_v"], Float[Tensor, "*batch t_q t_k"]]:
    """Average the values, each weighted by how well its key matches the query.

    `mask` broadcasts to (…, t_q, t_k): booleans, True = may attend, or numbers to
    add to the scores. A fully masked row gives zeros.

    Source: Vaswani et al. 2017, equation 1.
    """
    check_shapes(q, k, v)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (…, t_q, t_k)
    weights = masked_softmax(scores, mask)  # rows sum to 1
    return weights @ v, weights  # (…, t_q, d_v)


def masked_softmax(
    scores: Float[Tensor, "*batch t_q t_k"], mask: Mask | None
) -> Float[Tensor, "*batch t_q t_k"]:
    """Share each query's attention out among the keys that it may attend to."""
    if mask is None:
        return scores.softmax(dim=-1)
    dtype = scores.dtype
    if mask.is_floating_point():  # maybe in a higher precision than the scores
        scores, mask = scores + mask, mask > -math.inf
    scores = scores.masked_fill(~mask, -math.inf)
    # Softmax makes a fully masked row 0/0; the second fill makes it zeros.
    return scores.softmax(dim=-1).masked_fill(~mask, 0.0).to(dtype)


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
    q: Queries, k: Keys, v: Values, mask: Mask | None = None, causal: bool = False
) -> Float[Tensor, "batch heads t_q d_v"]:
    """Do the same in PyTorch's fused kernel, which never holds all the weights.

    `causal` hides the keys after each query; the queries stand at the last keys.
    """
    check_shapes(q, k, v)  # on a CPU the kernel itself takes 5 keys with 4 values
    if q.device.type == "cpu" and q.dtype in (torch.bfloat16, torch.float16):
        # A CPU takes three times as long for this kernel in half precision.
        with torch.autocast("cpu", enabled=False):
            wide = fused_attention(q.float(), k.float(), v.float(), mask, causal)
        return wide.to(q.dtype)
    # The kernel's own causal mask is fast, but counts from the first key.
    if causal and (mask is not None or q.shape[-2] != k.shape[-2]):
        mask, causal = without_later(mask, q, k), False
    if mask is not None and mask.is_floating_point():
        mask = mask.to(q.dtype)
    return F.scaled_dot_product_attention(q, k, v, mask, is_causal=causal)


def without_later(mask: Mask | None, q: Queries, k: Keys) -> Mask | None:
    """Hide the keys after each query, too; the queries stand at the last keys.

    Raises:
        ValueError: there are more queries than keys.
    """
    t_q, t_k = q.shape[-2], k.shape[-2]
    if t_q > t_k:
        raise ValueError(
            f"MultiHeadAttention: causal attention from {t_q} queries to {t_k} keys; "
            "each query needs a key at its own position."
        )
    if t_q == 1:
        return mask  # the last position sees all
    seen = torch.ones(t_q, t_k, dtype=torch.bool, device=q.device)
    return join_masks(mask, seen.tril(t_k - t_q))


class MultiHeadAttention(nn.Module):
    """Attend in several narrow heads at once, then mix their outputs.

    `positions` tell a self-attention how far apart two tokens stand. With fewer
    `n_kv_heads` than heads, several query heads share one head of keys and values
    (grouped-query attention).

    Raises:
        ValueError: n_heads doesn't divide d_model, or n_kv_heads doesn't divide
            n_heads.
    Source: Vaswani et al. 2017, section 3.2.2; Ainslie et al. 2023 for groups.
    Differs from the paper: the projections have biases unless told otherwise, as in
    `torch.nn.MultiheadAttention`. Differs from that: it can't drop weights out
    (`dropout` there, 0 by default), which the paper doesn't ask for; and each
    projection is initialised by itself (Xavier uniform), there the first three as
    one matrix.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        positions: RelativePositions | None = None,
        n_kv_heads: int | None = None,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.n_heads = n_heads
        self.n_kv_heads = n_heads if n_kv_heads is None else n_kv_heads
        check_heads(d_model, n_heads, self.n_kv_heads)
        self.positions = positions or RelativePositions()
        d_kv = d_model // n_heads * self.n_kv_heads
        self.w_q = nn.Linear(d_model, d_model, bias)
        self.w_k = nn.Linear(d_model, d_kv, bias)
        self.w_v = nn.Linear(d_model, d_kv, bias)
        self.w_o = nn.Linear(d_model, d_model, bias)
        for projection in (self.w_q, self.w_k, self.w_v, self.w_o):
            nn.init.xavier_uniform_(projection.weight)
            if bias:
                nn.init.zeros_(projection.bias)

    def forward(
        self,
        query: Float[Tensor, "batch t_q d_model"],
        key: Float[Tensor, "batch t_new d_model"],
        value: Float[Tensor, "batch t_new d_model"],
        mask: Mask | None = None,
        *,
        causal: bool = False,
        need_weights: bool = False,
        cache: KeyValueCache | None = None,
    ) -> tuple[
        Float[Tensor, "batch t_q d_model"], Float[Tensor, "batch heads t_q t_k"] | None
    ]:
        """Return the blended values and, if asked for, every head's weights.

        `mask` broadcasts to (batch, heads, t_q, t_k): booleans, True = may attend,
        or numbers to add to the scores; `causal` hides what follows each query.
        Without weights PyTorch's fused kernel does the work. With a cache, key and
        value follow those that it holds, and the queries attend to all of them; one
        that is complete is read, and key and value aren't.
        """
        start = 0 if cache is None else cache.length
        q = self.split_heads(self.w_q(query))  # (batch, heads, t_q, d_head)
        q = self.positions.rotate(q, start)
        if cache is not None and cache.is_complete:
            k, v = cache.read()  # (batch, kv_heads, t_k, d_head)
        else:
            k = self.split_heads(self.w_k(key), self.n_kv_heads)
            v = self.split_heads(self.w_v(value), self.n_kv_heads)
            k = self.positions.rotate(k, start)  # (batch, kv_heads, t_new, d_head)
            if cache is not None:
                k, v = cache.extend(k, v)  # (batch, kv_heads, t_k, d_head)
        k, v = repeat_heads(k, self.n_heads), repeat_heads(v, self.n_heads)
        mask = join_masks(mask, self.positions.bias(q.shape[-2], k.shape[-2]))
        if need_weights:
            mask = without_later(mask, q, k) if causal else mask
            out, weights = scaled_dot_product_attention(q, k, v, mask)
        else:
            out, weights = fused_attention(q, k, v, mask, causal), None
        joined = out.transpose(1, 2).flatten(2)  # (batch, t_q, d_model)
        return self.w_o(joined), weights

    def split_heads(
        self, x: Float[Tensor, "batch t width"], n_heads: int | None = None
    ) -> Float[Tensor, "batch heads t d_head"]:
        """Cut the features, not the positions, into slices, one per head."""
        return x.unflatten(-1, (n_heads or self.n_heads, -1)).transpose(1, 2)


def check_heads(d_model: int, n_heads: int, n_kv_heads: int) -> None:
    """Refuse heads of unequal width, and groups of unequal size.

    Raises:
        ValueError: naming the numbers.
    """
    if n_heads < 1 or d_model < 1 or d_model % n_heads:
        raise ValueError(
            f"MultiHeadAttention: d_model={d_model} can't be split evenly "
            f"into n_heads={n_heads}."
        )
    if n_kv_heads < 1 or n_heads % n_kv_heads:
        raise ValueError(
            f"MultiHeadAttention: n_heads={n_heads} can't share "
            f"n_kv_heads={n_kv_heads} evenly."
        )


def repeat_heads(
    x: Float[Tensor, "batch kv_heads t_k d_head"], n_heads: int
) -> Float[Tensor, "batch {n_heads} t_k d_head"]:
    """Give each query head the head of keys or values that its group shares."""
    share = n_heads // x.shape[1]
    return x if share == 1 else x.repeat_interleave(share, dim=1)
