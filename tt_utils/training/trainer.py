"""Everything that changes while a model learns, and how to go on with it later."""

import contextlib
import copy
import hashlib
import itertools
import math
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from tt_utils.checkpoint import fill, load_checkpoint, own_tensors, save_checkpoint
from tt_utils.data.batching import Batch, IdPair, token_batches
from tt_utils.data.tokenizer import PAD
from tt_utils.models.transformer import Transformer
from tt_utils.training.config import TrainingConfig, learning_rate
from tt_utils.training.distributed import join_team, pieces
from tt_utils.training.loss import ModelWithLoss


@dataclass
class Position:
    """How far the data has been read: `batch` is the next one of its epoch."""

    epoch: int = 0
    batch: int = 0


def endless_batches(
    pairs: Sequence[IdPair],
    config: TrainingConfig,
    position: Position | None = None,
    pad_id: int = PAD,
) -> Iterator[Batch]:
    """Repeat the data, shuffled anew in every epoch, from `position` on.

    `position` moves along. An epoch's order depends on its number alone, so what was
    read before need not be drawn again.
    """
    position = position or Position()
    while True:
        seed = f"{config.seed} {position.epoch}"
        batches = token_batches(pairs, config.max_tokens, seed, pad_id)
        for batch in itertools.islice(batches, position.batch, None):
            position.batch += 1
            yield batch
        position.epoch, position.batch = position.epoch + 1, 0


class Clock:
    """Time spent on training, also before a stop: on the wall, and of the processor."""

    def __init__(self, seconds: float = 0.0, cpu_seconds: float = 0.0) -> None:
        self.before = seconds, cpu_seconds
        self.start = time.perf_counter(), time.process_time()

    def read(self) -> dict[str, float]:
        """Give both in seconds."""
        now = time.perf_counter(), time.process_time()
        spent = (
            b + n - s for b, n, s in zip(self.before, now, self.start, strict=True)
        )
        return dict(zip(("seconds", "cpu_seconds"), spent, strict=True))


class Run:
    """One training run: the model and all that moves along with it."""

    def __init__(self, model: Transformer, config: TrainingConfig) -> None:
        self.model, self.config = model, config
        self.device = next(model.parameters()).device
        self.team = join_team(self.device)
        self.optimizer = torch.optim.AdamW(
            model.parameters(),
            betas=(0.9, 0.98),
            eps=1e-9,
            weight_decay=config.weight_decay,
            fused=True,
        )
        scaled = config.precision == "fp16" and self.device.type == "cuda"
        self.scaler = torch.amp.GradScaler(self.device.type, enabled=scaled)
        self.average: Transformer | None = None
        if config.average:
            self.average = copy.deepcopy(model).eval()
        self.position = Position()
        self.losses: list[float] = []
        self.clock = Clock()
        self.history: list[dict[str, float]] = []
        self.unread: list[Tensor] = []
        self.loss: nn.Module = ModelWithLoss(model, config)
        if self.team.size > 1:
            self.loss = DistributedDataParallel(self.loss, broadcast_buffers=False)
            # Each process drops other units.
            torch.manual_seed(torch.initial_seed() + self.team.rank)

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
            self.move(self.average, share=1 / min(step + 1, self.config.average))

    @torch.no_grad()
    def move(self, average: Transformer, share: float) -> None:
        """Move the averaged weights towards those of now, by this share of the way."""
        for mean, now in zip(
            average.parameters(), self.model.parameters(), strict=True
        ):
            mean.lerp_(now, share)

    def add_gradients(self, batch: Batch) -> Float[Tensor, ""]:
        """Add up the gradients of this process's pieces; return their loss."""
        mine = pieces(batch, self.config.accumulate, self.team)
        total = torch.zeros((), device=self.device)
        for i, (piece, share) in enumerate(mine):
            # Processes exchange gradients once a step, with their last piece.
            waits = self.team.size > 1 and i < len(mine) - 1
            with self.loss.no_sync() if waits else contextlib.nullcontext():
                loss = share * self.loss_of(piece)
                # The exchange takes the mean over processes; we need their sum.
                self.scaler.scale(loss * self.team.size).backward()
            total = total + loss.detach()
        return total

    def loss_of(self, batch: Batch) -> Float[Tensor, ""]:
        """Send a batch through the model, wherever that is."""
        # Found before the move: a GPU would have to be waited for.
        real = batch.real.flatten().nonzero()[:, 0]
        given = (batch.src, batch.tgt, real, batch.labels.flatten()[real])
        return self.loss(*(x.to(self.device) for x in given))

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
            "clock": self.clock.read(),
            "history": self.history,
        }
        if self.team.leads:
            save_checkpoint(folder, tensors, settings | place)

    def restore(self, folder: Path | str, settings: dict[str, Any]) -> None:
        """Go back to where the checkpoint was written."""
        found = load_checkpoint(folder, settings)
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
        self.clock = Clock(**found.info["clock"])
        self.history = found.info["history"]
        # Another number of processes may go on too, with other dropout.
        if len(found.info["random"]) == self.team.size:
            set_random_states(found.info["random"][self.team.rank], self.device)


def fingerprint(pairs: Sequence[IdPair]) -> str:
    """Tell one set of training pairs from another."""
    digest = hashlib.sha256()
    for pair in pairs:
        digest.update(repr(pair).encode())
    return f"{len(pairs)} pairs, sha256 {digest.hexdigest()[:16]}"


def random_states(device: torch.device) -> dict[str, Any]:
    """Note where Python's and PyTorch's random numbers stand, in JSON's types."""
    states = {"python": random.getstate(), "cpu": torch.get_rng_state().tolist()}
    if device.type == "cuda":
        states["cuda"] = torch.cuda.get_rng_state(device).tolist()
    elif device.type == "mps":
        states["mps"] = torch.mps.get_rng_state().tolist()
    return states


def set_random_states(states: dict[str, Any], device: torch.device) -> None:
    """Go on drawing where `random_states` was noted."""
    version, numbers, gauss = states["python"]
    random.setstate((version, tuple(numbers), gauss))
    torch.set_rng_state(torch.tensor(states["cpu"], dtype=torch.uint8))
    if device.type in states.keys() - {"cpu"}:
        own = torch.tensor(states[device.type], dtype=torch.uint8)
        if device.type == "cuda":
            torch.cuda.set_rng_state(own, device)
        else:
            torch.mps.set_rng_state(own)
