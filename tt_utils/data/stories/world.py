"""A small world: people go from place to place, take things, and leave them there."""

import random
from dataclasses import dataclass, field
from typing import Literal

Deed = Literal["go", "take", "drop"]

PEOPLE = ("Anna", "Boris", "Clara", "Dario")
PLACES = ("bakery", "forest", "harbour", "library", "market", "museum")
THINGS = ("coin", "key", "map")
VERBS: dict[Deed, tuple[str, ...]] = {
    "go": ("went to", "cycled to", "hurried to"),
    "take": ("took", "packed"),
    "drop": ("dropped", "forgot"),
}
# How often somebody does what they can do.
DROPS = 0.3
TAKES = 0.35
FOLLOWS = 0.4  # goes where a thing is, so that things change hands


@dataclass(frozen=True)
class Event:
    """Who did what: went to a place, or took or dropped a thing."""

    who: str
    deed: Deed
    what: str


@dataclass
class World:
    """What has happened so far, and which events tell where everyone is.

    `went` numbers the event with which each person came where they are; `held` says
    who holds a thing and by which event; `left` numbers, for a thing that was
    dropped, the drop and the event with which the person had come there.
    """

    events: list[Event] = field(default_factory=list)
    went: dict[str, int] = field(default_factory=dict)
    held: dict[str, tuple[str, int]] = field(default_factory=dict)
    left: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def facts(self, name: str) -> tuple[int, ...]:
        """Number the events that tell where a person or a thing is; none if none do.

        A person needs one: where they went last. A thing needs two: who touched it
        last, and where that person went last, before dropping it or at all.
        """
        if name in self.went:
            return (self.went[name],)
        if name in self.held:
            who, taken = self.held[name]
            return (taken, self.went[who]) if who in self.went else ()
        return self.left.get(name, ())

    def place(self, name: str) -> str | None:
        """Name the place where a person or a thing is, as far as one can know."""
        facts = self.facts(name)
        return self.events[facts[-1]].what if facts else None

    def happen(self, event: Event) -> None:
        """Add an event."""
        number = len(self.events)
        self.events.append(event)
        if event.deed == "go":
            self.went[event.who] = number
        elif event.deed == "take":
            self.held[event.what] = event.who, number
            self.left.pop(event.what, None)
        else:
            came = self.went.get(event.who)
            self.left[event.what] = () if came is None else (number, came)
            del self.held[event.what]

    def draw(self, rng: random.Random) -> Event:
        """Choose what may happen next.

        Nobody takes a thing that may be elsewhere, or drops what they don't hold.
        """
        who = rng.choice(PEOPLE)
        here = self.place(who)
        mine = [thing for thing in THINGS if self.held.get(thing, ("",))[0] == who]
        if mine and rng.random() < DROPS:
            return Event(who, "drop", rng.choice(mine))
        free = [
            thing for thing in THINGS if thing not in mine and self.near(thing, here)
        ]
        if free and rng.random() < TAKES:
            return Event(who, "take", rng.choice(free))
        known = [place for thing in THINGS if (place := self.place(thing))]
        aims = [place for place in known if place != here]
        if not aims or rng.random() >= FOLLOWS:
            aims = [place for place in PLACES if place != here]
        return Event(who, "go", rng.choice(aims))

    def near(self, thing: str, here: str | None) -> bool:
        """Say whether a thing can be here: it is, or nobody has touched it yet."""
        if thing not in self.held and thing not in self.left:
            return True
        return here is not None and self.place(thing) == here


@dataclass(frozen=True)
class Story:
    """What happened in order, and a sentence for each event."""

    world: World
    sentences: tuple[str, ...]

    @property
    def passage(self) -> str:
        """The sentences as one text."""
        return " ".join(self.sentences)


def make_story(rng: random.Random, length: int) -> Story:
    """Draw `length` events that can follow each other, and tell them."""
    world = World()
    for _ in range(length):
        world.happen(world.draw(rng))
    told = (
        f"{event.who} {rng.choice(VERBS[event.deed])} the {event.what}."
        for event in world.events
    )
    return Story(world, tuple(told))
