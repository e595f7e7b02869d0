"""Where a token stands: added to its embedding, or told to attention.

Absolute positions are added once, before the first layer: sinusoidal, learned.
Relative positions act inside every self-attention: rotary, ALiBi. With none, a model
without a mask reads a set.
"""

import math
from typing import Literal, get_args

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

PositionKind = Literal["sinusoidal", "learned", "rotary", "alibi", "none"]
POSITION_KINDS = get_args(PositionKind)


def sinusoidal_positions(
    t: int, d_model: int, base: float = 10_000.0
) -> Float[Tensor, "t d_model"]:
    """Write each position as clock hands: a sine and a cosine for every speed.

    Even features hold sines, odd features the cosines of the same angle, in radians.
    The slowest hand needs almost 2π·base positions to go round once.

    Raises:
        ValueError: d_model is odd, so a sine would lack its cosine.
    Source: Vaswani et al. 2017, section 3.5.
    """
    if d_model % 2:
        raise ValueError(f"sinusoidal_positions: d_model={d_model} must be even.")
    # In double precision: a large position times a speed needs all its digits.
    pairs = torch.arange(0, d_model, 2, dtype=torch.float64)
    speeds = torch.exp(-math.log(base) * pairs / d_model)
    angles = torch.arange(t)[:, None] * speeds
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1).float()


def check_length(positions: nn.Module, end: int, max_len: int) -> None:
    """Refuse a sentence that is longer than the table.

    Raises:
        ValueError: naming both lengths.
    """
    if end > max_len:
        raise ValueError(
            f"{type(positions).__name__}: the sentence has {end} tokens, "
            f"max_len is {max_len}; build the model with a larger max_len."
        )


class AddedPositions(nn.Module):
    """Add row p of a table to position p of every sentence."""

    table: Tensor

    def forward(
        self,
        x: Float[Tensor, "batch t d_model"],
        start: int = 0,
        pads: Int[Tensor, " batch"] | None = None,
    ) -> Float[Tensor, "batch t d_model"]:
        """Add the rows; the first vector of x stands at position `start`.

        A row that begins with so many `pads` counts its positions from behind them.

        Raises:
            ValueError: the sentence is longer than max_len.
        """
        end = start + x.shape[1]
        check_length(self, end, len(self.table))
        if pads is None:
            return x + self.table[start:end]
        places = torch.arange(start, end, device=pads.device) - pads[:, None]
        return x + self.table[places.clamp(min=0)]  # (batch, t, d_model)


class SinusoidalPositions(AddedPositions):
    """Add the clock hands of its position to every token; nothing is learned."""

    def __init__(self, d_model: int, max_len: int) -> None:
        super().__init__()
        self.register_buffer(
            "table", sinusoidal_positions(max_len, d_model), persistent=False
        )


class LearnedPositions(AddedPositions):
    """Add a vector that training finds for each position.

    A position that no training sentence reaches keeps its random vector.

    Source: Vaswani et al. 2017, table 3, row E.
    """

    def __init__(self, d_model: int, max_len: int) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.empty(max_len, d_model))
        nn.init.normal_(self.table, std=1 / math.sqrt(d_model))


class RelativePositions(nn.Module):
    """What self-attention asks of positions that act inside it.

    As it stands it changes nothing; a kind overrides one of the two.
    """

    def rotate(
        self, x: Float[Tensor, "batch heads t d_head"], start: int
    ) -> Float[Tensor, "batch heads t d_head"]:
        """Turn queries or keys by their position; the first stands at `start`."""
        return x

    def bias(self, t_q: int, t_k: int) -> Float[Tensor, "heads t_q t_k"] | None:
        """Say what to add to the scores; the queries are the last of the keys."""
        return None


class RotaryPositions(RelativePositions):
    """Turn each pair of features by an angle that grows with the position.

    Both vectors being turned, q·k depends on how far apart they stand and on which
    side, not on where. The angles are those of the sinusoids; `base` is the field's θ.
    Pairs are neighbours, as in Llama's own code; in Hugging Face's, feature i goes with
    i + d_head/2, and the rows of w_q and w_k stand in another order.

    Raises:
        ValueError: d_head is odd, so a feature would lack its partner.
    Source: Su et al. 2021, section 3.
    """

    table: Tensor

    def __init__(self, d_head: int, max_len: int, base: float = 10_000.0) -> None:
        super().__init__()
        if d_head % 2:
            raise ValueError(
                f"RotaryPositions: a head has {d_head} features, which can't be "
                "paired; choose another d_model or n_heads."
            )
        self.register_buffer(
            "table", sinusoidal_positions(max_len, d_head, base), persistent=False
        )

    def rotate(
        self, x: Float[Tensor, "batch heads t d_head"], start: int
    ) -> Float[Tensor, "batch heads t d_head"]:
        """Turn (a, b) to (a·cos − b·sin, a·sin + b·cos), pair by pair.

        Raises:
            ValueError: the sentence is longer than max_len.
        """
        end = start + x.shape[-2]
        check_length(self, end, len(self.table))
        sin, cos = self.table[start:end].to(x.dtype).unflatten(-1, (-1, 2)).unbind(-1)
        a, b = x.unflatten(-1, (-1, 2)).unbind(-1)
        return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)


class AlibiPositions(RelativePositions):
    """Lower each score by the distance between query and key, times a slope.

    Every head has its own slope, 1/2, 1/4, … 1/256 for eight heads, so that some
    look near and some far. There is no table, so a sentence may have any length.

    Source: Press et al. 2022, section 3. Differs from the paper: an encoder sees
    both ways, and there the distance counts alike to the left and to the right.
    """

    slopes: Tensor

    def __init__(self, n_heads: int) -> None:
        super().__init__()
        self.register_buffer("slopes", alibi_slopes(n_heads), persistent=False)

    def bias(self, t_q: int, t_k: int) -> Float[Tensor, "heads t_q t_k"]:
        """Give −slope · |i − j| for every head, query i and key j."""
        place = torch.arange(t_k, device=self.slopes.device)
        distance = (place[t_k - t_q :, None] - place).abs()
        return -self.slopes[:, None, None] * distance


def alibi_slopes(n_heads: int) -> Float[Tensor, " heads"]:
    """Give a geometric series from 2^(-8/n) to 1/256; for n not a power of two, mix.

    What the next smaller power of two leaves out comes from every other slope of
    the series for twice as many heads.
    """
    whole = 2 ** int(math.log2(n_heads))
    steps = torch.arange(1, whole + 1)
    between = torch.arange(n_heads - whole) + 0.5
    return 2.0 ** (-8 / whole * torch.cat((steps, between)))


def absolute_positions(kind: PositionKind, d_model: int, max_len: int) -> nn.Module:
    """Build what the embedding adds: a table, or nothing for the other kinds."""
    if kind == "sinusoidal":
        return SinusoidalPositions(d_model, max_len)
    if kind == "learned":
        return LearnedPositions(d_model, max_len)
    return NoPositions()


class NoPositions(nn.Module):
    """Add nothing: attention is told of positions in another way, or not at all."""

    def forward(
        self,
        x: Float[Tensor, "batch t d_model"],
        start: int = 0,
        pads: Int[Tensor, " batch"] | None = None,
    ) -> Float[Tensor, "batch t d_model"]:
        """Return x."""
        return x


def relative_positions(
    kind: PositionKind,
    d_model: int,
    n_heads: int,
    max_len: int,
    rotary_base: float = 10_000.0,
) -> RelativePositions:
    """Build what every self-attention asks; only a relative kind does something."""
    if kind == "rotary":
        return RotaryPositions(d_model // n_heads, max_len, rotary_base)
    if kind == "alibi":
        return AlibiPositions(n_heads)
    return RelativePositions()
