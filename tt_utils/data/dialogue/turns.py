"""Dialogues about the small world: someone tells and asks, the other side replies."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from tt_utils.data.dialogue.world import (
    PEOPLE,
    PLACES,
    THINGS,
    Question,
    World,
)

CAST = 4  # people, and as many things and places, that a dialogue is about
FIRST = 4  # statements, before the first question
STATEMENTS = 0.3  # their share of all that is said after these
UNKNOWN = 0.2  # the share of questions about what was never said
EVERY = 8  # of so many combinations, one is kept for testing


@dataclass(frozen=True)
class Exchange:
    """What the user says, and the right reply.

    Of a question, `question` is its meaning and `distance` how many exchanges ago the
    answer was last told, by the user (then `by_user` is True) or by a right reply; None
    where it never was. `changed` says that an older fact was overwritten by the one
    asked for, `unseen` that the answer joins a person to a thing or a place as no
    training dialogue does.
    """

    said: str
    reply: str
    question: Question | None = None
    distance: int | None = None
    by_user: bool = False
    changed: bool = False
    unseen: bool = False


Dialogue = tuple[Exchange, ...]


def dialogues(
    count: int, exchanges: int, seed: int | str, unseen: bool = False
) -> list[Dialogue]:
    """Draw dialogues of equal length; only `unseen` ones hold the kept combinations."""
    rng = random.Random(f"dialogues {seed}")
    return [tuple(Talk(rng, unseen).exchanges(exchanges)) for _ in range(count)]


def is_kept(person: str, other: str) -> bool:
    """Whether a person and a thing, or a place, meet in no training dialogue."""
    others = THINGS if other in THINGS else PLACES
    return (PEOPLE.index(person) + others.index(other)) % EVERY == 0


class Talk:
    """One dialogue while it is drawn."""

    def __init__(self, rng: random.Random, unseen: bool) -> None:
        self.rng, self.unseen, self.world = rng, unseen, World()
        self.people = rng.sample(PEOPLE, CAST)
        self.things = rng.sample(THINGS, CAST)
        self.places = rng.sample(PLACES, CAST)
        self.told: dict[Question, int] = {}
        self.changed: set[Question] = set()
        self.replied: set[Question] = set()  # last told by a reply

    def exchanges(self, count: int) -> Iterator[Exchange]:
        """Tell first, then tell or ask."""
        for now in range(count):
            if now < FIRST or self.rng.random() < STATEMENTS:
                yield self.statement(now)
            else:
                yield self.asked(now)

    def statement(self, now: int) -> Exchange:
        """Tell something that changes the world."""
        rng, world = self.rng, self.world
        kind = rng.choices(("go", "take", "give"), (3, 3, 2))[0]
        free = [thing for thing in self.things if thing not in world.holder]
        takes = [(p, t) for p in self.people for t in free if self.can_take(p, t)]
        gives = [
            (giver, thing, taker)
            for thing, giver in world.holder.items()
            for taker in self.people
            if self.can_take(taker, thing)
        ]
        if kind == "take" and takes:
            person, thing = rng.choice(takes)
            self.note(now, Question("who", thing), Question("what", person))
            verb = rng.choice(("takes", "finds"))
            return Exchange(f"{person} {verb} the {thing}", world.take(person, thing))
        if kind == "give" and gives:
            giver, thing, taker = rng.choice(gives)
            both = Question("what", giver), Question("what", taker)
            self.note(now, Question("who", thing), *both)
            said = f"{giver} gives the {thing} to {taker}"
            return Exchange(said, world.give(giver, thing, taker))
        moves = [
            (person, place)
            for person in self.people
            for place in self.places
            if self.may_meet(person, place) and world.place.get(person) != place
        ]
        person, place = rng.choice(moves)
        self.note(now, Question("where", person))
        verb = rng.choice(("goes", "walks"))
        return Exchange(f"{person} {verb} to the {place}", world.go(person, place))

    def can_take(self, person: str, thing: str) -> bool:
        """Whether a person has a free hand, and may meet the thing."""
        return not self.world.thing.get(person) and self.may_meet(person, thing)

    def may_meet(self, person: str, other: str) -> bool:
        """Whether the combination may occur in this dialogue."""
        return self.unseen or not is_kept(person, other)

    def note(self, now: int, *questions: Question) -> None:
        """Remember when answers were told, and whether there were older ones."""
        self.changed.update(question for question in questions if question in self.told)
        self.told.update(dict.fromkeys(questions, now))
        self.replied.difference_update(questions)

    def asked(self, now: int) -> Exchange:
        """Ask for something told, or for something that wasn't."""
        known = self.rng.random() >= UNKNOWN
        ages = [(now - then) ** 2 for then in self.told.values()]
        facts = self.rng.choices(list(self.told), ages)  # the older, the likelier
        question = facts[0] if known else self.open_question()
        reply = self.world.answer(question)
        distance = now - self.told[question] if known else None
        found = self.world.known(question.topic).get(question.about)
        pair = question.about, found
        person, other = reversed(pair) if question.topic == "who" else pair
        by_user = known and question not in self.replied
        if known:
            answered = {question}
            if question.topic != "where" and person and other:  # a reply tells both
                answered |= {Question("who", other), Question("what", person)}
            self.told.update(dict.fromkeys(answered, now))
            self.replied |= answered
        return Exchange(
            str(question),
            reply,
            question,
            distance,
            by_user,
            question in self.changed,
            is_kept(person, other) if person and other else False,
        )

    def open_question(self) -> Question:
        """Draw a question that nothing said answers, half of them about the cast."""
        near = self.rng.random() < 0.5
        people = self.people if near else PEOPLE
        things = self.things if near else THINGS
        asked = [Question(topic, p) for topic in ("where", "what") for p in people]
        asked += [Question("who", thing) for thing in things]
        open_ones = [question for question in asked if question not in self.told]
        return self.rng.choice(open_ones) if open_ones else self.open_question()
