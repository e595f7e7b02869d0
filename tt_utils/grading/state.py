"""Global state that a learner's function may change and must not keep changed."""

import random
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np


@contextmanager
def preserved() -> Iterator[None]:
    """Random generators, torch's settings, warning filters: after as before."""
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


def print_warnings() -> None:
    """From here on the learner sees a warning like a print; none becomes an error."""
    warnings.simplefilter("always")
    warnings.showwarning = _print_warning


def _print_warning(message, category, filename, lineno, file=None, line=None) -> None:
    text = str(message).partition(" (Triggered internally")[0]
    print(f"line {lineno}: {category.__name__}: {text}", file=sys.stderr)
