"""Rebuild a trained model from the checkpoint of its training."""

from pathlib import Path
from typing import Any

from torch import nn

from tt_utils.checkpoint import CheckpointError, fill, load_checkpoint
from tt_utils.models.bert import BERTConfig, Classifier, ClassifierConfig, SpanReader
from tt_utils.models.detector import Detector, DetectorConfig
from tt_utils.models.gpt import GPT, GPTConfig
from tt_utils.models.image_gpt import ImageGPT, ImageGPTConfig
from tt_utils.models.segmenter import Segmenter, SegmenterConfig
from tt_utils.models.transformer import Transformer, TransformerConfig
from tt_utils.models.vit import ViT, ViTConfig

# By the name that a training run writes beside the config.
MODELS: dict[str, tuple[type, type[nn.Module]]] = {}


def register(config: type, model: type[nn.Module]) -> None:
    """Let `load_model` rebuild models of this class, as `model(config(…))`.

    Raises:
        ValueError: another class of this name is registered.
    """
    known = MODELS.setdefault(model.__name__, (config, model))
    if known != (config, model):
        raise ValueError(
            f"register: a model named {model.__name__} is known already, from "
            f"{known[1].__module__}; give yours another name."
        )


register(TransformerConfig, Transformer)
register(GPTConfig, GPT)
register(ClassifierConfig, Classifier)
register(BERTConfig, SpanReader)
register(ViTConfig, ViT)
register(ImageGPTConfig, ImageGPT)
register(SegmenterConfig, Segmenter)
register(DetectorConfig, Detector)


def load_model(folder: Path | str) -> tuple[nn.Module, Any]:
    """Rebuild a trained model, ready for use, and the vocabulary kept with it.

    Where training averaged the weights, the model gets the average.

    Raises:
        CheckpointError: as for `load_checkpoint`; or it holds a model that is not
            registered.
    """
    checkpoint = load_checkpoint(folder)
    try:
        sizes = dict(checkpoint.info["model"])
        kind = sizes.pop("kind")
        if kind not in MODELS:
            raise CheckpointError(
                f"load_model: {checkpoint.path} holds the model {kind}; known are "
                f"{', '.join(MODELS)}. Import yours and call tt_utils.models.saved."
                "register(its config's class, its class) first."
            )
        config, build = MODELS[kind]
        model = build(config(**sizes))
    except (KeyError, TypeError, ValueError) as error:
        raise CheckpointError(
            f"load_checkpoint: {checkpoint.path} doesn't describe a model that "
            "this version of tt_utils can build; use the version that wrote it."
        ) from error
    fill(model, checkpoint.part("average") or checkpoint.part("model"))
    return model.eval(), checkpoint.info.get("vocabulary")
