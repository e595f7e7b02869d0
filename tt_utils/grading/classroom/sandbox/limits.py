"""How much a submission may take."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

MIB = 2**20
STARVED = 4  # on a machine that has no time for it, a notebook may run so much longer


@dataclass(frozen=True)
class Limits:
    """Seconds are of CPU time or of doing nothing; waiting for a CPU does not count.

    Attributes:
        cell: for one cell, without what it hands in.
        task: for the answers to one task, with one set of numbers.
        start: until the first cell, most of it the import of PyTorch.
        wall: for one run of the notebook; four times that by the clock.
        runs: how often a notebook is run at most, each time without one more cell.
        memory: bytes of all processes together.
        processes: those and their threads.
        disk: bytes in /tmp, the only place that can be written to.
    """

    cell: float = 10.0
    task: float = 5.0
    start: float = 60.0
    wall: float = 180.0
    runs: int = 4
    memory: int = 3072 * MIB
    processes: int = 64
    disk: int = 256 * MIB

    def with_trainings(self, seconds: Iterable[float]) -> "Limits":
        """More time for a notebook with tasks that ask for so many seconds each.

        A cell may take as long as the longest of them: whoever trains looks at it
        first. The notebook gets what they take beyond the usual, twice: for the cell
        and for the task.
        """
        usual = max(self.task, type(self).task)  # a stricter limit makes no task longer
        longer = [one for one in seconds if one > usual]
        return replace(
            self,
            cell=max([self.cell, *longer]),
            wall=self.wall + 2 * sum(longer),
        )


LIMITS = Limits()
