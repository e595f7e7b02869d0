"""What every notebook needs: seeds, the device, the budget, recorded values."""

import os
import random
from typing import Literal

import numpy as np

VALUES_MIME = "application/vnd.tt-values+json"

Budget = Literal["quick", "full"]


def seed_everything(seed: int) -> None:
    """Make Python, NumPy and PyTorch draw the same random numbers on every run."""
    import torch

    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002 - readers' own code may use the old API
    torch.manual_seed(seed)


def device() -> str:
    """Name the fastest device that PyTorch can use here: cuda, mps or cpu."""
    import torch

    if torch.cuda.is_available():
        return "cuda"
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
