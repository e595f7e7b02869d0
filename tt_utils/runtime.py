"""What every notebook needs: seeds, the device, the budget, recorded values."""

import os
import random
import time
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    import torch

VALUES_MIME = "application/vnd.tt-values+json"

Budget = Literal["quick", "full"]


class DeviceError(RuntimeError):
    """This machine can't compute what was asked for; the message says why."""


def seed_everything(seed: int) -> None:
    """Make Python, NumPy and PyTorch draw the same random numbers on every run."""
    import torch

    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002 - readers' own code may use the old API
    torch.manual_seed(seed)


def device() -> str:
    """Name the fastest device that PyTorch can use here: cuda, mps or cpu.

    Under torchrun each process gets a GPU of its own, such as cuda:1.

    Raises:
        DeviceError: there are fewer GPUs than processes.
    """
    import torch

    if torch.cuda.is_available():
        own, there_are = os.environ.get("LOCAL_RANK"), torch.cuda.device_count()
        if own is None:
            return "cuda"
        if int(own) < there_are:
            return f"cuda:{own}"
        raise DeviceError(
            f"torchrun started process {own}, counted from 0, for {there_are} GPUs; "
            f"ask for --nproc-per-node {there_are}."
        )
    if torch.backends.mps.is_available():
        return "mps"
    return "cpu"


def fast_precision(name: str) -> Literal["bf16", "fp16", "fp32"]:
    """Choose the precision in which this device multiplies matrices fast.

    Half the bits are twice as fast only where the processor was built for them; a
    CPU is tried, since many take far longer.
    """
    import torch

    if name.startswith("cuda"):
        native = torch.cuda.is_bf16_supported(including_emulation=False)
        return "bf16" if native else "fp16"
    if name != "cpu":
        return "fp32"
    x = torch.ones(512, 512)
    wide, half = (seconds_of_product(m) for m in (x, x.bfloat16()))
    return "bf16" if wide > 1.5 * half else "fp32"


def seconds_of_product(x: "torch.Tensor") -> float:
    """Time x·x at its best of several tries."""

    def once() -> float:
        start = time.perf_counter()
        x @ x
        return time.perf_counter() - start

    return min(once() for _ in range(9))


def budget() -> Budget:
    """Say how long training may take: `quick` on a laptop, `full` on a GPU.

    The environment variable TT_BUDGET chooses; without it, `quick`.

    Raises:
        ValueError: TT_BUDGET is neither `quick` nor `full`.
    """
    value = os.environ.get("TT_BUDGET", "quick")
    if value not in ("quick", "full"):
        raise ValueError(f"TT_BUDGET is {value!r}; set it to 'quick' or 'full'.")
    return value


def tell(**values: str) -> None:
    """Record formatted numbers so that the text can quote them.

    The output shows nothing. The book's tools copy each value into the prose
    where it is named, and the tests compare it on every run.
    """
    from IPython.display import display

    display({VALUES_MIME: {name: str(text) for name, text in values.items()}}, raw=True)
