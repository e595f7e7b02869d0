"""Questions about a story that one sentence answers, or two together, or none."""

import random
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from tt_utils.data.squad import Answer, Reading
from tt_utils.data.stories.world import PEOPLE, THINGS, Story, make_story

Facts = Literal[1, 2]

UNANSWERED = 0.15  # the share of questions that the story doesn't answer


@dataclass(frozen=True)
class Asked:
    """A story and a question: where is `name`, a person or a thing?

    `facts` numbers the sentences that answer it together, the last one with the place.
    """

    story: Story
    name: str

    @property
    def facts(self) -> tuple[int, ...]:
        """Number the sentences that are needed; none where there is no answer."""
        return self.story.world.facts(self.name)

    @property
    def question(self) -> str:
        """Ask for the place."""
        article = "" if self.name in PEOPLE else "the "
        return f"Where is {article}{self.name}?"

    @property
    def answer(self) -> str | None:
        """Name the place; None where the story doesn't tell."""
        return self.story.world.place(self.name)

    @property
    def guess(self) -> str | None:
        """Name the place named last, which needs no question; None if there is none."""
        places = [event.what for event in self.story.world.events if event.deed == "go"]
        return places[-1] if places else None

    def reading(self, name: str = "story") -> Reading:
        """Give it the form of SQuAD, with the place of the answer in characters."""
        answers: tuple[Answer, ...] = ()
        if self.facts:
            ends = list(accumulate(len(text) + 1 for text in self.story.sentences))
            place = self.answer or ""
            # A sentence ends with the place and a full stop, before the space.
            start = ends[self.facts[-1]] - len(place) - 2
            answers = (Answer(place, start),)
        return Reading(name, self.question, self.story.passage, answers)


def ask(rng: random.Random, facts: Facts, length: int) -> Asked:
    """Draw a story of `length` sentences and ask for a person (1 fact) or a thing (2).

    Raises:
        ValueError: there are fewer sentences than facts.
    """
    if length < facts:
        raise ValueError(
            f"ask: {facts} facts from {length} sentences; ask for a longer story."
        )
    answered = rng.random() >= UNANSWERED
    while True:
        story = make_story(rng, length)
        names = PEOPLE if facts == 1 else THINGS
        fitting = [n for n in names if bool(story.world.facts(n)) == answered]
        if fitting:
            return Asked(story, rng.choice(fitting))
