"""What stands around attention, and the two layers that are built of it."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int, UInt8
from torch import Tensor, nn

from tt_utils.attention import KeyValueCache, MultiHeadAttention
from tt_utils.positions import PositionKind, RelativePositions, absolute_positions


class Dropout(nn.Dropout):
    """Drop features like `nn.Dropout`, on a CPU in a third of the time.

    There one random byte decides on each feature, so p is rounded to a 256th.
    """

    def forward(self, x: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
        """Set a share p to zero and scale the others up, in training only."""
        dropped = round(256 * self.p)
        if not self.training or x.device.type != "cpu" or dropped in (0, 256):
            return super().forward(x)
        kept = random_bytes(x) >= dropped
        return x * kept.to(x.dtype).mul_(256 / (256 - dropped))


def random_bytes(x: Float[Tensor, "*shape"]) -> UInt8[Tensor, "*shape"]:
    """Draw a number from 0 to 255 for each of x's, eight at a time."""
    eights = torch.empty(-(-x.numel() // 8), dtype=torch.int64, device=x.device)
    eights.random_(-(2**63), None)
    return eights.view(torch.uint8)[: x.numel()].view(x.shape)


class TokenEmbedding(nn.Module):
    """Look up one row per token id, scale it by √d_model and add the position.

    Source: Vaswani et al. 2017, sections 3.4 and 3.5. Rows start with standard
    deviation 1/√d_model, so that the scaled rows have variance 1.
    """

    def __init__(
        self,
        vocab_size: int,
        d_model: int,
        max_len: int,
        dropout: float,
        positions: PositionKind = "sinusoidal",
    ) -> None:
        super().__init__()
        self.table = nn.Embedding(vocab_size, d_model)
        self.scale = math.sqrt(d_model)
        self.positions = absolute_positions(positions, d_model, max_len)
        self.dropout = Dropout(dropout)
        nn.init.normal_(self.table.weight, std=1 / self.scale)

    def forward(
        self, tokens: Int[Tensor, "batch t"], start: int = 0
    ) -> Float[Tensor, "batch t d_model"]:
        """Turn ids into vectors that know their place, counted from `start`."""
        return self.dropout(self.positions(self.table(tokens) * self.scale, start))


class FeedForward(nn.Module):
    """Widen, cut off what is negative, narrow again: each position for itself.

    Source: Vaswani et al. 2017, equation 2.
    """

    def __init__(self, d_model: int, d_ff: int, dropout: float) -> None:
        super().__init__()
        self.widen = nn.Linear(d_model, d_ff)
        self.narrow = nn.Linear(d_ff, d_model)
        self.dropout = Dropout(dropout)

    def forward(
        self, x: Float[Tensor, "batch t d_model"]
    ) -> Float[Tensor, "batch t d_model"]:
        """Compute max(0, xW₁ + b₁)W₂ + b₂."""
        return self.narrow(self.dropout(self.widen(x).relu()))


class Residual(nn.Module):
    """Add a sub-layer's answer to what went in, and normalise.

    `norm_first=False` is the paper's post-norm, LayerNorm(x + f(x));
    `norm_first=True` is pre-norm, x + f(LayerNorm(x)).

    Source: Vaswani et al. 2017, section 3.1; Xiong et al. 2020 for pre-norm.
    """

    def __init__(self, d_model: int, dropout: float, norm_first: bool) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(d_model)
        self.dropout = Dropout(dropout)
        self.norm_first = norm_first

    def forward(
        self,
        x: Float[Tensor, "batch t d_model"],
        sublayer: Callable[[Tensor], Tensor],
    ) -> Float[Tensor, "batch t d_model"]:
        """Run `sublayer` on the branch; x itself passes untouched to the sum."""
        if self.norm_first:
            return x + self.dropout(sublayer(self.norm(x)))
        return self.norm(x + self.dropout(sublayer(x)))


class EncoderLayer(nn.Module):
    """Let every token look at all tokens, then think about what it saw.

    With a causal mask, and a cache, it is the layer of a decoder-only model.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        d_ff: int,
        dropout: float = 0.1,
        norm_first: bool = False,
        positions: RelativePositions | None = None,
    ) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads, positions)
        self.feed_forward = FeedForward(d_model, d_ff, dropout)
        self.residuals = nn.ModuleList(
            Residual(d_model, dropout, norm_first) for _ in range(2)
        )

    def forward(
        self,
        x: Float[Tensor, "batch t d_model"],
        mask: Bool[Tensor, "..."] | None = None,
        kept: list[Tensor] | None = None,
        cache: KeyValueCache | None = None,
    ) -> Float[Tensor, "batch t d_model"]:
        """Run both sub-layers; append the weights to `kept` where it is given."""
        attend, think = self.residuals
        need = kept is not None
        x = attend(
            x, lambda y: keep(self.self_attention(y, y, y, mask, need, cache), kept)
        )
        return think(x, self.feed_forward)


@dataclass
class LayerCache:
    """What a decoder layer need not compute again: keys and values of both looks.

    Those of the source have the shape (batch, heads, t_src, d_head).
    """

    across: tuple[Tensor, Tensor]
    back: KeyValueCache


class DecoderLayer(nn.Module):
    """Look back at what is written, then across at the source, then think."""

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        d_ff: int,
        dropout: float = 0.1,
        norm_first: bool = False,
        positions: RelativePositions | None = None,
    ) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads, positions)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_ff, dropout)
        self.residuals = nn.ModuleList(
            Residual(d_model, dropout, norm_first) for _ in range(3)
        )

    def forward(
        self,
        x: Float[Tensor, "batch t_tgt d_model"],
        memory: Float[Tensor, "batch t_src d_model"] | None,
        tgt_mask: Bool[Tensor, "..."] | None = None,
        src_mask: Bool[Tensor, "..."] | None = None,
        kept_self: list[Tensor] | None = None,
        kept_cross: list[Tensor] | None = None,
        cache: LayerCache | None = None,
    ) -> Float[Tensor, "batch t_tgt d_model"]:
        """Run the three sub-layers; queries come from x, keys from `memory`.

        With a cache, x holds only positions that are not in it yet, and `memory`,
        which it knows already, may be None.
        """
        back, across, think = self.residuals
        own = cache.back if cache else None
        k, v = cache.across if cache else self.cross_attention.project(memory, memory)

        def look_back(y: Tensor) -> Tensor:
            need = kept_self is not None
            return keep(self.self_attention(y, y, y, tgt_mask, need, own), kept_self)

        def look_across(y: Tensor) -> Tensor:
            need = kept_cross is not None
            return keep(
                self.cross_attention.attend(y, k, v, src_mask, need), kept_cross
            )

        return think(across(back(x, look_back), look_across), self.feed_forward)

    def start_cache(
        self, memory: Float[Tensor, "batch t_src d_model"], max_len: int
    ) -> LayerCache:
        """Project the memory once, and make room for max_len target positions."""
        return LayerCache(
            self.cross_attention.project(memory, memory), KeyValueCache(max_len)
        )


def keep(attended: tuple[Tensor, Tensor | None], kept: list[Tensor] | None) -> Tensor:
    """Pass on what attention gave; append its weights to `kept` if given."""
    out, weights = attended
    if kept is not None:
        kept.append(weights)
    return out
