"""Rebuild a trained model from the checkpoint of its training."""

from pathlib import Path
from typing import Any

from torch import nn

from tt_utils.checkpoint import CheckpointError, fill, load_checkpoint
from tt_utils.models.transformer import Transformer, TransformerConfig

# By the name that a training run writes beside the config.
MODELS = {"Transformer": (TransformerConfig, Transformer)}


def load_model(folder: Path | str) -> tuple[nn.Module, Any]:
    """Rebuild a trained model, ready for use, and the vocabulary kept with it.

    Where training averaged the weights, the model gets the average.

    Raises:
        CheckpointError: as for `load_checkpoint`.
    """
    checkpoint = load_checkpoint(folder)
    try:
        sizes = dict(checkpoint.info["model"])
        config, build = MODELS[sizes.pop("kind")]
        model = build(config(**sizes))
    except (KeyError, TypeError, ValueError) as error:
        raise CheckpointError(
            f"load_checkpoint: {checkpoint.path} doesn't describe a model that "
            "this version of tt_utils can build; use the version that wrote it."
        ) from error
    fill(model, checkpoint.part("average") or checkpoint.part("model"))
    return model.eval(), checkpoint.info.get("vocabulary")
