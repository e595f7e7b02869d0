"""Sentences of like length side by side, so that little of a batch is padding."""

import hashlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from tt_utils.data.tokenizer import BOS, EOS, PAD

IdPair = tuple[list[int], list[int]]


@dataclass(frozen=True)
class Batch:
    """Source ids, what the decoder has read so far, and what it must say next."""

    src: Int[Tensor, "batch t_src"]
    tgt: Int[Tensor, "batch t_tgt"]
    labels: Int[Tensor, "batch t_tgt"]
    pad_id: int = PAD

    @property
    def real(self) -> Bool[Tensor, "batch t_tgt"]:
        """Say which labels are words to be said, not padding."""
        return self.labels != self.pad_id

    @property
    def weight(self) -> int:
        """Count the real labels: the loss is an average over them."""
        return int(self.real.sum())

    def to(self, device: torch.device | str) -> "Batch":
        """Copy the batch to a device."""
        sides = (side.to(device) for side in (self.src, self.tgt, self.labels))
        return Batch(*sides, self.pad_id)

    def split(self, parts: int) -> "list[Batch]":
        """Cut the rows into micro-batches, as many as asked for or as there are rows.

        Each weighs its share of the whole: losses times weights add up.
        """
        parts = min(parts, len(self.src))
        sides = (self.src, self.tgt, self.labels)
        cut = zip(*(side.tensor_split(parts) for side in sides), strict=True)
        return [Batch(*part, self.pad_id) for part in cut]


def pad(rows: Sequence[Sequence[int]], pad_id: int = PAD) -> Int[Tensor, "batch t"]:
    """Fill rows up to the longest of them with <pad>.

    Raises:
        ValueError: there are no rows.
    """
    if not rows:
        raise ValueError("pad: there are no rows; give at least one sentence's ids.")
    length = max(len(row) for row in rows)
    return torch.tensor([[*row, *[pad_id] * (length - len(row))] for row in rows])


def make_batch(pairs: Sequence[IdPair], pad_id: int = PAD) -> Batch:
    """Shift the target by one: the decoder reads <s> a b and must say a b </s>."""
    return Batch(
        src=pad([[*src, EOS] for src, _ in pairs], pad_id),
        tgt=pad([[BOS, *tgt] for _, tgt in pairs], pad_id),
        labels=pad([[*tgt, EOS] for _, tgt in pairs], pad_id),
        pad_id=pad_id,
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


def token_batches(
    pairs: Sequence[IdPair],
    max_tokens: int,
    seed: int | str = 0,
    pad_id: int = PAD,
    start: int = 0,
) -> Iterator[Batch]:
    """Yield every pair once, in shuffled batches of like length.

    Pairs are shuffled first and sorted by length after, so that equal lengths meet
    other neighbours in every epoch. A batch of n rows, padded to its longest source or
    target, holds at most max_tokens numbers on either side; a single longer pair makes
    a batch of its own. Batches before number `start` are left out, and never built.

    Raises:
        ValueError: there are no pairs.
    """
    if not pairs:
        raise ValueError("token_batches: there are no pairs to make batches of.")
    rng = random.Random(seed)
    order = rng.sample(range(len(pairs)), len(pairs))
    order.sort(key=lambda i: shape_rank(pairs[i]))
    batches: list[list[int]] = [[]]
    widest = 0
    for i in order:
        width = max(len(side) for side in pairs[i]) + 1
        widest = max(widest, width)
        if batches[-1] and (len(batches[-1]) + 1) * widest > max_tokens:
            batches.append([])
            widest = width
        batches[-1].append(i)
    rng.shuffle(batches)
    for batch in batches[start:]:
        yield make_batch([pairs[i] for i in batch], pad_id)


@dataclass(frozen=True)
class PairBatches:
    """Pairs of sentences to train on, epoch by epoch."""

    pairs: Sequence[IdPair]
    max_tokens: int
    pad_id: int = PAD

    def epoch(self, seed: int | str, start: int = 0) -> Iterator[Batch]:
        """Shuffle by the seed alone, and begin with batch number `start`."""
        return token_batches(self.pairs, self.max_tokens, seed, self.pad_id, start)

    def fingerprint(self) -> str:
        """Tell these pairs from others: their number and SHA-256."""
        digest = hashlib.sha256()
        for pair in self.pairs:
            digest.update(repr(pair).encode())
        return f"{len(self.pairs)} pairs, sha256 {digest.hexdigest()[:16]}"
