"""How the detector is built and trained: settings to begin from.

They haven't been compared with others yet.
"""

from typing import Any

from tt_utils.models.detector import DetectorConfig
from tt_utils.training.config import TrainingConfig

ROWS = 32  # scenes in one batch
MODEL: dict[str, Any] = {
    "n_encoder_layers": 3,
    "n_decoder_layers": 2,
    "d_model": 64,
    "d_ff": 128,
    "n_heads": 4,
    "dropout": 0.0,
    "patch": 8,
    "stride": 2,
    "nothing_weight": 0.3,
}
TRAINING = TrainingConfig(steps=1_000, peak_lr=2e-3, warmup=100, schedule="cosine")


def detector_config(**changes: Any) -> DetectorConfig:
    """Give the sizes of the recipe; `changes` replace some of them."""
    return DetectorConfig(**MODEL | changes)
