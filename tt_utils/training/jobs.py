"""All that one training needs, for each of the book's data: `tt train --data …`."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from torch import nn

from tt_utils.data.examples import ExampleBatches
from tt_utils.data.reviews import labelled_batch, reviews_data
from tt_utils.data.reviews.prepared import encode_review
from tt_utils.data.stories import prepare_stories
from tt_utils.data.stories.prepare import encode_questions
from tt_utils.models.bert import Classifier, SpanReader
from tt_utils.models.gpt import GPT
from tt_utils.models.transformer import Transformer
from tt_utils.training import (
    recipes,
    recipes_captions,
    recipes_dialogue,
    recipes_reviews,
    recipes_stories,
)
from tt_utils.training.config import TrainingConfig
from tt_utils.training.loss import TrainingBatch
from tt_utils.training.trainer import TrainingData


@dataclass(frozen=True)
class Job:
    """What to train, on what, how, and what its checkpoint keeps beside it.

    `what` says what the data are; `to_try` is the command that uses the model then,
    with texts for it.
    """

    what: str
    build: Callable[[], nn.Module]
    data: TrainingData
    valid: Iterable[TrainingBatch]
    training: TrainingConfig
    vocabulary: dict[str, Any]
    to_try: tuple[str, ...]


def translation(
    data: recipes.Data, budget: recipes.Budget, direction: str, seed: int
) -> Job:
    """Learn to translate, in the direction "de-en" or "en-de" for multi30k."""
    ready = recipes.prepare(data, budget, *direction.split("-"), seed)
    return Job(
        f"{len(ready.data.pairs):,} sentence pairs",
        lambda: Transformer(ready.model),
        ready.data,
        ready.valid,
        ready.training,
        ready.vocabulary,
        ("translate", ready.corpus.test[0][0]),
    )


def captions(seed: int) -> Job:
    """Learn to write captions."""
    ready = recipes_captions.prepare_captions(seed)
    return Job(
        f"{len(ready.data.tokens):,} pieces of captions",
        ready.build,
        ready.data,
        ready.valid,
        ready.training,
        ready.vocabulary,
        ("generate", "A man in a"),
    )


def reviews(seed: int) -> Job:
    """Learn to judge reviews."""
    made = reviews_data(recipes_reviews.REVIEWS, recipes_reviews.ROWS, seed)
    config = recipes_reviews.classifier_config(made.tokenizer)
    valid = [encode_review(review, made.tokenizer) for review in made.valid]
    return Job(
        f"{len(made.train):,} reviews",
        lambda: Classifier(config),
        made.batches,
        ExampleBatches(valid, recipes_reviews.ROWS, labelled_batch),
        replace(recipes_reviews.TRAINING, seed=seed),
        recipes_reviews.classifier_vocabulary(made.tokenizer),
        ("classify", made.valid[0].text),
    )


def stories(seed: int) -> Job:
    """Learn to answer questions about stories, of one fact and of two."""
    training = replace(recipes_stories.BOTH, seed=seed)
    made = prepare_stories(
        training.steps * recipes_stories.ROWS, recipes_stories.MIXTURE, seed
    )
    config = recipes_stories.reader_config(made.tokenizer)
    valid = encode_questions(made.valid, made.tokenizer)
    asked = made.valid[0].reading()
    return Job(
        f"{len(made.train):,} questions",
        lambda: SpanReader(config),
        recipes_stories.story_batches(made.train),
        recipes_stories.story_batches(valid),
        training,
        recipes_stories.vocabulary(made.tokenizer),
        ("answer", asked.question, asked.passage),
    )


def dialogue(seed: int) -> Job:
    """Learn to chat about a small world."""
    ready = recipes_dialogue.prepare_dialogues(seed)
    return Job(
        f"{len(ready.data.long.examples):,} dialogues",
        lambda: GPT(ready.model),
        ready.data,
        ready.valid,
        ready.training,
        ready.vocabulary,
        ("chat",),
    )


SMALL: dict[str, Callable[[int], Job]] = {
    "captions": captions,
    "reviews": reviews,
    "stories": stories,
    "dialogue": dialogue,
}
