"""Reviews ready for training: batches, a tokenizer, and what tests each kind."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch

from tt_utils.data.batching import pad
from tt_utils.data.examples import ExampleBatches, LabelledBatch
from tt_utils.data.reviews.rules import HELD_OUT, Review, reviews
from tt_utils.data.tokenizer import WordTokenizer

LABELS = ("negative", "positive")
Example = tuple[tuple[int, ...], int]  # ids, label

TESTED = 1_000  # reviews of each kind
TEST_SEED = 1_000_003  # no training's


@dataclass(frozen=True)
class ReviewsData:
    """All that one training needs, and reviews that it never sees.

    `valid` holds other reviews of the kinds trained on; `test` has those of each kind
    held out, by its name.
    """

    train: list[Review]
    valid: list[Review]
    test: dict[str, list[Review]]
    tokenizer: WordTokenizer
    batches: ExampleBatches[Example]


def reviews_data(
    n: int,
    rows: int,
    seed: int = 0,
    stretch: int = 1,
    shown: Mapping[str, int] | None = None,
) -> ReviewsData:
    """Draw n reviews to learn from, in batches of `rows`, and others to test with.

    `stretch` is that of `reviews`. `shown` says of which kinds held out the training
    shows some after all, and how many; none of these is among the tests, which are the
    same for every seed.

    Raises:
        ValueError: n, rows or a kind can't be.
    """
    drawn = reviews(n + TESTED, seed, stretch=stretch)
    train, valid = drawn[:n], drawn[n:]
    test = {kind: reviews(TESTED, TEST_SEED, (kind,)) for kind in HELD_OUT}
    for kind, count in (shown or {}).items():
        tested = {review.text for review in test.get(kind, ())}
        more = reviews(count, seed, (kind,))
        train += [review for review in more if review.text not in tested]
    tokenizer = WordTokenizer.from_sentences(review.words for review in train)
    examples = [encode_review(review, tokenizer) for review in train]
    batches = ExampleBatches(examples, rows, labelled_batch)
    return ReviewsData(train, valid, test, tokenizer, batches)


def encode_review(review: Review, tokenizer: WordTokenizer) -> Example:
    """Give the ids that a classifier reads, <s> first and </s> last, and the label."""
    ids = tokenizer.encode(review.words)
    return (tokenizer.bos_id, *ids, tokenizer.eos_id), review.label


def labelled_batch(examples: Sequence[Example]) -> LabelledBatch:
    """Put texts of any lengths in one batch, padded behind."""
    rows, labels = zip(*examples, strict=True)
    return LabelledBatch(pad(rows), torch.tensor(labels))
