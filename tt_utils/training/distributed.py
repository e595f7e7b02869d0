"""The processes that train one model together, and how they share a batch."""

import atexit
import gc
from dataclasses import dataclass
from typing import TypeVar

import torch
import torch.distributed as dist

from tt_utils.data.batching import Batch

Value = TypeVar("Value")


@dataclass(frozen=True)
class Team:
    """The processes that train one model together; most often only this one."""

    rank: int = 0
    size: int = 1

    @property
    def leads(self) -> bool:
        """Only the first process writes files, shows progress and calls back."""
        return self.rank == 0

    def wait(self) -> None:
        """Go on when all have come this far, so that nobody leaves too early."""
        if self.size > 1:
            dist.barrier()

    def agree_on(self, value: Value) -> Value:
        """Give every process what the first one found: each may measure otherwise."""
        values = [value]
        if self.size > 1:
            dist.broadcast_object_list(values, src=0)
        return values[0]


def join_team(device: torch.device) -> Team:
    """Meet the other processes that torchrun started, if it did."""
    if dist.is_torchelastic_launched() and not dist.is_initialized():
        if device.type == "cuda":
            torch.cuda.set_device(device)
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
        atexit.register(leave_team)
    if not dist.is_initialized():
        return Team()
    return Team(dist.get_rank(), dist.get_world_size())


def leave_team() -> None:
    """End the group once nothing uses it; a finished run's model still does."""
    gc.collect()
    dist.destroy_process_group()


def pieces(batch: Batch, accumulate: int, team: Team) -> list[tuple[Batch, float]]:
    """Cut this process's pieces from a batch, each with its share of the real tokens.

    All shares of all processes add up to 1, so the weighted sum of the pieces' mean
    losses is the mean loss of the whole batch.
    """
    parts = min(accumulate * team.size, len(batch.src))
    real = int(batch.real.sum())
    cut = [
        Batch(*rows, batch.pad_id)
        for rows in zip(
            batch.src.tensor_split(parts),
            batch.tgt.tensor_split(parts),
            batch.labels.tensor_split(parts),
            strict=True,
        )
    ]
    mine = [(part, int(part.real.sum()) / real) for part in cut[team.rank :: team.size]]
    # Fewer rows than processes: take part all the same, with a weight of nothing.
    return mine or [(cut[0], 0.0)]
