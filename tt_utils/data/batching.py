"""Sentences of like length side by side, so that little of a batch is padding."""

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


def pad(rows: Sequence[Sequence[int]], pad_id: int = PAD) -> Int[Tensor, "batch t"]:
    """Fill rows up to the longest of them with <pad>."""
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
    pairs: Sequence[IdPair], max_tokens: int, seed: int | str = 0, pad_id: int = PAD
) -> Iterator[Batch]:
    """Yield every pair once, in shuffled batches of like length.

    Pairs are shuffled first and sorted by length after, so that equal lengths meet
    other neighbours in every epoch. A batch of n rows, padded to its longest source or
    target, holds at most max_tokens numbers on either side; a single longer pair makes
    a batch of its own.

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
    for batch in batches:
        yield make_batch([pairs[i] for i in batch], pad_id)
