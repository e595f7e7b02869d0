"""Where a task is written, and what its text tells."""

import sys
from pathlib import Path
from types import ModuleType

from tt_utils.grading.tasks.spec import Task


def module_of(task: Task) -> ModuleType:
    """The module that defines a task."""
    return next(
        module
        for module in list(sys.modules.values())
        if vars(module).get("TASK") is task
    )


def source_of(task: Task) -> str:
    return Path(str(module_of(task).__file__)).read_text(encoding="utf-8")


def trains(task: Task) -> bool:
    """Does an answer to it, or the check of one, use an optimiser?

    The first one imports hundreds of PyTorch's modules: seconds, on no learner's clock.
    """
    text = source_of(task)
    return "torch.optim" in text or "probes.trained" in text
