"""The corpora of the book by name: their sentences, split and encoded."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal, get_args

from tqdm import tqdm

from tt_utils.data import multi30k
from tt_utils.data.batching import IdPair
from tt_utils.data.grammar import SentencePair, sentence_pairs, sentence_texts
from tt_utils.data.tokenizer import BPETokenizer, Tokenizer, WordTokenizer

Data = Literal["grammar", "multi30k"]
TextPair = tuple[str, str]
# A text, or its words.
Text = str | list[str]

GRAMMAR_PAIRS = 100_000
GRAMMAR_VALID = 1_000
GRAMMAR_TEST = 2_000
MULTI30K_SPLITS = ("train", "val", "test_2016_flickr")
MULTI30K_PIECES = 6_000


@dataclass(frozen=True)
class Corpus:
    """Pairs of a source and a target sentence, as texts."""

    train: list[TextPair]
    valid: list[TextPair]
    test: list[TextPair]


def load_corpus(data: Data, source: str = "de", target: str = "en") -> Corpus:
    """Read or make the sentences; the languages are for multi30k to choose.

    The test sentences of the grammar hold combinations that no other split has.

    Raises:
        ValueError: data or a language that we don't have.
        DataError: multi30k could not be had.
    """
    check_data(data)
    if data == "multi30k":
        return Corpus(*(multi30k.load(s, source, target) for s in MULTI30K_SPLITS))
    seen = GRAMMAR_PAIRS + GRAMMAR_VALID
    drawn = tqdm(
        sentence_texts(seen, seed=0, split="train"),
        "drawing sentences",
        seen,
        leave=False,
        delay=1,
        mininterval=0.5,
    )
    train, valid = list(islice(drawn, GRAMMAR_PAIRS)), list(drawn)
    test = sentence_texts(GRAMMAR_TEST, seed=1, split="test")
    return Corpus(train, valid, list(test))


def grammar_test_pairs() -> list[SentencePair]:
    """Draw the grammar's test sentences, with their alignments."""
    return sentence_pairs(GRAMMAR_TEST, seed=1, split="test")


def check_data(name: str) -> None:
    """Refuse data that we don't have.

    Raises:
        ValueError: naming those that we have.
    """
    if name not in get_args(Data):
        raise ValueError(
            f"data is {name!r}; choose one of {', '.join(get_args(Data))}."
        )


def encode_pairs(
    pairs: Sequence[tuple[Text, Text]], source: Tokenizer, target: Tokenizer
) -> list[IdPair]:
    """Turn both sides of every pair into ids; word tokenizers take words as well."""
    sources, targets = zip(*pairs, strict=True)
    ids = source.encode_batch(sources), target.encode_batch(targets)
    return list(zip(*ids, strict=True))


def make_tokenizers(data: Data, corpus: Corpus) -> tuple[Tokenizer, Tokenizer]:
    """Learn the vocabularies from the training sentences alone.

    multi30k's two languages share one of pieces; the grammar's have one of words each.
    """
    if data == "multi30k":
        texts = [text for pair in corpus.train for text in pair]
        joint = BPETokenizer.train(texts, MULTI30K_PIECES)
        return joint, joint
    source, target = (
        WordTokenizer.from_sentences(text.split() for text in side)
        for side in zip(*corpus.train, strict=True)
    )
    return source, target
