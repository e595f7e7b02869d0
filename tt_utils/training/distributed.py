"""The processes that torchrun starts: each trains on its share of every batch."""

import atexit
import gc
from dataclasses import dataclass
from typing import TypeVar

import torch
import torch.distributed as dist

Value = TypeVar("Value")


@dataclass(frozen=True)
class Processes:
    """The process group that trains one model; most often only this process."""

    rank: int = 0
    size: int = 1

    @property
    def is_main(self) -> bool:
        """Only the main process writes files, shows progress and calls back."""
        return self.rank == 0

    def wait(self) -> None:
        """Go on when all have come this far, so that nobody leaves too early."""
        if self.size > 1:
            dist.barrier()

    def broadcast(self, value: Value) -> Value:
        """Give every process what the main one found: each may measure otherwise."""
        values = [value]
        if self.size > 1:
            dist.broadcast_object_list(values, src=0)
        return values[0]

    def sum(self, values: torch.Tensor) -> None:
        """Add up what all processes hold, in place."""
        if self.size > 1:
            dist.all_reduce(values)

    def gather(self, value: Value) -> list[Value]:
        """List what each process holds, in the order of their ranks."""
        values = [value] * self.size
        if self.size > 1:
            dist.all_gather_object(values, value)
        return values


def join_processes(device: torch.device) -> Processes:
    """Meet the other processes that torchrun started, if it did."""
    if dist.is_torchelastic_launched() and not dist.is_initialized():
        if device.type == "cuda":
            torch.cuda.set_device(device)
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
        atexit.register(leave_processes)
    if not dist.is_initialized():
        return Processes()
    return Processes(dist.get_rank(), dist.get_world_size())


def leave_processes() -> None:
    """End the process group once nothing uses it; a finished run's model still does."""
    gc.collect()
    dist.destroy_process_group()
