"""A small world: who is where, who has what, and what nobody has said."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

WOMEN = ("Anna", "Clara", "Emma", "Ida")
MEN = ("Ben", "David", "Felix", "Max")
PEOPLE = tuple(sorted(WOMEN + MEN))
THINGS = ("ball", "book", "coin", "cup", "key", "lamp", "map", "ring")
PLACES = (
    *("cellar", "forest", "garden", "kitchen"),
    *("library", "market", "park", "tower"),
)

DONT_KNOW = "I don't know"

Topic = Literal["where", "who", "what"]


@dataclass(frozen=True)
class Question:
    """Where is a person, who has a thing, or what does a person have?"""

    topic: Topic
    about: str

    def __str__(self) -> str:
        if self.topic == "where":
            return f"where is {self.about} ?"
        if self.topic == "who":
            return f"who has the {self.about} ?"
        return f"what does {self.about} have ?"


@dataclass
class World:
    """What has been said so far, the newest word counting.

    `place` and `thing` hold people, `holder` holds things; a person who gave a thing
    away has None. What was never said has no entry. A person has one thing at most.
    """

    place: dict[str, str] = field(default_factory=dict)
    holder: dict[str, str] = field(default_factory=dict)
    thing: dict[str, str | None] = field(default_factory=dict)

    def go(self, person: str, place: str) -> str:
        """Note where a person is; reply with a pronoun."""
        self.place[person] = place
        return f"{pronoun(person)} is there now"

    def take(self, person: str, thing: str) -> str:
        """Note who has a thing; reply with a pronoun."""
        self.thing[person], self.holder[thing] = thing, person
        return f"{pronoun(person)} has it now"

    def give(self, giver: str, thing: str, taker: str) -> str:
        """Note that a thing passes from one to another; reply with a pronoun."""
        self.thing[giver] = None
        return self.take(taker, thing)

    def answer(self, question: Question) -> str:
        """Answer from what has been said, or say that it hasn't been."""
        about, known = question.about, self.known(question.topic)
        if about not in known:
            return DONT_KNOW
        found = known[about]
        if question.topic == "who":
            return f"{found} has the {about}"
        if question.topic == "where":
            return f"{about} is in the {found}"
        return f"{about} has the {found}" if found else f"{about} has nothing"

    def known(self, topic: Topic) -> Mapping[str, str | None]:
        """Pick what answers questions of one kind."""
        kinds: dict[Topic, Mapping[str, str | None]] = {
            "where": self.place,
            "who": self.holder,
            "what": self.thing,
        }
        return kinds[topic]


def pronoun(person: str) -> str:
    """Say he or she."""
    return "she" if person in WOMEN else "he"
