"""The training loop: loss, learning rate, steps, progress."""

import itertools
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn
from tqdm import tqdm

from tt_utils.data.batching import Batch, IdPair, token_batches
from tt_utils.tokenizer import PAD
from tt_utils.transformer import Transformer


@dataclass(frozen=True)
class TrainingConfig:
    """How long and how fast to learn; the defaults suit the embedded grammar."""

    steps: int = 3_500
    peak_lr: float = 8e-3
    warmup: int = 150
    max_tokens: int = 1_200
    label_smoothing: float = 0.1
    clip: float = 1.0
    seed: int = 0


def loss_over_tokens(
    logits: Float[Tensor, "batch t vocab"],
    labels: Int[Tensor, "batch t"],
    label_smoothing: float,
) -> Float[Tensor, ""]:
    """Average the label-smoothed cross-entropy over real tokens, never over padding.

    Source: Vaswani et al. 2017, section 5.4.
    """
    return F.cross_entropy(
        logits.flatten(0, 1),
        labels.flatten(),
        ignore_index=PAD,
        label_smoothing=label_smoothing,
    )


def learning_rate(step: int, config: TrainingConfig) -> float:
    """Rise in a straight line to the peak, then fall in a straight line to zero."""
    rise = (step + 1) / max(config.warmup, 1)
    fall = (config.steps - step) / max(config.steps - config.warmup, 1)
    return config.peak_lr * min(rise, fall)


def endless_batches(pairs: Sequence[IdPair], config: TrainingConfig) -> Iterator[Batch]:
    """Repeat the data, shuffled anew in every epoch."""
    for epoch in itertools.count():
        yield from token_batches(pairs, config.max_tokens, seed=config.seed + epoch)


def train(
    model: Transformer,
    pairs: Sequence[IdPair],
    config: TrainingConfig,
    after_step: Callable[[int], None] | None = None,
) -> list[float]:
    """Train in place and return the loss of every step.

    `after_step(step)` runs after each step, for example to keep a snapshot.

    Raises:
        FloatingPointError: the loss is no longer a number.
    """
    device = next(model.parameters()).device
    optimizer = torch.optim.Adam(
        model.parameters(), betas=(0.9, 0.98), eps=1e-9, fused=True
    )
    losses: list[float] = []
    model.train()
    batches = itertools.islice(endless_batches(pairs, config), config.steps)
    with tqdm(
        batches, total=config.steps, unit="step", file=sys.stdout, mininterval=1
    ) as progress:
        for step, batch in enumerate(progress):
            for group in optimizer.param_groups:
                group["lr"] = learning_rate(step, config)
            logits = model(batch.src.to(device), batch.tgt.to(device))
            labels = batch.labels.to(device)
            loss = loss_over_tokens(logits, labels, config.label_smoothing)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), config.clip)
            optimizer.step()
            losses.append(loss.item())
            if not math.isfinite(losses[-1]):
                raise FloatingPointError(
                    f"train: the loss became {losses[-1]} at step {step}; "
                    "lower peak_lr or lengthen the warm-up."
                )
            progress.set_postfix(loss=f"{losses[-1]:.3f}", refresh=False)
            if after_step is not None:
                after_step(step)
    model.eval()
    return losses
