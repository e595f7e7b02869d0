"""A language drawn anew for each training: English as it is, and words that nobody has
seen for the other side, with the grammar of Spanish in a few rules.

Adjectives follow their noun; article and adjective agree with it in gender and number.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import numpy as np

NOUNS = "cat dog boy book horse duck plate house girl table cow chair hen bed"
ADJECTIVES = "red black white small new pretty tall"
PREPOSITIONS = "in on under with without"
ARTICLES = {"o": "el", "os": "los", "a": "la", "as": "las"}
WITHOUT_ADJECTIVE = 0.3  # of the noun phrases


class Phrase(NamedTuple):
    english: str
    other: str
    ending: str
    held_out: bool


@dataclass(frozen=True)
class Language:
    """English words and their stems; the nouns' stems end in their gender."""

    nouns: tuple[tuple[str, str], ...]
    adjectives: tuple[tuple[str, str], ...]
    prepositions: tuple[tuple[str, str], ...]

    @classmethod
    def drawn(cls, rng: np.random.Generator) -> "Language":
        stems = invented_stems(rng)
        nouns = NOUNS.split()
        genders = rng.permutation(["o", "a"] * (len(nouns) // 2)).tolist()
        return cls(
            tuple(
                (noun, next(stems) + gender)
                for noun, gender in zip(nouns, genders, strict=True)
            ),
            tuple((word, next(stems)) for word in ADJECTIVES.split()),
            tuple((word, next(stems)) for word in PREPOSITIONS.split()),
        )

    def phrase(self, rng: np.random.Generator) -> Phrase:
        n, a = rng.integers(len(self.nouns)), rng.integers(len(self.adjectives))
        (noun, stem), plural = self.nouns[n], "s" * int(rng.integers(2))
        ending = stem[-1] + plural
        article = ARTICLES[ending]
        if rng.random() < WITHOUT_ADJECTIVE:
            bare = f"the {noun}{plural}", f"{article} {stem}{plural}"
            return Phrase(*bare, ending, False)
        adjective, other = self.adjectives[a]
        return Phrase(
            f"the {adjective} {noun}{plural}",
            f"{article} {stem}{plural} {other}{ending}",
            ending,
            bool(n % len(self.adjectives) == a),
        )

    def sentence(self, rng: np.random.Generator) -> tuple[str, str, bool]:
        """A pair, and whether a noun has an adjective that training must not show."""
        one, two = self.phrase(rng), self.phrase(rng)
        word, other = self.prepositions[rng.integers(len(self.prepositions))]
        is_, está = ("are", "están") if one.ending.endswith("s") else ("is", "está")
        return (
            f"{one.english} {is_} {word} {two.english}",
            f"{one.other} {está} {other} {two.other}",
            one.held_out or two.held_out,
        )


def invented_stems(rng: np.random.Generator) -> Iterator[str]:
    """Stems of five letters, no two alike."""
    found: set[str] = set()
    while True:
        letters = [rng.choice(list(kind)) for kind in ("bcdfglmnprst", "aeiou") * 2]
        stem = "".join((*letters, rng.choice(list("bcdfglmnprst"))))
        if stem not in found:
            found.add(stem)
            yield stem


def invented_pairs(
    rng: np.random.Generator, pairs: int = 4000, unseen: int = 200
) -> tuple[list[tuple[str, str]], list[str], list[str]]:
    """Pairs to learn from; sentences to translate, and their translations.

    Each of these has a noun with an adjective that it has in none of the pairs.
    """
    language = Language.drawn(rng)
    shown: list[tuple[str, str]] = []
    asked: list[tuple[str, str]] = []
    while len(shown) < pairs or len(asked) < unseen:
        english, other, held_out = language.sentence(rng)
        (asked if held_out else shown).append((english, other))
    texts, right = zip(*islice(asked, unseen), strict=True)
    return shown[:pairs], list(texts), list(right)
