"""The training loop: steps, progress, validation, and resuming after a stop.

`torchrun --nproc-per-node N` starts it in N processes: each takes its share of every
batch, so the curve stays the one of a single process.
"""

import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, is_dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn
from tqdm import tqdm

from tt_utils.checkpoint import FILE, make_folder
from tt_utils.training.config import TrainingConfig, learning_rate
from tt_utils.training.trainer import Trainer, TrainingData, endless_batches

# These say how a step is computed, not what it computes: they may change on the way.
MAY_CHANGE = ("accumulate", "compile", "precision")
READ_EVERY = 10  # steps between two looks at a GPU's losses: each look waits for it
BEST = "best"  # the folder for the best model, inside that of the checkpoint


@dataclass(frozen=True)
class Step:
    """What is known of a step after it; the first one has the number 0.

    `gradient_norm` is the norm of all gradients before clipping.
    """

    number: int
    loss: float
    learning_rate: float
    gradient_norm: float


def train(
    model: nn.Module,
    data: TrainingData,
    config: TrainingConfig,
    after_step: Callable[[Step], None] | None = None,
    *,
    validate: Callable[[nn.Module], float] | None = None,
    checkpoint: Path | str | None = None,
    every: int = 500,
    keep_best: bool = False,
    vocabulary: Any = None,
) -> list[float]:
    """Train in place and return the loss of every step.

    The model answers `loss(batch)`, for batches of `data`. `after_step(step)` gets a
    `Step` after each one, for example to keep a log or a snapshot; a GPU is then waited
    for in each. After every `every` steps and the last one, `validate(model)` gives a
    number for the progress bar, and the folder `checkpoint` gets one file with all that
    is needed to go on. If that file exists, training resumes from it, to the same
    losses as without the stop, on the same kind of device in the same precision. It
    keeps `model.config`, a dataclass, and `vocabulary`, whatever JSON can hold; so it
    does the history of `validate`, with the time spent. With `keep_best` the folder
    `checkpoint/best` holds the one of the lowest validation, too. `steps` may grow on
    the way only with the schedule "inverse-root", which doesn't know its end.

    Where the model as a whole is in training mode and a part of it is not, that part
    is frozen and stays so. With `config.average` the model ends with the averaged
    weights, and `validate` sees these. Under torchrun only the main process calls
    back, writes and shows.

    Raises:
        ValueError: there is no data, a batch asks for no prediction, `every` is below
            1, the best can't be known or kept, or the config is no dataclass.
        FloatingPointError: the loss is no longer a number.
        CheckpointError: the checkpoint is damaged, belongs to another model,
            config, vocabulary or data, or can't be written.
    """
    if every < 1:
        raise ValueError(f"train: every is {every}; it must be at least 1 step.")
    if keep_best and (validate is None or checkpoint is None):
        raise ValueError(
            "train: keep_best needs validate, to know the best, and checkpoint, a "
            "folder to keep it in."
        )
    trainer = Trainer(model, config)
    if trainer.processes.size > 1:
        # Each process drops other units.
        torch.manual_seed(torch.initial_seed() + trainer.processes.rank)
    settings: dict[str, Any] = {}
    if checkpoint is not None:
        make_folder(checkpoint)
        settings = settings_of(model, data, config, vocabulary)
        if (Path(checkpoint) / FILE).exists():
            trainer.restore(checkpoint, settings)
    start, is_main = len(trainer.losses), trainer.processes.is_main
    batches = endless_batches(data, config.seed, trainer.cursor)
    with Progress(start, config.steps, hidden=not is_main) as progress:
        for step in range(start, config.steps):
            batch = next(batches)
            norm = trainer.step(batch)
            due = (step + 1) % every == 0 or step + 1 == config.steps
            waits = trainer.device.type == "cpu" or after_step is not None
            if waits or due or step % READ_EVERY == 0:
                trainer.read_losses()
            if is_main and after_step is not None:
                rate = learning_rate(step, config)
                after_step(Step(step, trainer.losses[-1], rate, norm.item()))
            if is_main and due and validate is not None:
                progress.valid = trainer.validate(validate)
            if is_main:
                progress.show(trainer.losses[-1], batch.weight)
            if due and checkpoint is not None:
                trainer.save(checkpoint, settings)
                if keep_best and trainer.is_best():
                    trainer.save(make_folder(Path(checkpoint) / BEST), settings)
    trainer.finish()
    return trainer.losses


def settings_of(
    model: nn.Module, data: TrainingData, config: TrainingConfig, vocabulary: Any
) -> dict[str, Any]:
    """List what must be the same when training resumes.

    Raises:
        ValueError: the model's config can't be listed.
    """
    sizes = getattr(model, "config", None)
    if not is_dataclass(sizes) or isinstance(sizes, type):
        raise ValueError(
            f"train: a checkpoint keeps {type(model).__name__}.config, which must be a "
            "dataclass with what the model is built of; add one, or train without "
            "checkpoint."
        )
    free = {*MAY_CHANGE, *(["steps"] if config.schedule == "inverse-root" else [])}
    return {
        "model": {"kind": type(model).__name__} | asdict(sizes),
        "training": {k: v for k, v in asdict(config).items() if k not in free},
        "data": data.fingerprint(),
        "vocabulary": vocabulary,
    }


class Progress:
    """The progress bar: loss, validation, and predictions learned from in a second."""

    def __init__(self, start: int, steps: int, hidden: bool) -> None:
        self.bar = tqdm(
            initial=start,
            total=steps,
            unit="step",
            file=sys.stdout,
            mininterval=1,
            disable=hidden,
        )
        self.valid: float | None = None
        self.learned = 0

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *error: object) -> None:
        self.bar.close()

    def show(self, loss: float, weight: int) -> None:
        """Note one more step."""
        self.learned += weight
        speed = self.learned / max(self.bar.format_dict["elapsed"], 1e-9)
        shown = {} if self.valid is None else {"valid": f"{self.valid:.3f}"}
        shown |= {"loss": f"{loss:.3f}", "tokens/s": f"{speed:,.0f}"}
        self.bar.set_postfix(shown, refresh=False)
        self.bar.update()
