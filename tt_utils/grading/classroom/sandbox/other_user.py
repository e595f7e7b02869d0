"""Another user in this very container, which is thrown away after one submission."""

import os
import secrets
import shutil
import signal
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import tt_utils
from tt_utils.grading.classroom.sandbox.bubblewrap import packages
from tt_utils.grading.classroom.sandbox.limits import Limits
from tt_utils.grading.classroom.sandbox.started import (
    ENVIRONMENT,
    Started,
    boot,
    popen,
)


def start(limits: Limits) -> Started:
    """Another user in this very container, as on Gradescope.

    Our package must be closed to that user (mode 0700), which is tried first. All its
    processes are ended afterwards. What it does not promise: the network is cut off
    only where the container's root may do that, other places that everyone may write
    to stay open while it runs, and memory is limited for each process, not for all.
    """
    user = 1_000_000_000 + secrets.randbelow(10**9)
    home = tempfile.mkdtemp(prefix="tt-student-")
    os.chown(home, user, user)
    environment = {
        **ENVIRONMENT,
        "PYTHONPATH": os.pathsep.join(packages()),
        "HOME": home,
        "TMPDIR": home,
        "MPLCONFIGDIR": f"{home}/matplotlib",
    }
    command = [os.path.realpath(sys.executable), *boot(limits, user, home)]
    process = popen(command, env=environment, cwd=home)

    def end() -> None:
        end_user(user)
        shutil.rmtree(home, ignore_errors=True)

    return Started(process, end, watched=True)


def open_to_others() -> str:
    """Why another user of this container would see the answers, "" if none would."""
    if os.geteuid() != 0:
        return "it needs root, to run the notebook as another user"
    package = Path(tt_utils.__file__).resolve().parent
    if any(not folder.stat().st_mode & 0o005 for folder in (package, *package.parents)):
        return ""
    return f"other users can read {package}; close it with chmod 0700 {package}"


def end_user(user: int) -> None:
    """End every process of a user, also those that make new ones meanwhile."""
    for _ in range(100):
        child = os.fork()
        if child == 0:
            with suppress(OSError):
                os.setresgid(user, user, user)
                os.setresuid(user, user, user)
                os.kill(-1, signal.SIGKILL)
            os._exit(0)
        os.waitpid(child, 0)
        if not processes_of(user):
            return
        time.sleep(0.02)


def processes_of(user: int) -> list[int]:
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):
            state = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()[0]
            if os.stat(f"/proc/{name}").st_uid == user and state != "Z":
                found.append(int(name))
    return found
