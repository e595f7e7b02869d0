"""Pieces of a sentence in two languages at once, with their alignment."""

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, replace

_keys = itertools.count()


@dataclass(frozen=True)
class Token:
    """One word and the units of meaning it carries; shared keys are an alignment.

    A unit of one word in each language is `sure`; in larger ones, and where a word
    stands for something that the other language doesn't say, links are possible only.
    """

    text: str
    keys: frozenset[int]
    sure: frozenset[int] = frozenset()

    def carrying(self, keys: frozenset[int]) -> "Token":
        """Add units that this word may be linked with."""
        return replace(self, keys=self.keys | keys)


@dataclass(frozen=True)
class Phrase:
    """The same meaning in English and Spanish.

    `pairs` collects the word combinations inside, (adjective, noun) and
    (verb, object), by which sentences are held out for testing.
    """

    en: tuple[Token, ...] = ()
    es: tuple[Token, ...] = ()
    pairs: frozenset[tuple[str, str]] = frozenset()

    def __add__(self, other: "Phrase") -> "Phrase":
        return ordered([self, other], [self, other])


def unit(en: str, es: str) -> Phrase:
    """Make words that mean each other; either side may hold several, or none."""
    keys = frozenset({next(_keys)})
    sure = keys if len(en.split()) == len(es.split()) == 1 else frozenset()
    return Phrase(
        tuple(Token(word, keys, sure) for word in en.split()),
        tuple(Token(word, keys, sure) for word in es.split()),
    )


def ordered(en: Iterable[Phrase], es: Iterable[Phrase]) -> Phrase:
    """Join phrases in one order for English and in another for Spanish."""
    en, es = list(en), list(es)
    return Phrase(
        tuple(token for phrase in en for token in phrase.en),
        tuple(token for phrase in es for token in phrase.es),
        frozenset().union(*(phrase.pairs for phrase in en)),
    )


def fused(phrase: Phrase, silent: Phrase) -> Phrase:
    """Let the last Spanish word of `phrase`, its verb, carry what `silent` says."""
    *rest, verb = phrase.es
    extra = frozenset().union(*(token.keys for token in silent.en))
    return replace(phrase, es=(*rest, verb.carrying(extra)))


def contract(tokens: Iterable[Token]) -> list[Token]:
    """Spell `a el` as `al` and `de el` as `del`; one word then carries both."""
    result: list[Token] = []
    for token in tokens:
        if token.text == "el" and result and result[-1].text in ("a", "de"):
            before = result.pop()
            both = before.keys | token.keys, before.sure | token.sure
            result.append(Token(before.text + "l", *both))
        else:
            result.append(token)
    return result


def with_an(tokens: Iterable[Token]) -> list[Token]:
    """Spell the English article `an` before a vowel."""
    tokens = list(tokens)
    following = [token.text for token in tokens[1:]] + [""]
    return [
        replace(token, text="an")
        if token.text == "a" and after[:1] in tuple("aeiou")
        else token
        for token, after in zip(tokens, following, strict=True)
    ]
