"""Texts or images with a label or an answer each, in shuffled batches."""

import hashlib
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Generic, TypeVar

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

Example = TypeVar("Example")
Rows = TypeVar("Rows", bound="RowBatch")


@dataclass(frozen=True)
class RowBatch:
    """Tensors with an entry for each row; a prediction a row."""

    @property
    def weight(self) -> int:
        """Count the predictions that the loss is the mean of."""
        return len(self.parts()[0])

    def to(self: Rows, device: torch.device | str) -> Rows:
        """Copy the batch to a device."""
        return type(self)(*(part.to(device) for part in self.parts()))

    def split(self: Rows, parts: int) -> list[Rows]:
        """Cut its rows into at most so many micro-batches, as even as can be."""
        parts = min(parts, len(self.parts()[0]))
        pieces = (part.tensor_split(parts) for part in self.parts())
        return [type(self)(*rows) for rows in zip(*pieces, strict=True)]

    def parts(self) -> list[Tensor]:
        """List its tensors in the order of the fields."""
        return [getattr(self, field.name) for field in fields(self)]


@dataclass(frozen=True)
class LabelledBatch(RowBatch):
    """Texts and the number of the kind that each belongs to."""

    tokens: Int[Tensor, "batch t"]
    labels: Int[Tensor, " batch"]


@dataclass(frozen=True)
class ImageBatch(RowBatch):
    """Images and the number of the kind that each belongs to."""

    images: Float[Tensor, "batch channels height width"]
    labels: Int[Tensor, " batch"]


@dataclass(frozen=True)
class SpanBatch(RowBatch):
    """Texts with an answer in them: the places of its first and its last token.

    `allowed` says which places can be either: those of the passage, and the first of
    all, which stands for "there is no answer".
    """

    tokens: Int[Tensor, "batch t"]
    allowed: Bool[Tensor, "batch t"]
    spans: Int[Tensor, "batch 2"]


@dataclass(frozen=True)
class ExampleBatches(Generic[Example]):
    """Examples in shuffled batches of `rows`, anew in every epoch.

    `collate` makes one batch of a list of examples.

    Raises:
        ValueError: there are no examples, or no rows in a batch.
    """

    examples: Sequence[Example]
    rows: int
    collate: Callable[[Sequence[Example]], RowBatch]

    def __post_init__(self) -> None:
        if not self.examples or self.rows < 1:
            raise ValueError(
                f"ExampleBatches: {len(self.examples)} examples in batches of "
                f"{self.rows}; give at least one of each."
            )

    def __iter__(self) -> Iterator[RowBatch]:
        return self.epoch()

    def epoch(self, seed: int | str = 0, start: int = 0) -> Iterator[RowBatch]:
        """Yield every example once, from batch number `start` on."""
        order = list(range(len(self.examples)))
        random.Random(seed).shuffle(order)
        for i in range(start * self.rows, len(order), self.rows):
            yield self.collate([self.examples[j] for j in order[i : i + self.rows]])

    def fingerprint(self) -> str:
        """Tell these batches from others: the examples and their number."""
        digest = hashlib.sha256()
        for example in self.examples:
            digest.update(repr(example).encode())
        return (
            f"{len(self.examples)} examples, {self.rows} a batch, "
            f"sha256 {digest.hexdigest()[:16]}"
        )
