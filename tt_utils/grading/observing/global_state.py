"""Global state that a learner's function may change and must not keep changed."""

import random
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np


@contextmanager
def preserved() -> Iterator[None]:
    """Random generators, torch's settings, warning filters: after as before.

    In between they are `as_at_the_start`.
    """
    python, legacy = random.getstate(), np.random.get_state()  # noqa: NPY002
    torch = sys.modules.get("torch")
    if torch is not None:
        torch_rng = torch.get_rng_state()
        dtype, threads = torch.get_default_dtype(), torch.get_num_threads()
        grad = torch.is_grad_enabled()
        deterministic = torch.are_deterministic_algorithms_enabled()
    try:
        with warnings.catch_warnings():
            print_warnings()
            as_at_the_start()
            yield
    finally:
        random.setstate(python)
        np.random.set_state(legacy)  # noqa: NPY002
        if torch is not None:
            torch.set_rng_state(torch_rng)
            torch.set_default_dtype(dtype)
            if torch.get_num_threads() != threads:
                torch.set_num_threads(threads)
            torch.set_grad_enabled(grad)
            torch.use_deterministic_algorithms(deterministic)


def as_at_the_start() -> None:
    """Gradients on, float32: a cell far above may have set something else."""
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_grad_enabled(True)
        torch.set_default_dtype(torch.float32)


@contextmanager
def anew() -> Iterator[None]:
    """As at the start, for what is run between two lines of a learner's notebook."""
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    grad, dtype = torch.is_grad_enabled(), torch.get_default_dtype()
    as_at_the_start()
    try:
        yield
    finally:
        torch.set_grad_enabled(grad)
        torch.set_default_dtype(dtype)


def print_warnings() -> None:
    """From here on the learner sees a warning like a print; none becomes an error."""
    warnings.simplefilter("always")
    warnings.showwarning = _print_warning


def _print_warning(message, category, filename, lineno, file=None, line=None) -> None:
    text = str(message).partition(" (Triggered internally")[0]
    print(f"line {lineno}: {category.__name__}: {text}", file=sys.stderr)
