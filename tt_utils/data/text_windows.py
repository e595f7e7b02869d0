"""Long text as one row of ids, and windows of it as batches for a language model."""

import hashlib
import random
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor

from tt_utils.data.tokenizer import Tokenizer

LINES_AT_ONCE = 1_000


def encode_stream(lines: Iterable[str], tokenizer: Tokenizer) -> np.ndarray:
    """Encode lines, an open file for example, each followed by the end token.

    Two bytes a token, or four for large vocabularies; never more than a few lines are
    held as text. The end of a line itself isn't encoded.

    Raises:
        ValueError: there are no lines.
    """
    ids = array("H" if len(tokenizer) <= 2**16 else "I")
    lines = iter(lines)
    while group := list(islice(lines, LINES_AT_ONCE)):
        for row in tokenizer.encode_batch(line.rstrip("\r\n") for line in group):
            ids.extend(row)
            ids.append(tokenizer.eos_id)
    if not ids:
        raise ValueError("encode_stream: there are no lines to encode.")
    return np.frombuffer(ids, dtype=ids.typecode)


@dataclass(frozen=True)
class TextBatch:
    """Windows of a text: at each place the model reads one token and says the next."""

    tokens: Int[Tensor, "batch t"]

    @property
    def inputs(self) -> Int[Tensor, "batch length"]:
        """All tokens but the last."""
        return self.tokens[:, :-1]

    @property
    def labels(self) -> Int[Tensor, "batch length"]:
        """All tokens but the first."""
        return self.tokens[:, 1:]

    @property
    def real(self) -> "slice | Int[Tensor, ' n']":
        """The places of labels to learn from, in the flattened labels: all of them."""
        return slice(None)

    @property
    def weight(self) -> int:
        """Count the predicted tokens: the loss is an average over them."""
        return self.labels.numel()

    def to(self, device: torch.device | str) -> "TextBatch":
        """Copy the batch to a device."""
        return TextBatch(self.tokens.to(device))

    def split(self, parts: int) -> "list[TextBatch]":
        """Cut the rows into micro-batches, as many as asked for or as there are rows.

        Each weighs its share of the whole: losses times weights add up.
        """
        parts = min(parts, len(self.tokens))
        return [TextBatch(part) for part in self.tokens.tensor_split(parts)]


@dataclass(frozen=True)
class TextWindows:
    """A long text to train on, cut anew in every epoch; `rows` windows a batch.

    Windows share their border token, so that each token is predicted once. The first
    window begins at a random place of the first `length`; what is left over at both
    ends comes in other epochs.
    """

    tokens: np.ndarray
    length: int
    rows: int

    def __post_init__(self) -> None:
        """Refuse a text without a single window."""
        if len(self.tokens) <= self.length:
            raise ValueError(
                f"TextWindows: the text has {len(self.tokens):,} tokens; a window of "
                f"{self.length:,} needs one more than that. Give more text."
            )

    def epoch(self, seed: int | str, start: int = 0) -> Iterator[TextBatch]:
        """Cut and shuffle by the seed alone, and begin with batch number `start`."""
        rng = random.Random(seed)
        spare = len(self.tokens) - 1 - self.length
        first = rng.randint(0, min(self.length - 1, spare))
        places = list(range(first, len(self.tokens) - self.length, self.length))
        rng.shuffle(places)
        for i in range(start * self.rows, len(places), self.rows):
            yield self.batch(places[i : i + self.rows])

    def batch(self, places: list[int]) -> TextBatch:
        """Put the windows that begin at these places one below the other."""
        windows = [self.tokens[place : place + self.length + 1] for place in places]
        return TextBatch(torch.from_numpy(np.stack(windows).astype(np.int64)))

    def fingerprint(self) -> str:
        """Tell this text from another: its number of tokens and SHA-256."""
        digest = hashlib.sha256(np.ascontiguousarray(self.tokens).data)
        return f"{len(self.tokens)} tokens, sha256 {digest.hexdigest()[:16]}"
