"""A student's side that runs, and the few lines of Python that start it anywhere.

Whatever cuts it off, it starts by `boot.py`, with a command line of its own around it.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tt_utils.grading.classroom.sandbox.limits import Limits

BOOT = Path(__file__).parents[1] / "student_side" / "boot.py"
ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/tmp",
    "USER": "student",
    "LOGNAME": "student",
    "LANG": "C.UTF-8",
    "MPLBACKEND": "Agg",
    "MPLCONFIGDIR": "/tmp/matplotlib",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
    "CUDA_VISIBLE_DEVICES": "",
}


@dataclass
class Started:
    """A student's side that runs."""

    process: subprocess.Popen
    end: Callable[[], None]
    watched: bool  # are its processes below ours, where they can be measured?

    def stop(self) -> None:
        """End all of its processes."""
        with suppress(OSError):
            self.process.kill()
        self.end()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with suppress(OSError):
                pipe.close()


def boot(limits: Limits, user: int, home: str) -> list[str]:
    """The Python options that start the student's side."""
    processes = limits.processes + (0 if user else others_that_count())
    numbers = (processes, limits.disk, int(limits.wall), user)
    code = BOOT.read_text(encoding="utf-8")
    version = "{}.{}".format(*sys.version_info)
    return ["-s", "-c", code, version, home, *map(str, numbers)]


def others_that_count() -> int:
    """Threads of this user outside, where the limit of processes includes them.

    Before Linux 5.14 it counts all that a user has, in whichever namespace.
    """
    release = tuple(map(int, re.findall(r"\d+", os.uname().release)[:2]))
    if sys.platform != "linux" or release >= (5, 14):
        return 0
    total = 0
    for place in Path("/proc").glob("[0-9]*/task"):
        with suppress(OSError):
            if place.stat().st_uid == os.geteuid():
                total += len(os.listdir(place))
    return total


def popen(command: Sequence[str], **more: Any) -> subprocess.Popen:
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command,
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        start_new_session=True,  # Ctrl-C is for the grader alone
        bufsize=0,
        **more,
    )
