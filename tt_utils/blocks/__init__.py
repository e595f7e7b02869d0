"""What every Transformer is made of: chapters 2 and 5 to 12."""

from tt_utils.blocks.attention import MultiHeadAttention, scaled_dot_product_attention
from tt_utils.blocks.dropout import Dropout
from tt_utils.blocks.embedding import TokenEmbedding
from tt_utils.blocks.layers import DecoderLayer, EncoderLayer, FeedForward
from tt_utils.blocks.masks import causal_mask, padding_mask
from tt_utils.blocks.positions import (
    PositionKind,
    RelativePositions,
    absolute_positions,
    sinusoidal_positions,
)

__all__ = [
    "DecoderLayer",
    "Dropout",
    "EncoderLayer",
    "FeedForward",
    "MultiHeadAttention",
    "PositionKind",
    "RelativePositions",
    "TokenEmbedding",
    "absolute_positions",
    "causal_mask",
    "padding_mask",
    "scaled_dot_product_attention",
    "sinusoidal_positions",
]
