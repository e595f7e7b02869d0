"""Training and evaluation mode of every part of a model, kept apart."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import nn

Modes = dict[nn.Module, bool]


def modes_of(model: nn.Module) -> Modes:
    """Note which parts are in training mode: one that is frozen may not be."""
    return {module: module.training for module in model.modules()}


def set_modes(modes: Modes) -> None:
    """Put every part back into the mode that was noted."""
    for module, training in modes.items():
        module.training = training


@contextmanager
def evaluating(model: nn.Module) -> Iterator[None]:
    """Switch dropout off and gradients with it; every part's mode comes back after."""
    modes = modes_of(model)
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        set_modes(modes)
