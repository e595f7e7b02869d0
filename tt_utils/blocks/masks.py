"""Boolean masks: True = may attend. Combine them with `&`."""

import torch
from jaxtyping import Bool, Int
from torch import Tensor


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
