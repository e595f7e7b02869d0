"""Masks: booleans, True = may attend, or numbers to add to the scores."""

import math

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

# Either broadcasts to (batch, heads, t_q, t_k).
Mask = Bool[Tensor, "..."] | Float[Tensor, "..."]


def causal_mask(
    t: int, device: torch.device | str | None = None
) -> Bool[Tensor, "t t"]:
    """Let each position see itself and what came before it, never what follows."""
    return torch.ones(t, t, dtype=torch.bool, device=device).tril()


def padding_mask(
    tokens: Int[Tensor, "batch t_k"], pad_id: int
) -> Bool[Tensor, "batch 1 1 t_k"]:
    """Let every query see every real token, and no padding.

    The two axes of length 1 broadcast over heads and queries: a mask over padding
    belongs to the keys.
    """
    return (tokens != pad_id)[:, None, None, :]


def left_padding_mask(
    pads: Int[Tensor, " batch"], t_k: int
) -> Bool[Tensor, "batch 1 1 t_k"]:
    """Hide the first `pads[i]` keys of row i: padding that comes before the text."""
    places = torch.arange(t_k, device=pads.device)
    return (places >= pads[:, None])[:, None, None, :]


def join_masks(first: Mask | None, second: Mask | None) -> Mask | None:
    """Allow what both allow; of numbers to add, add both."""
    if first is None or second is None:
        return second if first is None else first
    if first.dtype == second.dtype == torch.bool:
        return first & second
    return as_numbers(first) + as_numbers(second)


def as_numbers(mask: Mask) -> Float[Tensor, "..."]:
    """Write a boolean mask as what to add to the scores: 0, or −∞ where it forbids."""
    if mask.is_floating_point():
        return mask
    return torch.zeros_like(mask, dtype=torch.float32).masked_fill(~mask, -math.inf)
