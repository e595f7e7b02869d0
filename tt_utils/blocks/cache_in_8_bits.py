"""A cache of keys and values in whole numbers of 8 bits, with a scale per vector."""

import torch
from jaxtyping import Float, Int8
from torch import Tensor

from tt_utils.blocks.cache import KeyValueCache


def to_8_bits(
    x: Float[Tensor, "*batch d_head"],
) -> tuple[Int8[Tensor, "*batch d_head"], Float[Tensor, "*batch 1"]]:
    """Write each vector as whole numbers from −127 to 127, times its own scale.

    No number moves by more than half a scale, which is the vector's largest over 254.
    """
    scale = x.abs().amax(dim=-1, keepdim=True) / 127  # (…, 1)
    return (x / scale.clamp(min=1e-12)).round().to(torch.int8), scale


def from_8_bits(
    whole: Int8[Tensor, "*batch d_head"], scale: Float[Tensor, "*batch 1"]
) -> Float[Tensor, "*batch d_head"]:
    """Multiply them out again."""
    return whole * scale


class CacheIn8Bits(KeyValueCache):
    """Keys and values that are rounded as they enter, and read as they were rounded."""

    def extend(
        self,
        k: Float[Tensor, "batch heads t d_head"],
        v: Float[Tensor, "batch heads t d_head"],
    ) -> tuple[Tensor, Tensor]:
        """Store the next positions' keys and values, rounded; return all up to them."""
        return super().extend(*(from_8_bits(*to_8_bits(x)) for x in (k, v)))
