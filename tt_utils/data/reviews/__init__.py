"""Short opinions without end, with their labels, drawn by rules."""

from tt_utils.data.reviews.prepared import (
    LABELS,
    ReviewsData,
    encode_review,
    labelled_batch,
    reviews_data,
)
from tt_utils.data.reviews.rules import HELD_OUT, TRAINING, Review, reviews

__all__ = [
    "HELD_OUT",
    "LABELS",
    "TRAINING",
    "Review",
    "ReviewsData",
    "encode_review",
    "labelled_batch",
    "reviews",
    "reviews_data",
]
