"""Times of rivals, taken in turns, so that a busy moment hits all of them alike."""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence

import torch


def interleaved(
    actions: Mapping[str, Callable[[], object]], rounds: int, warm_up: bool = True
) -> dict[str, list[float]]:
    """Give each action's times in seconds of one core, or of a GPU, round by round.

    On a CPU the time of all threads is added up: other programs don't count.
    """
    clock = time.perf_counter if torch.cuda.is_available() else time.process_time
    times: dict[str, list[float]] = {name: [] for name in actions}
    for action in actions.values() if warm_up else ():
        action()
    for _ in range(rounds):
        for name, action in actions.items():
            wait()
            start = clock()
            action()
            wait()
            times[name].append(clock() - start)
    return times


def ratio(slow: Sequence[float], fast: Sequence[float]) -> dict[str, object]:
    """Say how many times `slow` is as much as `fast`: median, lowest, highest.

    The two are compared within each round, where they met the same machine.
    """
    found = [a / b for a, b in zip(slow, fast, strict=True)]
    return {
        "ratio": statistics.median(found),
        "ratio_range": [min(found), max(found)],
    }


def wait() -> None:
    """Let a GPU finish what it was told to do."""
    if torch.cuda.is_available():
        torch.cuda.synchronize()
