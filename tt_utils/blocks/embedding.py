"""From token ids to vectors: a row of a table each, with its position."""

import math

from jaxtyping import Float, Int
from torch import Tensor, nn

from tt_utils.blocks.dropout import Dropout
from tt_utils.blocks.positions import PositionKind, absolute_positions


class TokenEmbedding(nn.Module):
    """Look up one row per token id, scale it by √d_model and add the position.

    Source: Vaswani et al. 2017, sections 3.4 and 3.5. Rows start with standard
    deviation 1/√d_model, so that the scaled rows have variance 1. Models of GPT's kind
    don't scale.
    """

    def __init__(
        self,
        vocab_size: int,
        d_model: int,
        max_len: int,
        dropout: float,
        positions: PositionKind = "sinusoidal",
        scaled: bool = True,
    ) -> None:
        super().__init__()
        self.table = nn.Embedding(vocab_size, d_model)
        self.scale = math.sqrt(d_model) if scaled else 1.0
        self.positions = absolute_positions(positions, d_model, max_len)
        self.dropout = Dropout(dropout)
        nn.init.normal_(self.table.weight, std=1 / math.sqrt(d_model))

    def forward(
        self,
        tokens: Int[Tensor, "batch t"],
        start: int = 0,
        pads: Int[Tensor, " batch"] | None = None,
    ) -> Float[Tensor, "batch t d_model"]:
        """Turn ids into vectors that know their place, counted from `start`.

        Row i counts from behind its first `pads[i]` tokens, which are padding.

        Raises:
            ValueError: there is no token, or, on a CPU, an id outside the vocabulary.
        """
        rows = look_up(self.table, tokens)  # (batch, t, d_model)
        return self.dropout(self.positions(rows * self.scale, start, pads))


def look_up(
    table: nn.Embedding, tokens: Int[Tensor, "batch t"]
) -> Float[Tensor, "batch t d_model"]:
    """Take a row per id, or say in one sentence why that can't be."""
    if tokens.dim() != 2:
        raise ValueError(
            f"TokenEmbedding: tokens has shape {tuple(tokens.shape)}; give (batch, t), "
            "for one sentence tokens[None]."
        )
    if not tokens.numel():
        raise ValueError(
            f"TokenEmbedding: tokens has shape {tuple(tokens.shape)}; give at least "
            "one sentence of one token, such as </s>."
        )
    try:
        return table(tokens)
    except IndexError:
        low, high = int(tokens.min()), int(tokens.max())
        raise ValueError(
            f"TokenEmbedding: ids run from {low} to {high}, the vocabulary from 0 to "
            f"{table.num_embeddings - 1}; use the tokenizer of this model."
        ) from None
