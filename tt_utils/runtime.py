"""What every notebook needs: seeds, the device, the budget, recorded values."""

import os
import random
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

if TYPE_CHECKING:
    import torch

VALUES_MIME = "application/vnd.tt-values+json"

Budget = Literal["quick", "full"]


def seed_everything(seed: int) -> None:
    """Make Python, NumPy and PyTorch draw the same random numbers on every run."""
    import torch

    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002 - readers' own code may use the old API
    torch.manual_seed(seed)


def random_states(device: "torch.device") -> dict[str, Any]:
    """Note where Python's and PyTorch's random numbers stand, in JSON's types."""
    import torch

    states = {"python": random.getstate(), "cpu": torch.get_rng_state().tolist()}
    if device.type == "cuda":
        states["cuda"] = torch.cuda.get_rng_state(device).tolist()
    return states


def set_random_states(states: dict[str, Any], device: "torch.device") -> None:
    """Go on drawing where `random_states` was noted."""
    import torch

    version, numbers, gauss = states["python"]
    random.setstate((version, tuple(numbers), gauss))
    torch.set_rng_state(torch.tensor(states["cpu"], dtype=torch.uint8))
    if device.type == "cuda" and "cuda" in states:
        cuda = torch.tensor(states["cuda"], dtype=torch.uint8)
        torch.cuda.set_rng_state(cuda, device)


def device() -> str:
    """Name the fastest device that PyTorch can use here: cuda, mps or cpu.

    Under torchrun each process gets a GPU of its own, such as cuda:1.
    """
    import torch

    if torch.cuda.is_available():
        own = os.environ.get("LOCAL_RANK")
        return "cuda" if own is None else f"cuda:{own}"
    if torch.backends.mps.is_available():
        return "mps"
    return "cpu"


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
