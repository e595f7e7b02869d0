"""The training loop: loss, learning rate, steps, progress, and going on after a stop.

`torchrun --nproc-per-node N` starts it in N processes: each takes its share of every
batch, so the curve stays the one of a single process.
"""

import atexit
import contextlib
import hashlib
import itertools
import math
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import torch
import torch.distributed as dist
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from tqdm import tqdm

from tt_utils.checkpoint import (
    FILE,
    fill,
    load_checkpoint,
    own_tensors,
    save_checkpoint,
)
from tt_utils.data.batching import Batch, IdPair, token_batches
from tt_utils.tokenizer import PAD
from tt_utils.transformer import Transformer

HALF = {"bf16": torch.bfloat16, "fp16": torch.float16}
# These say how a step is computed, not what it computes: they may change on the way.
MEANS = ("accumulate", "compile")
READ_EVERY = 10  # steps between two looks at a GPU's losses: each look waits for it


@dataclass(frozen=True)
class TrainingConfig:
    """How long and how fast to learn; the defaults suit the embedded grammar.

    A step's batch holds about `max_tokens` target tokens, in `accumulate` pieces
    that pass through the model one by one. `average` is how many steps the moving
    average of the weights looks back on; 0 leaves the last weights.

    Raises:
        ValueError: a value that can't be meant.
    """

    steps: int = 3_500
    peak_lr: float = 8e-3
    warmup: int = 150
    max_tokens: int = 1_200
    label_smoothing: float = 0.1
    clip: float = 1.0
    seed: int = 0
    schedule: Literal["linear", "inverse-root"] = "linear"
    accumulate: int = 1
    precision: Literal["fp32", "bf16", "fp16"] = "fp32"
    compile: bool = False
    average: int = 0

    def __post_init__(self) -> None:
        for name, known in (
            ("schedule", ("linear", "inverse-root")),
            ("precision", ("fp32", *HALF)),
        ):
            if getattr(self, name) not in known:
                raise ValueError(
                    f"TrainingConfig: {name} is {getattr(self, name)!r}; "
                    f"choose one of {', '.join(known)}."
                )
        for name, least in (("warmup", 1), ("accumulate", 1), ("average", 0)):
            if getattr(self, name) < least:
                raise ValueError(
                    f"TrainingConfig: {name} is {getattr(self, name)}; "
                    f"it must be at least {least}."
                )
        if self.schedule == "linear" and self.warmup >= self.steps:
            raise ValueError(
                f"TrainingConfig: a warm-up of {self.warmup} steps doesn't end within "
                f"steps={self.steps}; make it shorter."
            )


def loss_over_tokens(
    logits: Float[Tensor, "batch t vocab"],
    labels: Int[Tensor, "batch t"],
    label_smoothing: float,
) -> Float[Tensor, ""]:
    """Average the label-smoothed cross-entropy over real tokens, never over padding.

    Half-precision logits are summed in fp32.

    Source: Vaswani et al. 2017, section 5.4.
    """
    if logits.dtype in HALF.values():
        logits = logits.float()
    return F.cross_entropy(
        logits.flatten(0, 1),
        labels.flatten(),
        ignore_index=PAD,
        label_smoothing=label_smoothing,
    )


def learning_rate(step: int, config: TrainingConfig) -> float:
    """Rise in a straight line to the peak, then fall: linearly to zero, or as 1/√step.

    With "inverse-root" and peak_lr = 1/√(d_model · warmup) it is the paper's.

    Source: Vaswani et al. 2017, equation 3.
    """
    rise = (step + 1) / config.warmup
    if config.schedule == "linear":
        fall = (config.steps - step) / (config.steps - config.warmup)
    else:
        fall = math.sqrt(config.warmup / (step + 1))
    return config.peak_lr * min(rise, fall)


@dataclass
class Position:
    """How far the data has been read: `batch` is the next one of its epoch."""

    epoch: int = 0
    batch: int = 0


def endless_batches(
    pairs: Sequence[IdPair], config: TrainingConfig, position: Position | None = None
) -> Iterator[Batch]:
    """Repeat the data, shuffled anew in every epoch, from `position` on.

    `position` moves along. An epoch's order depends on its number alone, so what was
    read before need not be drawn again.
    """
    position = position or Position()
    while True:
        seed = config.seed + position.epoch
        batches = token_batches(pairs, config.max_tokens, seed=seed)
        for batch in itertools.islice(batches, position.batch, None):
            position.batch += 1
            yield batch
        position.epoch, position.batch = position.epoch + 1, 0


# Several processes


@dataclass(frozen=True)
class Team:
    """The processes that train one model together; most often only this one."""

    rank: int = 0
    size: int = 1

    @property
    def leads(self) -> bool:
        """Only the first process writes files, shows progress and calls back."""
        return self.rank == 0


def join_team(device: torch.device) -> Team:
    """Meet the other processes that torchrun started, if it did."""
    if dist.is_torchelastic_launched() and not dist.is_initialized():
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
        atexit.register(dist.destroy_process_group)
    if not dist.is_initialized():
        return Team()
    return Team(dist.get_rank(), dist.get_world_size())


def pieces(batch: Batch, accumulate: int, team: Team) -> list[tuple[Batch, float]]:
    """Cut this process's pieces from a batch, each with its share of the real tokens.

    All shares of all processes add up to 1, so the weighted sum of the pieces' mean
    losses is the mean loss of the whole batch.
    """
    parts = min(accumulate * team.size, len(batch.src))
    real = int((batch.labels != PAD).sum())
    cut = [
        Batch(*rows)
        for rows in zip(
            batch.src.tensor_split(parts),
            batch.tgt.tensor_split(parts),
            batch.labels.tensor_split(parts),
            strict=True,
        )
    ]
    mine = [
        (part, int((part.labels != PAD).sum()) / real)
        for part in cut[team.rank :: team.size]
    ]
    # Fewer rows than processes: take part all the same, with a weight of nothing.
    return mine or [(cut[0], 0.0)]


# Everything that changes while a model learns


class Run:
    """One training run: the model and all that moves along with it."""

    def __init__(self, model: Transformer, config: TrainingConfig) -> None:
        self.model, self.config = model, config
        self.device = next(model.parameters()).device
        self.team = join_team(self.device)
        self.optimizer = torch.optim.Adam(
            model.parameters(), betas=(0.9, 0.98), eps=1e-9, fused=True
        )
        self.half = HALF.get(config.precision)
        scaled = config.precision == "fp16" and self.device.type == "cuda"
        self.scaler = torch.amp.GradScaler(self.device.type, enabled=scaled)
        self.average: AveragedModel | None = None
        if config.average:
            blend = get_ema_multi_avg_fn(1 - 1 / config.average)
            self.average = AveragedModel(model, multi_avg_fn=blend).eval()
        self.position = Position()
        self.losses: list[float] = []
        self.unread: list[Tensor] = []
        self.forward: nn.Module = model
        if self.team.size > 1:
            self.forward = DistributedDataParallel(model, broadcast_buffers=False)
            # Each process drops other units.
            torch.manual_seed(torch.initial_seed() + self.team.rank)
        if config.compile:
            self.forward = torch.compile(self.forward, dynamic=True)

    def step(self, batch: Batch) -> None:
        """Learn from one batch."""
        step = len(self.losses) + len(self.unread)
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate(step, self.config)
        self.optimizer.zero_grad()
        self.unread.append(self.add_gradients(batch))
        self.scaler.unscale_(self.optimizer)
        nn.utils.clip_grad_norm_(self.model.parameters(), self.config.clip)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        if self.average is not None:
            self.average.update_parameters(self.model)

    def add_gradients(self, batch: Batch) -> Float[Tensor, ""]:
        """Add up the gradients of this process's pieces; return their loss."""
        mine = pieces(batch, self.config.accumulate, self.team)
        total = torch.zeros((), device=self.device)
        for i, (piece, share) in enumerate(mine):
            # Processes exchange gradients once a step, with their last piece.
            waits = self.team.size > 1 and i < len(mine) - 1
            with self.forward.no_sync() if waits else contextlib.nullcontext():
                loss = share * self.loss(piece)
                # The exchange takes the mean over processes; we need their sum.
                self.scaler.scale(loss * self.team.size).backward()
            total = total + loss.detach()
        return total

    def loss(self, batch: Batch) -> Float[Tensor, ""]:
        """Run the model in the precision asked for; average over real tokens."""
        half = self.half is not None
        with torch.autocast(self.device.type, self.half, enabled=half):
            logits = self.forward(batch.src.to(self.device), batch.tgt.to(self.device))
        labels = batch.labels.to(self.device)
        return loss_over_tokens(logits, labels, self.config.label_smoothing)

    def read_losses(self) -> None:
        """Fetch the losses of the last steps: a GPU must be waited for.

        Raises:
            FloatingPointError: one is not a number.
        """
        if not self.unread:
            return
        fresh = torch.stack(self.unread)
        self.unread.clear()
        if self.team.size > 1:
            dist.all_reduce(fresh)
        for loss in fresh.tolist():
            if not math.isfinite(loss):
                raise FloatingPointError(
                    f"train: the loss became {loss} at step {len(self.losses)}; "
                    "lower peak_lr or lengthen the warm-up."
                )
            self.losses.append(loss)

    def save(self, folder: Path | str, settings: dict[str, Any]) -> None:
        """Write all that is needed to go on; every process must call this."""
        states: list[Any] = [random_states(self.device)]
        if self.team.size > 1:
            states *= self.team.size
            dist.all_gather_object(states, states[0])
        tensors = {"losses": torch.tensor(self.losses, dtype=torch.float64)}
        parts: dict[str, dict[str, Tensor]] = {"model": own_tensors(self.model)}
        if self.average is not None:
            parts["average"] = own_tensors(self.average)
        for i, moments in self.optimizer.state_dict()["state"].items():
            parts[f"optimizer.{i}"] = moments
        for part, named in parts.items():
            tensors |= {f"{part}.{name}": tensor for name, tensor in named.items()}
        place = {
            "step": len(self.losses),
            "position": asdict(self.position),
            "scaler": self.scaler.state_dict(),
            "random": states,
        }
        if self.team.leads:
            save_checkpoint(folder, tensors, settings | place)

    def restore(self, folder: Path | str, settings: dict[str, Any]) -> None:
        """Go back to where the checkpoint was written."""
        found = load_checkpoint(folder, **settings)
        fill(self.model, found.part("model"))
        if self.average is not None:
            fill(self.average, found.part("average"))
        groups = self.optimizer.state_dict()["param_groups"]
        moments = {
            i: found.part(f"optimizer.{i}") for i in range(len(groups[0]["params"]))
        }
        self.optimizer.load_state_dict({"state": moments, "param_groups": groups})
        self.scaler.load_state_dict(found.info["scaler"])
        self.position = Position(**found.info["position"])
        self.losses = found.tensors["losses"].tolist()
        # Another number of processes may go on too, with other dropout.
        if len(found.info["random"]) == self.team.size:
            set_random_states(found.info["random"][self.team.rank], self.device)


def random_states(device: torch.device) -> dict[str, Any]:
    """Note where Python's and PyTorch's random numbers stand, in JSON's types."""
    states = {"python": random.getstate(), "cpu": torch.get_rng_state().tolist()}
    if device.type == "cuda":
        states["cuda"] = torch.cuda.get_rng_state(device).tolist()
    return states


def set_random_states(states: dict[str, Any], device: torch.device) -> None:
    """Go on drawing where `random_states` was noted."""
    version, numbers, gauss = states["python"]
    random.setstate((version, tuple(numbers), gauss))
    torch.set_rng_state(torch.tensor(states["cpu"], dtype=torch.uint8))
    if device.type == "cuda" and "cuda" in states:
        cuda = torch.tensor(states["cuda"], dtype=torch.uint8)
        torch.cuda.set_rng_state(cuda, device)


def fingerprint(pairs: Sequence[IdPair]) -> str:
    """Tell one set of training pairs from another."""
    digest = hashlib.sha256()
    for pair in pairs:
        digest.update(repr(pair).encode())
    return f"{len(pairs)} pairs, sha256 {digest.hexdigest()[:16]}"


# The loop


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
    losses as without the stop. `vocabulary` is kept in it: whatever JSON can hold.
    With `config.average` the model ends with the averaged weights, and `validate`
    sees these. Under torchrun only the first process calls back, writes and shows.

    Raises:
        FloatingPointError: the loss is no longer a number.
        CheckpointError: the checkpoint is damaged, belongs to another model,
            config, vocabulary or data, or can't be written.
    """
    run = Run(model, config)
    settings: dict[str, Any] = {}
    if checkpoint is not None:
        settings = {
            "model": asdict(model.config),
            "training": {k: v for k, v in asdict(config).items() if k not in MEANS},
            "data": fingerprint(pairs),
            "vocabulary": vocabulary,
        }
        if (Path(checkpoint) / FILE).exists():
            run.restore(checkpoint, settings)
    leads, start, tokens, shown = run.team.leads, len(run.losses), 0, {}
    batches = endless_batches(pairs, config, run.position)
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
            tokens += int((batch.labels != PAD).sum())
            if leads and after_step is not None:
                after_step(step)
            if leads and due and validate is not None:
                shown["valid"] = f"{validated(run, validate):.3f}"
            if leads:
                speed = tokens / max(progress.format_dict["elapsed"], 1e-9)
                shown |= {"loss": f"{run.losses[-1]:.3f}", "tokens/s": f"{speed:,.0f}"}
                progress.set_postfix(shown, refresh=False)
            if due and checkpoint is not None:
                run.save(checkpoint, settings)
    if run.average is not None:
        fill(model, own_tensors(run.average.module))
    model.eval()
    return run.losses


@torch.no_grad()
def validated(run: Run, validate: Callable[[nn.Module], float]) -> float:
    """Measure the model that training would end with now."""
    if run.average is not None:
        return validate(run.average.module)
    run.model.eval()
    value = validate(run.model)
    run.model.train()
    return value


@torch.no_grad()
def validation_loss(
    model: nn.Module, pairs: Sequence[IdPair], max_tokens: int = 4_096
) -> float:
    """Average the loss over the real tokens of pairs that nobody trains on.

    Without label smoothing, so that e^loss is the perplexity.
    """
    device = next(model.parameters()).device
    total, tokens = 0.0, 0
    for batch in token_batches(pairs, max_tokens):
        real = int((batch.labels != PAD).sum())
        logits = model(batch.src.to(device), batch.tgt.to(device))
        loss = loss_over_tokens(logits, batch.labels.to(device), label_smoothing=0.0)
        total, tokens = total + real * loss.item(), tokens + real
    return total / tokens
