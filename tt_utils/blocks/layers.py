"""What stands around attention, and the two layers that are built of it."""

from collections.abc import Callable

from jaxtyping import Bool, Float
from torch import Tensor, nn

from tt_utils.blocks.attention import MultiHeadAttention
from tt_utils.blocks.cache import KeyValueCache, LayerCache
from tt_utils.blocks.dropout import Dropout
from tt_utils.blocks.positions import (
    RelativePositions,
)


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
