"""One clause of a review: who says it, of what, negated or not, and how."""

import random
from dataclasses import dataclass
from typing import Literal

from tt_utils.data.reviews.lexicon import (
    ADJECTIVES,
    ADJUNCTS,
    DEGREES,
    DENIES,
    EVENTS,
    KEPT,
    NOT,
    NOUNS,
    RELATIVE,
    SAYS,
)

# Where a clause is negated: at its verb, by the frame before it, or at both.
Negation = Literal["none", "inner", "outer", "both"]
Words = tuple[int, int]  # the fewest and the most between a noun and its "was"

SHORT: Words = (0, 3)


@dataclass(frozen=True)
class Clause:
    """A clause, and what it says in the end: 1 praises, 0 blames."""

    text: str
    value: int


class Clauses:
    """Draws clauses; every choice comes from `rng`."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.choice = rng, rng.choice

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def clause(
        self,
        noun: str,
        value: int,
        negation: Negation = "none",
        between: Words = SHORT,
        kept: bool = False,
    ) -> Clause:
        """Draw a clause about a noun, with this value.

        `between` bounds the words that part the noun from its verb. `kept` takes an
        adjective that training never negates; else a negated one isn't such.
        """
        inner, outer = negation in ("inner", "both"), negation in ("outer", "both")
        adjective = self.adjective(value ^ inner ^ outer, negation != "none", kept)
        frame = self.choice(DENIES) if outer else ""
        if not outer and self.chance(0.25):
            frame = self.choice(SAYS)
        relative = self.relative(between)
        said = self.choice(NOT) if inner else ""
        degree = self.choice(DEGREES) if self.chance(0.25) else ""
        after = self.choice(self.choice(ADJUNCTS)) if self.chance(0.15) else ""
        if said == "not" and not degree and not after and self.chance(0.3):
            after = "at all"
        subject = f"{frame} the {noun} {relative}"
        words = f"{subject} was {said} {degree} {adjective} {after}".split()
        return Clause(" ".join(words), value)

    def nouns(self) -> list[str]:
        """Draw two nouns."""
        return self.rng.sample(NOUNS, 2)

    def opposite_clauses(
        self, noun: str, negation: Negation, between: Words
    ) -> list[Clause]:
        """Draw a clause that blames and one that praises, alike but for the opinion."""
        state, pair = self.rng.getstate(), []
        for value in (0, 1):
            self.rng.setstate(state)
            pair.append(self.clause(noun, value, negation, between))
        return pair

    def adjective(self, praise: int, negated: bool, kept: bool) -> str:
        """Draw an opinion of this label."""
        return self.choice(
            [
                word
                for word in ADJECTIVES[praise]
                if not (negated or kept) or (word in KEPT) == kept
            ]
        )

    def relative(self, between: Words) -> str:
        """Draw a relative clause of so many words, or none where none will do."""
        fewest, most = between
        if fewest == 0 and self.chance(0.6):
            return ""
        while True:
            parts = RELATIVE.split()
            for group in self.rng.sample(ADJUNCTS, len(ADJUNCTS)):
                adjunct = self.choice(group).split()
                wanted = len(parts) < fewest or self.chance(0.4)
                if wanted and len(parts) + len(adjunct) <= most:
                    parts += adjunct
            if len(parts) >= fewest:
                return " ".join(parts)

    def story(self, sentences: int) -> str:
        """Tell what happened in so many sentences, without an opinion.

        Raises:
            ValueError: there are fewer events than sentences.
        """
        if sentences > len(EVENTS):
            raise ValueError(
                f"reviews: a story of {sentences} sentences; at most {len(EVENTS)}."
            )
        told = []
        for event in self.rng.sample(EVENTS, sentences):
            told.append(f"{event} {self.choice(self.choice(ADJUNCTS))} .")
        return " ".join(told)
