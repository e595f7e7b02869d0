"""A chat as one row of tokens, and which of them are the model's to say.

    <s> <user> where is Ben ? <model> I don't know </s> <user> …

The tokens <user> and <model> say whose turn begins; </s> ends a reply.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from tt_utils.data.dialogue.turns import Dialogue
from tt_utils.data.examples import ExampleBatches, RowBatch
from tt_utils.data.text_windows import TextBatch
from tt_utils.data.tokenizer import WordTokenizer

USER, MODEL = "<user>", "<model>"


class Row(NamedTuple):
    """The ids of a chat, and for each whether the model says it."""

    ids: list[int]
    replied: list[bool]


@dataclass(frozen=True)
class DialogueBatch(RowBatch, TextBatch):  # type: ignore[misc]
    """Chats, one row each, padded behind; only what is `replied` is learned."""

    replied: Bool[Tensor, "batch t"]

    @property
    def real(self) -> Int[Tensor, " n"]:
        """The places of labels to learn from, in the flattened labels."""
        return self.replied[:, 1:].flatten().nonzero().squeeze(1)

    @property
    def weight(self) -> int:
        """Count the predicted tokens: the loss is an average over them."""
        return int(self.replied[:, 1:].sum())


def make_tokenizer(dialogues: Iterable[Dialogue]) -> WordTokenizer:
    """Give an id to every word of the dialogues, and to both roles."""
    turns = [
        text.split()
        for dialogue in dialogues
        for x in dialogue
        for text in (x.said, x.reply)
    ]
    return WordTokenizer.from_sentences([[USER, MODEL], *turns])


def prompt_ids(said: str, tokenizer: WordTokenizer) -> list[int]:
    """Open the user's turn, and the model's after it.

    The name of a role, typed by a reader, is an unknown word and begins no turn.
    """
    user, model = tokenizer.encode([USER, MODEL])
    ids = tokenizer.encode(said)
    words = [tokenizer.unk_id if i in (user, model) else i for i in ids]
    return [user, *words, model]


def encode_dialogue(dialogue: Dialogue, tokenizer: WordTokenizer) -> Row:
    """Put all turns into one row; the model says its replies and their ends."""
    ids, replied = [tokenizer.bos_id], [False]
    for exchange in dialogue:
        prompt = prompt_ids(exchange.said, tokenizer)
        reply = [*tokenizer.encode(exchange.reply), tokenizer.eos_id]
        ids += prompt + reply
        replied += [False] * len(prompt) + [True] * len(reply)
    return Row(ids, replied)


def collate(rows: Sequence[Row]) -> DialogueBatch:
    """Pad rows behind, to the longest."""
    longest = max(len(row.ids) for row in rows)
    tokens = torch.zeros(len(rows), longest, dtype=torch.long)
    replied = torch.zeros(len(rows), longest, dtype=torch.bool)
    for i, row in enumerate(rows):
        tokens[i, : len(row.ids)] = torch.tensor(row.ids)
        replied[i, : len(row.ids)] = torch.tensor(row.replied)
    return DialogueBatch(tokens, replied)


@dataclass(frozen=True)
class ShortFirst:
    """A curriculum: the first epoch has the short dialogues, all others the long."""

    short: ExampleBatches[Row]
    long: ExampleBatches[Row]

    def epoch(self, seed: str, start: int = 0) -> Iterator[RowBatch]:
        """Yield an epoch; the last word of its seed is its number."""
        data = self.long if int(seed.split()[-1]) else self.short
        return data.epoch(seed, start)

    def fingerprint(self) -> str:
        """Tell this data from other data."""
        return f"{self.short.fingerprint()}, then {self.long.fingerprint()}"
