"""Processes that tests start: with this package, and a single thread each."""

import os
from pathlib import Path

import tt_utils


def environment() -> dict[str, str]:
    """What such a process inherits."""
    root = str(Path(tt_utils.__file__).parents[1])
    return {**os.environ, "PYTHONPATH": root, "OMP_NUM_THREADS": "1"}
