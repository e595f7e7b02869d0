"""How the model that draws digits is built and trained: settings that were tried.

They suit one CPU core: about a minute.
"""

from typing import Any

from tt_utils.data.codebook import CodeBatches, Codebook
from tt_utils.data.digits import KINDS, DigitBatches, Digits, Distortion
from tt_utils.models.image_gpt import ImageGPTConfig
from tt_utils.training.config import TrainingConfig

PATCH, CODES = 2, 128
ROWS, DROPPED = 64, 0.1
TEMPERATURE, GUIDANCE = 0.8, 1.5
MODEL: dict[str, Any] = {
    "n_layers": 3,
    "d_model": 64,
    "d_ff": 128,
    "n_heads": 4,
    "dropout": 0.1,
    "n_labels": KINDS,
}
TRAINING = TrainingConfig(steps=1_500, peak_lr=3e-3, warmup=100)


def drawing_config(codebook: Codebook, **changes: Any) -> ImageGPTConfig:
    """Add what the codebook says; `changes` replace sizes of the recipe."""
    sizes = MODEL | changes
    return ImageGPTConfig(len(codebook) + sizes["n_labels"] + 1, **sizes)


def drawing_batches(
    digits: Digits,
    codebook: Codebook,
    distortion: Distortion | None = Distortion(),  # noqa: B008 - frozen
    dropped: float = DROPPED,
) -> CodeBatches:
    """Give digits as codes, distorted before, in batches to learn from."""
    return CodeBatches(DigitBatches(digits, ROWS, distortion), codebook, dropped)


def drawing_vocabulary(codebook: Codebook) -> dict[str, Any]:
    """Give what a checkpoint keeps, to make images of codes again."""
    return {"centres": codebook.centres.tolist(), "size": codebook.size}
