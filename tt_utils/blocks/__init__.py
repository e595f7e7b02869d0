"""What every Transformer is made of: chapters 2 and 5 to 12."""

from tt_utils.blocks.attention import MultiHeadAttention, scaled_dot_product_attention
from tt_utils.blocks.config import LayerConfig
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
from tt_utils.blocks.recording import record_attention
from tt_utils.blocks.stacks import Decoder, Encoder

__all__ = [
    "Decoder",
    "DecoderLayer",
    "Dropout",
    "Encoder",
    "EncoderLayer",
    "FeedForward",
    "LayerConfig",
    "MultiHeadAttention",
    "PositionKind",
    "RelativePositions",
    "TokenEmbedding",
    "absolute_positions",
    "causal_mask",
    "padding_mask",
    "record_attention",
    "scaled_dot_product_attention",
    "sinusoidal_positions",
]
