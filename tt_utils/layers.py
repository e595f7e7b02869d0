"""What stands around attention: embedding, feed-forward network, residual branch."""

import math
from collections.abc import Callable

from jaxtyping import Float, Int
from torch import Tensor, nn

from tt_utils.positions import SinusoidalPositions


class TokenEmbedding(nn.Module):
    """Look up one row per token id, scale it by √d_model and add the position.

    Source: Vaswani et al. 2017, sections 3.4 and 3.5. Rows start with standard
    deviation 1/√d_model, so that the scaled rows have variance 1.
    """

    def __init__(
        self, vocab_size: int, d_model: int, max_len: int, dropout: float
    ) -> None:
        super().__init__()
        self.table = nn.Embedding(vocab_size, d_model)
        self.scale = math.sqrt(d_model)
        self.positions = SinusoidalPositions(d_model, max_len)
        self.dropout = nn.Dropout(dropout)
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
        self.dropout = nn.Dropout(dropout)

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
        self.dropout = nn.Dropout(dropout)
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
