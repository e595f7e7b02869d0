"""Questions about passages in SQuAD's own format, and as tokens with a span to find.

The real files aren't part of this package: https://rajpurkar.github.io/SQuAD-explorer/
gives them, under the licence CC BY-SA 4.0.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from tt_utils.atomic_write import write_atomically
from tt_utils.data.batching import pad
from tt_utils.data.examples import SpanBatch
from tt_utils.data.tokenizer import PAD, WORDS, WordTokenizer

VERSION = "v2.0"


class SquadError(ValueError):
    """A file is no such data set, or a question doesn't fit; the message says why."""


@dataclass(frozen=True)
class Answer:
    """An answer and the character of the passage at which it starts."""

    text: str
    start: int

    @property
    def end(self) -> int:
        """The character behind its last one."""
        return self.start + len(self.text)


@dataclass(frozen=True)
class Reading:
    """A question about a passage and the answers that people found in it.

    There are none where the passage doesn't answer the question.
    """

    id: str
    question: str
    passage: str
    answers: tuple[Answer, ...]

    def texts(self) -> tuple[str, ...]:
        """List the answers as texts; one empty text where there are none."""
        return tuple(answer.text for answer in self.answers) or ("",)


@dataclass(frozen=True)
class Word:
    """A word or a mark of a passage, from the character `start` to before `end`."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class SpanExample:
    """<s> question </s> passage </s> as tokens, and where the answer lies.

    The passage begins at the token `first`; the answer takes the tokens from
    `span[0]` to `span[1]`, both included. (0, 0) says that there is none.
    """

    tokens: tuple[int, ...]
    first: int
    span: tuple[int, int]


# Files


def read_squad(path: Path | str) -> list[Reading]:
    """Read SQuAD 1.1 or 2.0.

    Raises:
        SquadError: the file is missing or damaged, or an answer isn't where it should
            be; the message names the question's id.
    """
    path = Path(path)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))["data"]
        paragraphs = [part for article in data for part in article["paragraphs"]]
    except OSError as error:
        raise SquadError(
            f"read_squad: {path} can't be read ({error.strerror}); give the path of a "
            "JSON file from the SQuAD site."
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise SquadError(
            f"read_squad: {path} is no SQuAD file, or a damaged one ({error!r}); fetch "
            "it again."
        ) from error
    return [reading for part in paragraphs for reading in readings_of(part, path)]


def readings_of(paragraph: Any, path: Path) -> Iterator[Reading]:
    """Yield the questions about one paragraph.

    Raises:
        SquadError: a part is missing, or an answer isn't where it should be.
    """
    name = "without an id"
    try:
        passage = str(paragraph["context"])
        for entry in paragraph["qas"]:
            name = "without an id"
            name = repr(entry["id"])
            found = [] if entry.get("is_impossible", False) else entry["answers"]
            answers = tuple(Answer(str(a["text"]), a["answer_start"]) for a in found)
            for answer in answers:
                check_place(answer, passage, name)
            yield Reading(str(entry["id"]), str(entry["question"]), passage, answers)
    except (KeyError, TypeError) as error:
        raise SquadError(
            f"read_squad: the question {name} in {path} is damaged ({error!r}); fetch "
            "the file again."
        ) from error


def check_place(answer: Answer, passage: str, name: str) -> None:
    """Refuse an answer that the passage doesn't have at its place."""
    there = passage[answer.start : answer.end] if answer.start >= 0 else ""
    if not answer.text or there != answer.text:
        raise SquadError(
            f"read_squad: the question {name} has the answer {answer.text!r} at "
            f"character {answer.start}, where the passage says {there!r}; count "
            "characters, not bytes, from 0."
        )


def write_squad(readings: Iterable[Reading], path: Path | str, title: str = "") -> None:
    """Write SQuAD 2.0, one paragraph for all questions about the same passage."""
    passages: dict[str, list[dict[str, Any]]] = {}
    for reading in readings:
        entry = {
            "id": reading.id,
            "question": reading.question,
            "answers": [
                {"text": answer.text, "answer_start": answer.start}
                for answer in reading.answers
            ],
            "is_impossible": not reading.answers,
        }
        passages.setdefault(reading.passage, []).append(entry)
    paragraphs = [{"context": text, "qas": qas} for text, qas in passages.items()]
    data = {"version": VERSION, "data": [{"title": title, "paragraphs": paragraphs}]}
    write_atomically(Path(path), f"{json.dumps(data, ensure_ascii=False)}\n".encode())


# Tokens


def words_of(text: str) -> list[Word]:
    """List the words and marks of a text with their places, as the tokenizer cuts."""
    return [Word(found[0], *found.span()) for found in WORDS.finditer(text)]


def word_ids(words: Sequence[Word], tokenizer: WordTokenizer) -> list[int]:
    """Give each word one id, <unk> where training never showed it."""
    return [(tokenizer.encode(word.text) or [tokenizer.unk_id])[0] for word in words]


def word_span(answer: Answer, words: Sequence[Word]) -> tuple[int, int]:
    """Number the first and the last word that the answer touches.

    Raises:
        ValueError: it touches none.
    """
    inside = [
        i
        for i, word in enumerate(words)
        if word.start < answer.end and word.end > answer.start
    ]
    if not inside:
        raise ValueError(f"word_span: {answer.text!r} holds no word of the passage.")
    return inside[0], inside[-1]


def encode_reading(
    reading: Reading, tokenizer: WordTokenizer, max_len: int, cut: bool = False
) -> SpanExample:
    """Turn a question and its passage into tokens; the first answer is the one to find.

    With `cut` a passage that is too long loses its end, and an answer that lay there
    is an answer no more.

    Raises:
        SquadError: it has more than max_len tokens, or an answer without a word.
    """
    question = word_ids(words_of(reading.question), tokenizer)
    head = [tokenizer.bos_id, *question, tokenizer.eos_id]
    words = words_of(reading.passage)
    room = max_len - len(head) - 1
    if room < 1 or (len(words) > room and not cut):
        raise SquadError(
            f"encode_reading: the question {reading.id!r} has {len(head) - 2} tokens, "
            f"its passage {len(words)}; with three special ones that is more than "
            f"max_len={max_len}. Cut the passage, or build a model for longer ones."
        )
    tokens = (*head, *word_ids(words[:room], tokenizer), tokenizer.eos_id)
    span = (0, 0)
    if reading.answers:
        try:
            start, end = word_span(reading.answers[0], words)
        except ValueError as error:
            raise SquadError(
                f"encode_reading: the question {reading.id!r} has the answer "
                f"{reading.answers[0].text!r}, which holds no word; leave it out."
            ) from error
        if end < room:
            span = (len(head) + start, len(head) + end)
    return SpanExample(tokens, len(head), span)


def span_batch(examples: Sequence[SpanExample], pad_id: int = PAD) -> SpanBatch:
    """Pad examples to one batch; an answer may lie in the passage, or be "none"."""
    tokens = pad([example.tokens for example in examples], pad_id)  # (batch, t)
    place = torch.arange(tokens.shape[1])
    first = torch.tensor([[example.first] for example in examples])
    end = torch.tensor([[len(example.tokens) - 1] for example in examples])
    allowed = (place >= first) & (place < end) | (place == 0)  # (batch, t)
    return SpanBatch(
        tokens, allowed, torch.tensor([example.span for example in examples])
    )
