"""A trained model with the tokenizers that were kept in its checkpoint."""

from pathlib import Path
from typing import Any, TypeVar

from torch import nn

from tt_utils.checkpoint import CheckpointError
from tt_utils.data.tokenizer import Tokenizer, tokenizer_from_json
from tt_utils.models.saved import load_model

Model = TypeVar("Model", bound=nn.Module)


class TextError(ValueError):
    """A model can't take a text; the message says why, and what helps."""


def load_trained(
    checkpoint: Path | str, kind: type[Model], sizes: tuple[str, ...] = ("vocab_size",)
) -> tuple[Model, list[Tokenizer], dict[str, Any]]:
    """Read what a training wrote: its model, its tokenizers, and what it is about.

    `sizes` names the config's sizes of vocabularies; a joint vocabulary is kept once.

    Raises:
        CheckpointError: it is missing, damaged, holds another kind of model, or its
            parts don't fit.
    """
    model, vocabulary = load_model(checkpoint)
    if not isinstance(model, kind):
        raise CheckpointError(
            f"{checkpoint} holds a {type(model).__name__}; this needs a "
            f"{kind.__name__}. Name the folder of such a training."
        )
    try:
        about, kept = vocabulary["about"], vocabulary["tokenizers"]
        tokenizers = [tokenizer_from_json(data, checkpoint) for data in kept]
        found = len(tokenizers[0]), len(tokenizers[-1])
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise CheckpointError(
            f"{checkpoint} holds no vocabulary to use its model with ({error}); "
            "train with `tt train`, which keeps it."
        ) from error
    wanted = tuple(getattr(model.config, size) for size in sizes)
    found = found[: len(wanted)]
    if found != wanted:
        raise CheckpointError(
            f"{checkpoint} doesn't fit together: its vocabulary has "
            f"{' and '.join(map(str, found))} entries, its model was made for "
            f"{' and '.join(map(str, wanted))}; train it again."
        )
    return model, tokenizers, about
