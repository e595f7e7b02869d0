"""Facts such as (black, cat, drank, milk), told in three ways, with a question a word.

At each of a fact's four words the answer is the Spanish for another word of the fact:
at the drink the verb, at the verb the animal, at the animal the colour, at the colour
the drink. The same English and Spanish word share one number.
"""

import itertools
import random
from collections.abc import Collection, Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor

Fact = tuple[str, ...]

LEXICON = """
black negro   white blanco   brown marrón   gray gris      red rojo
cat gato      dog perro      horse caballo  bird pájaro    rabbit conejo
drank bebió   found encontró smelled olió   hid escondió   carried llevó
milk leche    water agua     tea té         coffee café    soup sopa
"""
WORDS_PER_KIND = 5  # colours, animals, verbs, drinks
ENGLISH = (*LEXICON.split()[::2], "the", "that", "today")
SPANISH = tuple(LEXICON.split()[1::2])
NO_QUESTION = -1
LINES = (
    "today the {} {} {} the {}",
    "the {} {} {} the {} today",
    "the {3} that the {0} {1} {2}",
)


def facts(held_out: int = 100) -> tuple[list[Fact], list[Fact]]:
    """Give the facts to learn from, and those held out: all cats that drank milk first.

    Raises:
        ValueError: nothing would be held out, or nothing left to learn from.
    """
    kinds = [ENGLISH[i : i + WORDS_PER_KIND] for i in range(0, 20, WORDS_PER_KIND)]
    found: list[Fact] = list(itertools.product(*kinds))
    if not 0 < held_out < len(found):
        raise ValueError(
            f"facts: {held_out} of {len(found)} held out; hold out at least one, and "
            "leave one."
        )
    random.Random(0).shuffle(found)
    found.sort(key=lambda fact: fact[1:] != ("cat", "drank", "milk"))
    return found[held_out:], found[:held_out]


def ids_of(line: str) -> list[int]:
    """Give each word's number.

    Raises:
        ValueError: a word isn't in the lexicon.
    """
    try:
        return [ENGLISH.index(word) for word in line.split()]
    except ValueError:
        [unknown, *_] = [word for word in line.split() if word not in ENGLISH]
        raise ValueError(
            f"ids_of: {unknown!r} is no word of these facts; use {', '.join(ENGLISH)}."
        ) from None


def as_tokens(
    facts: Sequence[Fact], asked: Collection[int] = range(4)
) -> tuple[Int[Tensor, "lines 7"], Int[Tensor, "lines 7"]]:
    """Tell each fact in three ways: the words' numbers, and the answers'.

    An answer is −1 where there is no question. `asked` says at which of colour, animal,
    verb and drink there is one.
    """
    tokens, answers = [], []
    for fact in facts:
        right = {fact[i]: ENGLISH.index(fact[i - 1]) for i in asked}
        for line in LINES:
            words = line.format(*fact)
            tokens.append(ids_of(words))
            answers.append([right.get(word, NO_QUESTION) for word in words.split()])
    return torch.tensor(tokens), torch.tensor(answers)


def word_vectors(d_model: int = 32) -> Float[Tensor, "words d_model"]:
    """Draw a random vector per word; words of a kind share one that is added."""
    luck = torch.Generator().manual_seed(0)
    vectors = torch.randn(len(ENGLISH), d_model, generator=luck)
    shared = torch.randn(4, d_model, generator=luck)
    vectors[:20] += 0.5 * shared.repeat_interleave(WORDS_PER_KIND, dim=0)
    return vectors
