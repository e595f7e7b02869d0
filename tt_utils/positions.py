"""Where a token stands, written as a vector that is added to its embedding."""

import math

import torch
from jaxtyping import Float
from torch import Tensor, nn


def sinusoidal_positions(t: int, d_model: int) -> Float[Tensor, "t d_model"]:
    """Write each position as clock hands: a sine and a cosine for every speed.

    Even features hold sines, odd features the cosines of the same angle.

    Raises:
        ValueError: d_model is odd, so a sine would lack its cosine.
    Source: Vaswani et al. 2017, section 3.5.
    """
    if d_model % 2:
        raise ValueError(f"sinusoidal_positions: d_model={d_model} must be even.")
    # In double precision: a large position times a speed needs all its digits.
    pairs = torch.arange(0, d_model, 2, dtype=torch.float64)
    speeds = torch.exp(-math.log(10_000) * pairs / d_model)
    angles = torch.arange(t)[:, None] * speeds
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1).float()


class SinusoidalPositions(nn.Module):
    """Add the position to every token; nothing here is learned."""

    table: Tensor

    def __init__(self, d_model: int, max_len: int) -> None:
        super().__init__()
        self.register_buffer(
            "table", sinusoidal_positions(max_len, d_model), persistent=False
        )

    def forward(
        self, x: Float[Tensor, "batch t d_model"], start: int = 0
    ) -> Float[Tensor, "batch t d_model"]:
        """Add row p of the table to position p of every sentence.

        The first vector of x stands at position `start`.

        Raises:
            ValueError: the sentence is longer than max_len.
        """
        end, max_len = start + x.shape[1], self.table.shape[0]
        if end > max_len:
            raise ValueError(
                f"SinusoidalPositions: the sentence has {end} tokens, "
                f"max_len is {max_len}; build the model with a larger max_len."
            )
        return x + self.table[start:end]
