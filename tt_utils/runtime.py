"""What every notebook needs: seeds, the device, recorded values."""

import os
import random
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    import torch

VALUES_MIME = "application/vnd.tt-values+json"


class DeviceError(RuntimeError):
    """This machine can't compute what was asked for; the message says why."""


def seed_everything(seed: int) -> None:
    """Make Python, NumPy and PyTorch draw the same random numbers on every run."""
    import torch

    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002 - readers' own code may use the old API
    torch.manual_seed(seed)


def best_device() -> "torch.device":
    """Choose the fastest device that PyTorch can use here: cuda, mps or cpu.

    Under torchrun each process gets a GPU of its own, such as cuda:1.

    Raises:
        DeviceError: there are fewer GPUs than processes.
    """
    import torch

    if torch.cuda.is_available():
        own, there_are = os.environ.get("LOCAL_RANK"), torch.cuda.device_count()
        if own is None:
            return torch.device("cuda")
        if int(own) < there_are:
            return torch.device("cuda", int(own))
        raise DeviceError(
            f"torchrun started process {own}, counted from 0, for {there_are} GPUs; "
            f"ask for --nproc-per-node {there_are}."
        )
    if torch.backends.mps.is_available():
        return torch.device("mps")
    return torch.device("cpu")


def fast_precision(
    device: "torch.device | str",
) -> Literal["bf16", "fp16", "fp32"]:
    """Choose the precision in which this device multiplies matrices fast.

    Half the bits are twice as fast only where the processor was built for them. Of
    CPUs, those are the ones with AMX or AVX512-BF16; others, and those that a PyTorch
    without `torch.cpu.get_capabilities` can't tell apart, keep to fp32.
    """
    import torch

    kind = torch.device(device).type
    if kind == "cuda":
        native = torch.cuda.is_bf16_supported(including_emulation=False)
        return "bf16" if native else "fp16"
    if kind == "cpu":
        has: dict[str, object] = getattr(torch.cpu, "get_capabilities", dict)()
        return "bf16" if has.get("amx_bf16") or has.get("avx512_bf16") else "fp32"
    return "fp32"


def tell(**values: str) -> None:
    """Record formatted numbers so that the text can quote them.

    The output shows nothing. The book's tools copy each value into the prose
    where it is named, and the tests compare it on every run.
    """
    from IPython.display import display

    display({VALUES_MIME: {name: str(text) for name, text in values.items()}}, raw=True)
