"""What the processes of a sandbox take, seen from outside: Linux's /proc."""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
BUSY = 0.05  # of the time; less is doing nothing


class Watch:
    """Counts CPU seconds, and seconds in which nothing was done, since `restart`.

    `whole` is the sum of both since the beginning.

    A process that waits for a CPU is not doing nothing: on a busy machine nobody loses
    time. Where the processes can't be seen, the clock on the wall counts as idleness.
    """

    def __init__(self, pid: int | None) -> None:
        self.pid = pid
        self._seen = time.monotonic()
        self._cpu = self.whole = 0.0
        self.restart()

    def restart(self) -> None:
        self.cpu = self.idle = 0.0

    def look(self) -> None:
        now = time.monotonic()
        passed, self._seen = now - self._seen, now
        if self.pid is None:
            self.idle += passed
            self.whole += passed
            return
        total, ready = 0.0, False
        for pid in below(self.pid):
            with suppress(OSError, ValueError, IndexError):
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2]
                state, *numbers = fields.split()
                ready |= state in "RD"
                total += sum(map(int, numbers[10:14])) / TICKS
        worked = max(0.0, total - self._cpu)
        self._cpu = total
        self.cpu += worked
        if not ready and worked < BUSY * passed:
            self.idle += passed
            self.whole += passed
        self.whole += worked

    def memory(self, limit: int) -> int:
        """Bytes of all processes together; shared ones count once near the limit."""
        if self.pid is None:
            return 0
        resident = sum(map(resident_memory, below(self.pid)))
        if resident <= limit:
            return resident
        return sum(map(proportional_memory, below(self.pid)))


def below(pid: int) -> Iterator[int]:
    """A process and all that come from it."""
    yield pid
    children: list[str] = []
    with suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError):
                text = Path(f"/proc/{pid}/task/{task}/children").read_text()
                children += text.split()
    for child in children:
        yield from below(int(child))


def resident_memory(pid: int) -> int:
    with suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE
    return 0


def proportional_memory(pid: int) -> int:
    with suppress(OSError, ValueError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return resident_memory(pid)
