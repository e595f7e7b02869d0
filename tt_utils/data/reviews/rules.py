"""The kinds of review, and which clause has the last word where two disagree.

Two clauses always disagree, and each such review has a twin: the same clauses, which
have changed places, and with them the label. So the words alone say nothing.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tt_utils.data.reviews.phrases import SHORT, Clause, Clauses, Negation, Words
from tt_utils.data.tokenizer import join_words

ALTHOUGH = "although {conceded} , {decides}"
ALTHOUGH_BEHIND = "{decides} , although {conceded}"
THOUGH = "though {conceded} , {decides}"
THOUGH_BEHIND = "{decides} , though {conceded}"
WHILE = "while {conceded} , {decides}"
BUT = "{conceded} , but {decides}"
YET = "{conceded} , yet {decides}"

NONE: tuple[Negation, ...] = ("none",)
ONE: tuple[Negation, ...] = ("inner", "outer")
ANY: tuple[Negation, ...] = (*NONE, *ONE)
ALL: tuple[Negation, ...] = (*ANY, "both")


@dataclass(frozen=True)
class Kind:
    """How a review is built: `joins` of two clauses, or none for a single one.

    `first` and `second` are the negations that a clause may have. `between` and `kept`
    are those of the first clause. `story` lists how many sentences without an opinion
    may come before.
    """

    first: tuple[Negation, ...] = NONE
    second: tuple[Negation, ...] = NONE
    joins: tuple[str, ...] = ()
    between: Words = SHORT
    kept: bool = False
    story: tuple[int, ...] = (0, 0, 0, 1)


KINDS = {
    "plain": Kind(),
    "negation": Kind(ONE),
    "double negation": Kind(("both",)),
    "but": Kind(ANY, ANY, (BUT,)),
    "yet": Kind(ALL, ALL, (YET,)),
    "although": Kind(NONE, NONE, (ALTHOUGH,)),
    "though, while": Kind(ALL, ALL, (THOUGH, THOUGH_BEHIND, WHILE)),
    "double negation in but": Kind(("both",), ANY, (BUT,)),
    "although with negation": Kind(ONE, ANY, (ALTHOUGH,)),
    "new negations": Kind(ONE, NONE, (BUT,), kept=True),
    "although behind": Kind(NONE, NONE, (ALTHOUGH_BEHIND,)),
    "far apart": Kind(("outer",), NONE, (BUT,), between=(12, 16)),
    "a story first": Kind(ANY, ANY, (BUT,), story=(2, 3)),
    "a long story first": Kind(ANY, ANY, (BUT,), story=(5, 6)),
}
TRAINING = tuple(KINDS)[:7]
HELD_OUT = tuple(KINDS)[7:]


@dataclass(frozen=True)
class Review:
    """A review, its label (1 praises, 0 blames) and its kind."""

    words: tuple[str, ...]
    label: int
    kind: str

    @cached_property
    def text(self) -> str:
        """Give it as people write it."""
        return join_words(self.words)


def reviews(
    n: int, seed: int = 0, kinds: Sequence[str] = TRAINING, stretch: int = 1
) -> list[Review]:
    """Draw n reviews, no text twice, the kinds in turn, a twin beside its twin.

    The same arguments give the same reviews. Where no clause begins with "but", up to
    `stretch` sentences before tell a story without an opinion.

    Raises:
        ValueError: a kind that we don't have, n is no even number, or more sentences
            than there are events to tell.
    """
    for kind in kinds:
        if kind not in KINDS:
            raise ValueError(
                f"reviews: kind is {kind!r}; choose among {', '.join(KINDS)}."
            )
    if n < 2 or n % 2:
        raise ValueError(f"reviews: n is {n}; twins need an even number above 0.")
    clauses = Clauses(random.Random(f"{seed} {' '.join(kinds)}"))
    found: dict[str, Review] = {}
    while len(found) < n:
        kind = kinds[len(found) // 2 % len(kinds)]
        twins = twin_reviews(kind, clauses, stretch)
        if not any(review.text in found for review in twins):
            found |= {review.text: review for review in twins}
    return list(found.values())


def twin_reviews(kind: str, clauses: Clauses, stretch: int = 1) -> list[Review]:
    """Draw two reviews of a kind with opposite labels."""
    rule = KINDS[kind]
    lengths = rule.story if BUT in rule.joins or stretch == 1 else range(stretch + 1)
    story = clauses.story(clauses.choice(lengths))
    first, second = clauses.choice(rule.first), clauses.choice(rule.second)
    noun, other_noun = clauses.nouns()
    value = clauses.choice((0, 1))
    if rule.joins:
        one = clauses.clause(noun, value, first, rule.between, rule.kept)
        other = clauses.clause(other_noun, 1 - value, second)
        join = clauses.choice(rule.joins)
        endings = [joined(join, one, other), joined(join, other, one)]
    else:
        endings = clauses.opposite_clauses(noun, first, rule.between)
    return [
        Review(tuple(f"{story} {ending.text}".split()), ending.value, kind)
        for ending in endings
    ]


def joined(join: str, conceded: Clause, decides: Clause) -> Clause:
    """Join two clauses, of which the second has the last word."""
    text = join.format(conceded=conceded.text, decides=decides.text)
    return Clause(text, decides.value)
