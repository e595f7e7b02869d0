"""What to train on which data, and for how long: settings that were tried.

The budget `quick` suits two CPU cores, `full` a GPU, or cores that may work longer.
"""

from dataclasses import dataclass
from typing import Any, Literal

from tt_utils.data.corpora import Data
from tt_utils.data.tokenizer import Tokenizer
from tt_utils.models.transformer import TransformerConfig
from tt_utils.training.config import TrainingConfig

Budget = Literal["quick", "full"]


@dataclass(frozen=True)
class Recipe:
    """The sizes of a model, apart from its vocabularies, and how it learns."""

    model: dict[str, Any]
    training: TrainingConfig

    def config(self, source: Tokenizer, target: Tokenizer) -> TransformerConfig:
        """Add the sizes of the vocabularies."""
        return TransformerConfig(len(source), len(target), **self.model)


SMALL = {
    "d_model": 64,
    "d_ff": 256,
    "n_heads": 4,
    "n_encoder_layers": 2,
    "n_decoder_layers": 2,
    "dropout": 0.0,
    "norm_first": True,
    "max_len": 64,
}
MEDIUM = {
    "d_model": 256,
    "d_ff": 512,
    "n_heads": 4,
    "n_encoder_layers": 3,
    "n_decoder_layers": 3,
    "dropout": 0.25,
    "norm_first": True,
    "tie_embeddings": "all",
    "max_len": 512,
}
RECIPES: dict[tuple[Data, Budget], Recipe] = {
    ("grammar", "quick"): Recipe(SMALL, TrainingConfig(steps=4_000)),
    ("grammar", "full"): Recipe(
        SMALL | {"d_model": 128, "d_ff": 512},
        TrainingConfig(
            steps=10_000, peak_lr=4e-3, warmup=400, max_tokens=4_096, precision="bf16"
        ),
    ),
    ("multi30k", "quick"): Recipe(
        MEDIUM,
        TrainingConfig(
            steps=5_320,
            peak_lr=1.5e-3,
            warmup=400,
            max_tokens=2_000,
            weight_decay=0.01,
            precision="bf16",
            average=500,
        ),
    ),
    ("multi30k", "full"): Recipe(
        MEDIUM | {"dropout": 0.3},
        TrainingConfig(
            steps=21_040,
            peak_lr=1.5e-3,
            warmup=400,
            max_tokens=2_000,
            weight_decay=0.01,
            precision="bf16",
            average=2_000,
        ),
    ),
}
