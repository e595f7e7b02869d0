"""All that one training on stories needs: a vocabulary, examples, questions."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from tt_utils.data.squad import SpanExample, encode_reading
from tt_utils.data.stories.questions import Asked, Facts, ask
from tt_utils.data.stories.world import PEOPLE, PLACES, THINGS, VERBS
from tt_utils.data.tokenizer import WordTokenizer

SHORT, LONG = (2, 6), (8, 12)  # sentences in a story, of training and to test on
TESTED = 500  # questions of each kind
MAX_LEN = 96  # tokens: the longest story here has 79


@dataclass(frozen=True)
class StoryData:
    """Examples to learn from, and questions that are not among them.

    `test` and `longer` hold questions that need so many facts; the stories of `longer`
    are longer than those of training.
    """

    tokenizer: WordTokenizer
    train: list[SpanExample]
    valid: list[Asked]
    test: dict[Facts, list[Asked]]
    longer: dict[Facts, list[Asked]]


def story_tokenizer() -> WordTokenizer:
    """Know every word that a story or a question may hold."""
    verbs = {word for told in VERBS.values() for verb in told for word in verb.split()}
    marks = {"Where", "is", "the", "?", "."}
    return WordTokenizer(sorted({*PEOPLE, *PLACES, *THINGS, *verbs, *marks}))


def prepare_stories(
    count: int,
    facts: Sequence[Facts] = (1, 2),
    seed: int = 0,
    lengths: tuple[int, int] = SHORT,
) -> StoryData:
    """Draw `count` examples of these kinds to learn from, and others to test on.

    A kind that stands twice among `facts` is learned twice as often. `lengths` are
    those of the stories to learn from. The questions to test on don't depend on it or
    on the seed, except that those to learn from are left out.
    """
    learned = draw_questions(f"learn {seed}", facts, count, lengths)
    seen = {(asked.story.sentences, asked.name) for asked in learned}

    def unseen(
        name: str, facts: Sequence[Facts], lengths: tuple[int, int]
    ) -> list[Asked]:
        drawn = draw_questions(name, facts, 2 * TESTED, lengths)
        new = [a for a in drawn if (a.story.sentences, a.name) not in seen]
        return new[:TESTED]

    tokenizer = story_tokenizer()
    return StoryData(
        tokenizer,
        encode_questions(learned, tokenizer),
        unseen("valid", facts, SHORT),
        {needed: unseen("test", [needed], SHORT) for needed in facts},
        {needed: unseen("longer", [needed], LONG) for needed in facts},
    )


def draw_questions(
    name: str, facts: Sequence[Facts], count: int, lengths: tuple[int, int]
) -> list[Asked]:
    """Ask about `count` stories, of kinds and lengths that the name's chance says."""
    rng = random.Random(f"stories: {name} {facts}")
    return [ask(rng, rng.choice(facts), rng.randint(*lengths)) for _ in range(count)]


def encode_questions(
    asked: Sequence[Asked], tokenizer: WordTokenizer
) -> list[SpanExample]:
    """Turn questions into tokens with the span to find."""
    return [encode_reading(one.reading(), tokenizer, MAX_LEN) for one in asked]
