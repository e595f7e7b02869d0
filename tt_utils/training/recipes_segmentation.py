"""How the segmenter is built and trained: settings that were tried.

They suit one CPU core.
"""

from typing import Any

from tt_utils.models.segmenter import SegmenterConfig
from tt_utils.training.config import TrainingConfig

ROWS = 32  # scenes in one batch
MODEL: dict[str, Any] = {
    "n_layers": 4,
    "d_model": 64,
    "d_ff": 128,
    "n_heads": 4,
    "dropout": 0.0,
    "patch": 3,
    "max_len": 65,
}
TRAINING = TrainingConfig(steps=2_000, peak_lr=3e-3, warmup=100)


def segmenter_config(**changes: Any) -> SegmenterConfig:
    """Give the sizes of the recipe; `changes` replace some of them."""
    return SegmenterConfig(**MODEL | changes)
