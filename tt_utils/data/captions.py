"""English sentences to write on: Multi30k's captions, or the embedded grammar's."""

from dataclasses import dataclass

from tt_utils.data import multi30k
from tt_utils.data.download import DataError
from tt_utils.data.grammar import sentence_texts


@dataclass(frozen=True)
class Captions:
    """Texts to learn from and others to judge by; `name` says whose they are."""

    name: str
    train: list[str]
    valid: list[str]


def load_captions() -> Captions:
    """Read the 29,000 English captions of Multi30k and its 1,014 validation captions.

    Raises:
        DataError: they could not be had.
    """
    splits = (multi30k.sentences(f"{split}.en.gz") for split in ("train", "val"))
    return Captions("multi30k", *splits)


def captions_or_grammar() -> Captions:
    """Read the captions; where they can't be had, make the grammar's sentences."""
    try:
        return load_captions()
    except DataError:
        drawn = [english for english, _ in sentence_texts(30_014, 0, "train")]
        return Captions("grammar", drawn[:29_000], drawn[29_000:])
