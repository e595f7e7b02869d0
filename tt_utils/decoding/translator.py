"""A trained model with its vocabularies: sentences in, sentences out."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from tqdm import tqdm

from tt_utils.data.batching import pad
from tt_utils.data.tokenizer import Tokenizer
from tt_utils.decoding.search import beam_search
from tt_utils.decoding.trained import TextError, load_trained
from tt_utils.models.transformer import Transformer

# Room for a translation that is longer than its source.
ROOM = 30
LENGTH_PENALTY = 0.6  # where the recipe of the training names none


class TranslationError(TextError):
    """A sentence can't be translated; the message says why, and what helps."""


@dataclass(frozen=True)
class Translator:
    """Translate texts; `about` says what the model was trained on."""

    model: Transformer
    source: Tokenizer
    target: Tokenizer
    about: dict[str, Any]

    @classmethod
    def load(
        cls, checkpoint: Path | str, device: torch.device | str = "cpu"
    ) -> "Translator":
        """Read what a training run wrote, with the vocabularies kept in it.

        Raises:
            CheckpointError: it is missing, damaged, or its parts don't fit.
        """
        sizes = "src_vocab_size", "tgt_vocab_size"
        model, tokenizers, about = load_trained(checkpoint, Transformer, sizes)
        return cls(model.to(device), tokenizers[0], tokenizers[-1], about)

    def encode(self, text: str) -> list[int]:
        """Turn a sentence into what the encoder reads.

        Raises:
            TranslationError: there are no words, or too many.
        """
        ids = [*self.source.encode(text.strip()), self.source.eos_id]
        if len(ids) == 1:
            raise TranslationError("there are no words to translate; write a sentence.")
        if len(ids) > self.model.config.max_len:
            raise TranslationError(
                f"the sentence has {len(text.split()):,} words ({len(ids):,} tokens), "
                f"the model reads at most {self.model.config.max_len}; split it into "
                "sentences."
            )
        return ids

    def translate(
        self,
        texts: Sequence[str],
        beam_size: int = 4,
        max_tokens: int = 4_096,
        show_progress: bool = False,
    ) -> list[str]:
        """Translate every text; about max_tokens beams' tokens are in work at once.

        Raises:
            TranslationError: one has no words, or too many.
            ValueError: beam_size is below 1.
        """
        rows = [self.encode(text) for text in texts]
        return self.translate_ids(rows, beam_size, max_tokens, show_progress)

    def translate_ids(
        self,
        rows: Sequence[Sequence[int]],
        beam_size: int = 4,
        max_tokens: int = 4_096,
        show_progress: bool = False,
    ) -> list[str]:
        """Translate what `encode` gave; the texts come in the order of the rows."""
        outputs = [""] * len(rows)
        config, device = self.model.config, next(self.model.parameters()).device
        penalty = self.about.get("length_penalty", LENGTH_PENALTY)
        with tqdm(
            total=len(rows), unit="sentence", file=sys.stderr, disable=not show_progress
        ) as progress:
            for group in batches_of(rows, max_tokens // max(beam_size, 1)):
                src = pad([rows[i] for i in group], config.pad_id)
                longest = min(src.shape[1] + ROOM, config.max_len)
                found = beam_search(
                    self.model, src.to(device), beam_size, penalty, longest
                )
                for i, row in zip(group, found.tolist(), strict=True):
                    outputs[i] = self.target.decode(row)
                progress.update(len(group))
        return outputs


def batches_of(rows: Sequence[Sequence[int]], max_tokens: int) -> Iterator[list[int]]:
    """Group the rows' numbers so that lengths are alike, longest first."""
    group: list[int] = []
    for i in sorted(range(len(rows)), key=lambda i: -len(rows[i])):
        if group and (len(group) + 1) * (len(rows[group[0]]) + ROOM) > max_tokens:
            yield group
            group = []
        group.append(i)
    if group:
        yield group
