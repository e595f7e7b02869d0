"""Pieces of a sentence in two languages at once, with their alignment."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

Links = set[tuple[int, int]]

_keys = itertools.count()


class Token(str):
    """One word that knows the units of meaning it carries; shared keys are a link.

    A unit of one word in each language is `sure`; in larger ones, and where a word
    stands for something that the other language doesn't say, links are possible only.
    """

    __slots__ = ("keys", "sure")
    keys: tuple[int, ...]
    sure: tuple[int, ...]

    def __new__(
        cls, text: str, keys: tuple[int, ...], sure: tuple[int, ...] = ()
    ) -> "Token":
        token = super().__new__(cls, text)
        token.keys, token.sure = keys, sure
        return token

    def carrying(self, keys: tuple[int, ...]) -> "Token":
        """Add units that this word may be linked with."""
        return Token(self, self.keys + keys, self.sure) if keys else self


# Frozen ones take twice as long to make, and a corpus needs millions.
@dataclass(slots=True)
class Phrase:
    """The same meaning in English and Spanish.

    `pairs` collects the word combinations inside, (adjective, noun) and
    (verb, object), by which sentences are held out for testing.
    """

    en: tuple[Token, ...] = ()
    es: tuple[Token, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()

    def __add__(self, other: "Phrase") -> "Phrase":
        return Phrase(self.en + other.en, self.es + other.es, self.pairs + other.pairs)

    def pairing(self, *pairs: tuple[str, str]) -> "Phrase":
        """Note word combinations that the phrase holds."""
        return Phrase(self.en, self.es, self.pairs + pairs)


def unit(en: str, es: str, keys: tuple[int, ...] | None = None) -> Phrase:
    """Make words that mean each other; either side may hold several, or none."""
    keys = (next(_keys),) if keys is None else keys
    english, spanish = en.split(), es.split()
    sure = keys if len(english) == len(spanish) == 1 else ()
    return Phrase(
        tuple(Token(word, keys, sure) for word in english),
        tuple(Token(word, keys, sure) for word in spanish),
    )


@cache
def unaligned(en: str, es: str) -> Phrase:
    """Make the words of a unit without keys: one phrase for all its occurrences."""
    return unit(en, es, keys=())


def ordered(en: Sequence[Phrase], es: Sequence[Phrase]) -> Phrase:
    """Join phrases in one order for English and in another for Spanish."""
    return Phrase(
        tuple([token for phrase in en for token in phrase.en]),
        tuple([token for phrase in es for token in phrase.es]),
        tuple([pair for phrase in en for pair in phrase.pairs]),
    )


def fused(phrase: Phrase, silent: Phrase) -> Phrase:
    """Let the last Spanish word of `phrase`, its verb, carry what `silent` says."""
    *rest, verb = phrase.es
    extra = tuple(key for token in silent.en for key in token.keys)
    return Phrase(phrase.en, (*rest, verb.carrying(extra)), phrase.pairs)


def links(phrase: Phrase, of: Literal["keys", "sure"]) -> Links:
    """Say which English word shares a key with which Spanish one, as places."""
    carriers: dict[int, list[int]] = {}
    for j, token in enumerate(phrase.es):
        for key in getattr(token, of):
            carriers.setdefault(key, []).append(j)
    return {
        (i, j)
        for i, token in enumerate(phrase.en)
        for key in getattr(token, of)
        for j in carriers.get(key, ())
    }


def contract(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Spell `a el` as `al` and `de el` as `del`; one word then carries both."""
    result: list[Token] = []
    for token in tokens:
        if token == "el" and result and result[-1] in ("a", "de"):
            before = result.pop()
            both = before.keys + token.keys, before.sure + token.sure
            result.append(Token(before + "l", *both))
        else:
            result.append(token)
    return tuple(result)


def with_an(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Spell the English article `an` before a vowel."""
    result = list(tokens)
    for i, (token, after) in enumerate(itertools.pairwise(tokens)):
        if token == "a" and after[0] in "aeiou":
            result[i] = Token("an", token.keys, token.sure)
    return tuple(result)


def spelled(phrase: Phrase) -> Phrase:
    """Write a finished phrase as it is spelled: an apple, al gato."""
    en, es = phrase.en, phrase.es
    return Phrase(
        with_an(en) if "a" in en else en,
        contract(es) if "el" in es else es,
        phrase.pairs,
    )
