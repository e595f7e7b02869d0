"""The training loop: steps, progress, validation, and going on after a stop.

`torchrun --nproc-per-node N` starts it in N processes: each takes its share of every
batch, so the curve stays the one of a single process.
"""

import itertools
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from torch import nn
from tqdm import tqdm

from tt_utils.checkpoint import FILE, fill, make_folder, own_tensors
from tt_utils.data.batching import IdPair
from tt_utils.models.transformer import Transformer
from tt_utils.training.config import TrainingConfig
from tt_utils.training.trainer import Run, endless_batches, fingerprint

# These say how a step is computed, not what it computes: they may change on the way.
MAY_CHANGE = ("accumulate", "compile")
READ_EVERY = 10  # steps between two looks at a GPU's losses: each look waits for it


def train(
    model: Transformer,
    pairs: Sequence[IdPair],
    config: TrainingConfig,
    after_step: Callable[[int], None] | None = None,
    *,
    validate: Callable[[nn.Module], float] | None = None,
    checkpoint: Path | str | None = None,
    every: int = 500,
    vocabulary: Any = None,
) -> list[float]:
    """Train in place and return the loss of every step.

    `after_step(step)` runs after each step, for example to keep a snapshot.
    After every `every` steps and the last one, `validate(model)` gives a number for
    the progress bar, and the folder `checkpoint` gets one file with all that is
    needed to go on. If that file exists, training goes on from it, to the same
    losses as without the stop, on the same kind of device. `vocabulary`, whatever
    JSON can hold, is kept in it; so is the history of `validate`, with the time spent.

    With `config.average` the model ends with the averaged weights, and `validate`
    sees these. Under torchrun only the first process calls back, writes and shows.

    Raises:
        ValueError: there are no pairs, or `every` is below 1.
        FloatingPointError: the loss is no longer a number.
        CheckpointError: the checkpoint is damaged, belongs to another model,
            config, vocabulary or data, or can't be written.
    """
    if every < 1:
        raise ValueError(f"train: every is {every}; it must be at least 1 step.")
    run = Run(model, config)
    settings: dict[str, Any] = {}
    if checkpoint is not None:
        make_folder(checkpoint)
        settings = {
            "model": asdict(model.config),
            "training": {
                k: v for k, v in asdict(config).items() if k not in MAY_CHANGE
            },
            "data": fingerprint(pairs),
            "vocabulary": vocabulary,
        }
        if (Path(checkpoint) / FILE).exists():
            run.restore(checkpoint, settings)
    leads, start, tokens, shown = run.team.leads, len(run.losses), 0, {}
    batches = endless_batches(pairs, config, run.position, model.config.pad_id)
    model.train()
    with tqdm(
        itertools.islice(batches, config.steps - start),
        initial=start,
        total=config.steps,
        unit="step",
        file=sys.stdout,
        mininterval=1,
        disable=not leads,
    ) as progress:
        for step, batch in enumerate(progress, start):
            run.step(batch)
            due = (step + 1) % every == 0 or step + 1 == config.steps
            if run.device.type == "cpu" or due or step % READ_EVERY == 0:
                run.read_losses()
            tokens += int(batch.real.sum())
            if leads and after_step is not None:
                after_step(step)
            if leads and due and validate is not None:
                value = validated(run, validate)
                run.history.append(
                    {"step": step + 1, "valid": value} | run.clock.read()
                )
                shown["valid"] = f"{value:.3f}"
            if leads:
                speed = tokens / max(progress.format_dict["elapsed"], 1e-9)
                shown |= {"loss": f"{run.losses[-1]:.3f}", "tokens/s": f"{speed:,.0f}"}
                progress.set_postfix(shown, refresh=False)
            if due and checkpoint is not None:
                run.save(checkpoint, settings)
    run.team.wait()
    if run.average is not None:
        fill(model, own_tensors(run.average))
    model.eval()
    return run.losses


@torch.no_grad()
def validated(run: Run, validate: Callable[[nn.Module], float]) -> float:
    """Measure the model that training would end with now."""
    if run.average is not None:
        return validate(run.average)
    run.model.eval()
    value = validate(run.model)
    run.model.train()
    return value
