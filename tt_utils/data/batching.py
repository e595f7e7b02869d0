"""Sentences of like length side by side, so that little of a batch is padding."""

import hashlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Int
from torch import Tensor

from tt_utils.data.tokenizer import BOS, EOS, PAD

IdPair = tuple[list[int], list[int]]


@dataclass(frozen=True)
class Batch:
    """Source ids, what the decoder reads (teacher forcing), and what it must say next.

    `real` are the places of labels that are no padding, in the flattened labels.
    """

    src: Int[Tensor, "batch t_src"]
    tgt: Int[Tensor, "batch t_tgt"]
    labels: Int[Tensor, "batch t_tgt"]
    real: Int[Tensor, " n"]

    @property
    def weight(self) -> int:
        """Count the predictions that the loss is the mean of."""
        return len(self.real)

    def to(self, device: torch.device | str) -> "Batch":
        """Move it to a device; nothing there need be waited for."""
        parts = {name: getattr(self, name).to(device) for name in self.__annotations__}
        return Batch(**parts)

    def split(self, parts: int) -> list["Batch"]:
        """Cut its rows into at most so many micro-batches, as even as can be."""
        parts = min(parts, len(self.src))
        is_real = torch.zeros_like(self.labels, dtype=torch.bool).flatten()
        is_real[self.real] = True
        rows = zip(
            *(x.tensor_split(parts) for x in (self.src, self.tgt, self.labels)),
            is_real.view_as(self.labels).tensor_split(parts),
            strict=True,
        )
        return [Batch(src, tgt, labels, places(r)) for src, tgt, labels, r in rows]


def places(is_real: Tensor) -> Int[Tensor, " n"]:
    """Number the flattened entries that are True."""
    return is_real.flatten().nonzero()[:, 0]


def pad(rows: Sequence[Sequence[int]], pad_id: int = PAD) -> Int[Tensor, "batch t"]:
    """Fill rows up to the longest of them with <pad>.

    Raises:
        ValueError: there are no rows.
    """
    if not rows:
        raise ValueError("pad: there are no rows; give at least one list of ids.")
    length = max(len(row) for row in rows)
    return torch.tensor([[*row, *[pad_id] * (length - len(row))] for row in rows])


def make_batch(
    pairs: Sequence[IdPair], pad_id: int = PAD, bos_id: int = BOS, eos_id: int = EOS
) -> Batch:
    """Shift the target by one: the decoder reads <s> a b and must say a b </s>."""
    labels = pad([[*tgt, eos_id] for _, tgt in pairs], pad_id)
    return Batch(
        src=pad([[*src, eos_id] for src, _ in pairs], pad_id),
        tgt=pad([[bos_id, *tgt] for _, tgt in pairs], pad_id),
        labels=labels,
        real=places(labels != pad_id),
    )


def shape_rank(pair: IdPair) -> tuple[int, int]:
    """Place a pair among others so that neighbours are alike on both sides.

    The longer side comes first. Within one length the difference of the sides rises
    and in the next it falls, so that it doesn't jump where the length changes.
    """
    source, target = map(len, pair)
    longer = max(source, target)
    difference = source - target
    return longer, difference if longer % 2 else -difference


@dataclass(frozen=True)
class PairBatches:
    """Sentence pairs in shuffled batches of like length, anew in every epoch.

    Pairs are shuffled first and sorted by length after, so that equal lengths meet
    other neighbours in every epoch. A batch of n rows, padded to its longest source or
    target, holds at most max_tokens numbers on either side; a single longer pair makes
    a batch of its own.

    Raises:
        ValueError: there are no pairs, or max_tokens is below 1.
    """

    pairs: Sequence[IdPair]
    max_tokens: int
    pad_id: int = PAD
    bos_id: int = BOS
    eos_id: int = EOS

    def __post_init__(self) -> None:
        if not self.pairs or self.max_tokens < 1:
            raise ValueError(
                f"PairBatches: {len(self.pairs)} pairs and max_tokens="
                f"{self.max_tokens}; give at least one of each."
            )

    def __iter__(self) -> Iterator[Batch]:
        return self.epoch()

    def epoch(self, seed: int | str = 0, start: int = 0) -> Iterator[Batch]:
        """Yield every pair once, from batch `start` on; those before aren't built."""
        for rows in self.order(seed)[start:]:
            chosen = [self.pairs[i] for i in rows]
            yield make_batch(chosen, self.pad_id, self.bos_id, self.eos_id)

    def order(self, seed: int | str) -> list[list[int]]:
        """Group the pairs' numbers into batches, in the order of this epoch."""
        rng = random.Random(seed)
        order = rng.sample(range(len(self.pairs)), len(self.pairs))
        order.sort(key=lambda i: shape_rank(self.pairs[i]))
        batches: list[list[int]] = [[]]
        widest = 0
        for i in order:
            width = max(len(side) for side in self.pairs[i]) + 1
            widest = max(widest, width)
            if batches[-1] and (len(batches[-1]) + 1) * widest > self.max_tokens:
                batches.append([])
                widest = width
            batches[-1].append(i)
        rng.shuffle(batches)
        return batches

    def fingerprint(self) -> str:
        """Tell these batches from others: the pairs and their size."""
        digest = hashlib.sha256()
        for pair in self.pairs:
            digest.update(repr(pair).encode())
        return (
            f"{len(self.pairs)} pairs, at most {self.max_tokens} tokens, "
            f"sha256 {digest.hexdigest()[:16]}"
        )
