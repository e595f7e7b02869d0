"""How long and how fast a model learns."""

import math
from dataclasses import dataclass
from typing import Literal, get_args

Schedule = Literal["linear", "inverse-root", "cosine"]
Precision = Literal["fp32", "bf16", "fp16"]


@dataclass(frozen=True)
class TrainingConfig:
    """How long and how fast to learn.

    The learning rate warms up for `warmup` steps, then follows the `schedule`. A
    step's batch passes through the model in `accumulate` pieces (gradient
    accumulation). `weight_decay` is AdamW's, on all parameters; it is not zero by
    default. `clip` bounds the norm of the gradients; 0 lets them be. `average` is how
    many steps the moving average of the weights looks back on; 0 leaves the last
    weights. `label_smoothing` is for models whose loss takes it.

    Raises:
        ValueError: a value that can't be meant.
    """

    steps: int
    peak_lr: float
    warmup: int = 150
    weight_decay: float = 0.05
    label_smoothing: float = 0.0
    clip: float = 1.0
    seed: int = 0
    schedule: Schedule = "linear"
    accumulate: int = 1
    precision: Precision = "fp32"
    compile: bool = False
    average: int = 0

    def __post_init__(self) -> None:
        for name, known in (
            ("schedule", get_args(Schedule)),
            ("precision", get_args(Precision)),
        ):
            if getattr(self, name) not in known:
                raise ValueError(
                    f"TrainingConfig: {name} is {getattr(self, name)!r}; "
                    f"choose one of {', '.join(known)}."
                )
        for least, names in (
            (1, ("steps", "warmup", "accumulate")),
            (0, ("peak_lr", "average", "weight_decay", "label_smoothing", "clip")),
        ):
            for name in names:
                if not getattr(self, name) >= least:
                    raise ValueError(
                        f"TrainingConfig: {name} is {getattr(self, name)}; "
                        f"it must be at least {least}."
                    )
        if self.label_smoothing >= 1:
            raise ValueError(
                f"TrainingConfig: label_smoothing is {self.label_smoothing}; "
                "it must be below 1, or nothing is left of the labels."
            )
        if self.schedule != "inverse-root" and self.warmup >= self.steps:
            raise ValueError(
                f"TrainingConfig: a warm-up of {self.warmup} steps doesn't end within "
                f"steps={self.steps}; make it shorter."
            )


def learning_rate(step: int, config: TrainingConfig) -> float:
    """Warm up in a straight line to the peak, then decay as the schedule says.

    "linear" and "cosine" end near zero and stay there; "inverse-root" falls as
    1/√step, and with peak_lr = 1/√(d_model · warmup) it is the paper's.

    Source: Vaswani et al. 2017, equation 3; Loshchilov and Hutter 2017 for the cosine.
    """
    rise = (step + 1) / config.warmup
    if config.schedule == "inverse-root":
        return config.peak_lr * min(rise, math.sqrt(config.warmup / (step + 1)))
    left = max(config.steps - step, 0) / (config.steps - config.warmup)
    if config.schedule == "cosine":
        left = (1 - math.cos(math.pi * min(left, 1.0))) / 2
    return config.peak_lr * min(rise, left)
