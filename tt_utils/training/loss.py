"""The loss as training computes it and as validation reads it."""

import inspect
from collections.abc import Iterable
from typing import Protocol, runtime_checkable

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tt_utils.training.config import TrainingConfig

HALF = {"bf16": torch.bfloat16, "fp16": torch.float16}


@runtime_checkable
class TrainingBatch(Protocol):
    """What training asks of a batch, whatever it holds."""

    @property
    def weight(self) -> int:
        """How many predictions its loss is the mean of."""

    def to(self, device: torch.device | str) -> "TrainingBatch":
        """The same on another device."""

    def split(self, parts: int) -> list["TrainingBatch"]:
        """Its rows in at most so many pieces (micro-batches)."""


class LossModule(nn.Module):
    """A model that answers with its loss: what DDP wraps.

    Products are in `config.precision`, all else in that of the weights.

    Raises:
        ValueError: labels should be smoothed, and the model's loss knows no smoothing.
    """

    def __init__(self, model: nn.Module, config: TrainingConfig) -> None:
        super().__init__()
        self.model = model
        self.loss = model.loss
        if config.compile:
            self.loss = torch.compile(model.loss, dynamic=True)
        self.half = HALF.get(config.precision)
        self.options = {}
        if config.label_smoothing:
            if "label_smoothing" not in inspect.signature(model.loss).parameters:
                raise ValueError(
                    f"train: {type(model).__name__}.loss takes no label_smoothing; "
                    "leave it out of TrainingConfig, or let the loss take it."
                )
            self.options["label_smoothing"] = config.label_smoothing

    def forward(self, batch: TrainingBatch) -> Float[Tensor, ""]:
        """Average over the batch's predictions."""
        kind = next(self.model.parameters()).device.type
        with torch.autocast(kind, self.half, enabled=self.half is not None):
            return self.loss(batch, **self.options)


@torch.no_grad()
def validation_loss(model: nn.Module, batches: Iterable[TrainingBatch]) -> float:
    """Average the loss over batches that nobody trains on.

    Without label smoothing, so that e^loss is the perplexity where the loss is a
    cross-entropy. The model's mode is left alone.

    Raises:
        ValueError: the batches ask for no prediction.
    """
    device = next(model.parameters()).device
    total = weight = 0.0
    for batch in batches:
        if batch.weight:
            total += batch.weight * model.loss(batch.to(device)).item()
            weight += batch.weight
    if not weight:
        raise ValueError(
            "validation_loss: the batches ask for no prediction; give at least one."
        )
    return total / weight
