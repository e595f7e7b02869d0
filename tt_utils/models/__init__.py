"""Whole models, one file each: chapter 13."""

from tt_utils.models.bert import (
    BERTConfig,
    Classifier,
    ClassifierConfig,
    SpanReader,
)
from tt_utils.models.detector import Detector, DetectorConfig
from tt_utils.models.gpt import GPT, GPTConfig
from tt_utils.models.image_gpt import ImageGPT, ImageGPTConfig
from tt_utils.models.segmenter import Segmenter, SegmenterConfig
from tt_utils.models.transformer import Transformer, TransformerConfig
from tt_utils.models.vit import ViT, ViTConfig

__all__ = [
    "GPT",
    "BERTConfig",
    "Classifier",
    "ClassifierConfig",
    "Detector",
    "DetectorConfig",
    "GPTConfig",
    "ImageGPT",
    "ImageGPTConfig",
    "Segmenter",
    "SegmenterConfig",
    "SpanReader",
    "Transformer",
    "TransformerConfig",
    "ViT",
    "ViTConfig",
]
