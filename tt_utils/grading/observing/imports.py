"""What takes seconds to import: done before a clock runs, and before a fork."""

from types import ModuleType


def import_torch(and_optimisers: bool = False) -> ModuleType:
    """PyTorch, and what its first optimiser imports: hundreds of modules.

    Raises ImportError where it is missing.
    """
    import torch

    if and_optimisers:
        torch.optim.SGD([torch.zeros(1, requires_grad=True)])
    return torch
