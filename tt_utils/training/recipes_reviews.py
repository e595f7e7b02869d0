"""How the classifier of reviews is built and trained: settings that were tried.

They suit one CPU core: about a minute.
"""

from typing import Any

from tt_utils.data.reviews import LABELS
from tt_utils.data.tokenizer import Tokenizer
from tt_utils.models.bert import ClassifierConfig
from tt_utils.training.config import TrainingConfig

REVIEWS, ROWS = 40_000, 64  # to learn from, and in one batch
MODEL: dict[str, Any] = {
    "n_layers": 2,
    "d_model": 64,
    "d_ff": 128,
    "n_heads": 4,
    "dropout": 0.0,
    "norm_first": True,
    "positions": "rotary",
    "max_len": 128,
}
TRAINING = TrainingConfig(steps=2_000, peak_lr=3e-3, warmup=100)


def classifier_config(tokenizer: Tokenizer, **changes: Any) -> ClassifierConfig:
    """Add what the tokenizer says; `changes` replace sizes of the recipe."""
    sizes = MODEL | changes
    return ClassifierConfig(
        len(tokenizer), pad_id=tokenizer.pad_id, n_labels=len(LABELS), **sizes
    )


def classifier_vocabulary(tokenizer: Tokenizer) -> dict[str, Any]:
    """Give what a checkpoint keeps for `tt_utils.decoding.classifying`."""
    about = {"data": "reviews", "labels": list(LABELS)}
    return {"about": about, "tokenizers": [tokenizer.to_json()]}
