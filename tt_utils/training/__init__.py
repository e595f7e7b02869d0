"""How a model learns: chapters 15 and 16."""

from tt_utils.training.config import TrainingConfig, learning_rate
from tt_utils.training.loop import Step, train

__all__ = ["Step", "TrainingConfig", "learning_rate", "train"]
