"""A trained span reader with its vocabulary: question and passage in, answer out."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from tt_utils.checkpoint import CheckpointError
from tt_utils.data.squad import (
    Reading,
    SpanExample,
    encode_reading,
    span_batch,
    words_of,
)
from tt_utils.data.tokenizer import WordTokenizer
from tt_utils.decoding.trained import TextError, load_trained
from tt_utils.models.bert import SpanReader

MAX_WORDS = 8  # in an answer, where the recipe of the training says nothing
ROWS = 128  # questions in work at once


class AnsweringError(TextError):
    """A question can't be answered; the message says why, and what helps."""


@dataclass(frozen=True)
class Found:
    """An answer as it stands in the passage, and its probability; None: there is none.

    The probability is the start's times the end's.
    """

    text: str | None
    probability: float


def best_spans(
    logits: Float[Tensor, "batch 2 t"], allowed: Bool[Tensor, "batch t"], max_words: int
) -> tuple[Int[Tensor, "batch 2"], Float[Tensor, " batch"]]:
    """Find the possible span whose start and end score highest together.

    Possible are spans of allowed tokens with at most `max_words`, the end not before
    the start, and the first token alone, "there is no answer". The second result is
    the sum of both log-probabilities.

    Raises:
        ValueError: max_words is below 1.
    Source: Devlin et al. 2019, section 4.2.
    """
    if max_words < 1:
        raise ValueError(f"best_spans: max_words is {max_words}; give at least 1.")
    log_p = logits.masked_fill(~allowed[:, None], -float("inf")).log_softmax(-1)
    start, end = log_p.unbind(1)  # each (batch, t)
    total = start[:, :, None] + end[:, None, :]  # (batch, t_start, t_end)
    t = logits.shape[-1]
    place = torch.arange(t, device=logits.device)
    length = place - place[:, None] + 1  # (t_start, t_end)
    possible = (length >= 1) & (length <= max_words)
    possible[0, 1:] = False  # "no answer" isn't the start of one
    best, where = total.masked_fill(~possible, -float("inf")).flatten(1).max(-1)
    return torch.stack((where // t, where % t), dim=1), best


@dataclass(frozen=True)
class Answerer:
    """Answer questions about passages; `about` says what the model was trained on."""

    model: SpanReader
    tokenizer: WordTokenizer
    about: dict[str, Any]

    @classmethod
    def load(
        cls, checkpoint: Path | str, device: torch.device | str = "cpu"
    ) -> "Answerer":
        """Read what a training run wrote, with the vocabulary kept in it.

        Raises:
            CheckpointError: it is missing, damaged, or its parts don't fit.
        """
        model, [tokenizer, *_], about = load_trained(checkpoint, SpanReader)
        if not isinstance(tokenizer, WordTokenizer):
            raise CheckpointError(
                f"{checkpoint} has a {type(tokenizer).__name__}; answering needs a "
                "WordTokenizer, which keeps the places of words."
            )
        return cls(model.to(device), tokenizer, about)

    def encode(self, question: str, passage: str) -> SpanExample:
        """Turn a question and a passage into what the model reads.

        Raises:
            AnsweringError: one has no words, or together they have too many.
        """
        for name, text in (("question", question), ("passage", passage)):
            if not words_of(text):
                raise AnsweringError(f"there are no words in the {name}; write some.")
        try:
            return encode_reading(
                Reading("asked", question, passage, ()),
                self.tokenizer,
                self.model.config.max_len,
            )
        except ValueError as error:
            asked, told = len(words_of(question)), len(words_of(passage))
            raise AnsweringError(
                f"the question has {asked:,} words and marks, the passage {told:,}; "
                f"together they may have {self.model.config.max_len - 3}: cut the "
                "passage."
            ) from error

    def unknown(self, question: str, passage: str) -> list[str]:
        """List the words that training never showed; the model reads them as <unk>."""
        words = words_of(question) + words_of(passage)
        return [word.text for word in words if self.tokenizer.unknown(word.text)]

    def answer(self, question: str, passage: str) -> Found:
        """Find the answer, or say that there is none.

        Raises:
            AnsweringError: as for `encode`.
        """
        return self.answer_all([(question, passage)])[0]

    @torch.no_grad()
    def answer_all(self, pairs: Sequence[tuple[str, str]]) -> list[Found]:
        """Answer each (question, passage).

        Raises:
            AnsweringError: as for `encode`.
        """
        device = next(self.model.parameters()).device
        max_words = self.about.get("max_words", MAX_WORDS)
        found: list[Found] = []
        for i in range(0, len(pairs), ROWS):
            part = pairs[i : i + ROWS]
            examples = [self.encode(*pair) for pair in part]
            batch = span_batch(examples, self.tokenizer.pad_id).to(device)
            spans, logs = best_spans(self.model(batch.tokens), batch.allowed, max_words)
            for (_, passage), example, span, log in zip(
                part, examples, spans.tolist(), logs.exp().tolist(), strict=True
            ):
                found.append(Found(text_of(passage, example, span), log))
        return found


def text_of(passage: str, example: SpanExample, span: Sequence[int]) -> str | None:
    """Copy the tokens of a span from the passage; None for the first token."""
    start, end = span
    if start == 0:
        return None
    words = words_of(passage)
    return passage[words[start - example.first].start : words[end - example.first].end]
