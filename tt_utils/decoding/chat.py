"""A conversation with a trained model, which reads what was said before."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import torch

from tt_utils.checkpoint import CheckpointError
from tt_utils.data.dialogue import MODEL, USER, Dialogue, prompt_ids
from tt_utils.data.tokenizer import WordTokenizer
from tt_utils.decoding.text import generate
from tt_utils.decoding.trained import TextError, load_trained
from tt_utils.models.gpt import GPT

LONGEST_REPLY = 12  # tokens; those of the training have at most six


class ChatError(TextError):
    """A text can't be replied to; the message says why, and what helps."""


@dataclass
class Chat:
    """A model in conversation; `about` says what it was trained on.

    `history` holds the exchanges so far, oldest first: the ids of what was said and of
    the reply, with its end. When the model has no positions left, the oldest are
    forgotten, whole exchanges at a time.
    """

    model: GPT
    tokenizer: WordTokenizer
    about: dict[str, Any] = field(default_factory=dict)
    history: list[list[int]] = field(default_factory=list)

    @classmethod
    def load(cls, checkpoint: Path | str, device: torch.device | str = "cpu") -> "Chat":
        """Read what a training run wrote, with the vocabulary kept in it.

        Raises:
            CheckpointError: it is missing, damaged, or holds no model to chat with.
        """
        model, [tokenizer, *_], about = load_trained(checkpoint, GPT)
        if not isinstance(tokenizer, WordTokenizer) or not all(
            turn in tokenizer.ids for turn in (USER, MODEL)
        ):
            raise CheckpointError(
                f"{checkpoint} holds a {type(model).__name__} that knows no turns; "
                "train a model on the dialogues."
            )
        return cls(model.to(device), tokenizer, about)

    def reply(self, text: str) -> str:
        """Say something to the model and get its answer; both are remembered.

        Raises:
            ChatError: there are no words, unknown ones, or too many.
        """
        prompt = self.encode(text)
        while self.history and self.length(prompt) > self.model.config.max_len:
            self.history.pop(0)
        row = [self.tokenizer.bos_id, *chain(*self.history), *prompt]
        (said,) = generate(self.model, [row], LONGEST_REPLY, top_k=1)
        self.history.append([*prompt, *said, self.tokenizer.eos_id])
        return sentence(self.tokenizer.decode(said))

    def encode(self, text: str) -> list[int]:
        """Turn what was typed into the user's turn.

        Raises:
            ChatError: there are no words, unknown ones, or too many.
        """
        words = self.tokenizer.split_words(text.strip())
        if not words:
            raise ChatError("there are no words to reply to; write a sentence.")
        prompt = prompt_ids(text.strip(), self.tokenizer)
        unknown = [
            word
            for word, i in zip(words, prompt[1:-1], strict=True)
            if i == self.tokenizer.unk_id
        ]
        if unknown:
            raise ChatError(
                f"the model never learned {', '.join(unknown)}; use the words of its "
                "world."
            )
        if self.length(prompt, history=()) > self.model.config.max_len:
            raise ChatError(
                f"the text has {len(words):,} words, the model reads at most "
                f"{self.model.config.max_len} tokens; say it in several turns."
            )
        return prompt

    def length(
        self, prompt: list[int], history: Sequence[list[int]] | None = None
    ) -> int:
        """Count the positions of a prompt, what is before it, and its reply."""
        before = self.history if history is None else history
        return 1 + sum(map(len, before)) + len(prompt) + LONGEST_REPLY

    def reset(self) -> None:
        """Forget all that was said."""
        self.history.clear()


def sentence(text: str) -> str:
    """Write a reply as people do, from a capital to a full stop."""
    return f"{text[:1].upper()}{text[1:]}."


def replies(
    model: GPT,
    tokenizer: WordTokenizer,
    dialogues: Sequence[Dialogue],
    memory: int | None = None,
) -> list[list[str]]:
    """Let the model hold its side of many dialogues of equal length at once.

    Its own replies, right or wrong, are what it reads later. With `memory` it sees only
    so many exchanges before the newest. Decoding is greedy.

    Raises:
        ValueError: as `generate`, where a dialogue has no room in the positions.
    """
    histories: list[list[list[int]]] = [[] for _ in dialogues]
    said: list[list[str]] = [[] for _ in dialogues]
    for turn in zip(*dialogues, strict=True):
        for history, exchange in zip(histories, turn, strict=True):
            history.append(prompt_ids(exchange.said, tokenizer))
        first = 0 if memory is None else -1 - memory
        rows = [[tokenizer.bos_id, *chain(*history[first:])] for history in histories]
        for i, answer in enumerate(generate(model, rows, LONGEST_REPLY, top_k=1)):
            histories[i][-1] += [*answer, tokenizer.eos_id]
            said[i].append(" ".join(tokenizer.words_of(answer)))
    return said
