"""The loss as training computes it and as validation reads it."""

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
    """

    def __init__(self, model: nn.Module, config: TrainingConfig) -> None:
        super().__init__()
        self.model = model
        self.loss = model.loss
        if config.compile:
            self.loss = torch.compile(model.loss, dynamic=True)
        self.half = HALF.get(config.precision)
        # A model whose loss knows no smoothing learns without it.
        smoothing = config.label_smoothing
        self.options = {"label_smoothing": smoothing} if smoothing else {}

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
    """
    device = next(model.parameters()).device
    total = weight = 0.0
    for batch in batches:
        total += batch.weight * model.loss(batch.to(device)).item()
        weight += batch.weight
    return total / weight
