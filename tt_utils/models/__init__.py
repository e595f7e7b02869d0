"""Whole models, one file each: chapters 13, 19 and 20."""

from tt_utils.models.transformer import Transformer, TransformerConfig

__all__ = ["Transformer", "TransformerConfig"]
