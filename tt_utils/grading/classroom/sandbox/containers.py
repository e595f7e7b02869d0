"""Docker and Podman: an image with Python and its packages, and nothing mounted."""

import secrets
import subprocess
from contextlib import suppress

from tt_utils.grading.classroom.sandbox.limits import STARVED, Limits
from tt_utils.grading.classroom.sandbox.started import (
    ENVIRONMENT,
    Started,
    boot,
    popen,
)

IMAGE = "transformer-textbook-sandbox"


def start(program: str, limits: Limits) -> Started:
    name = f"tt-{secrets.token_hex(8)}"
    process = popen(command_line(program, name, limits))

    def end() -> None:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with suppress(OSError):
            subprocess.run([program, "kill", name], check=False, **quiet)  # at once
            subprocess.run([program, "rm", "--force", name], check=False, **quiet)

    return Started(process, end, watched=False)


def command_line(program: str, name: str, limits: Limits) -> list[str]:
    """The image holds Python and the packages; nothing of this machine is mounted.

    Each has a user number of its own, of those that a rootless Docker knows too: Linux
    counts the processes of a number in all containers together.
    """
    user = 10_000 + secrets.randbelow(50_000)
    command = [program, "run", "--rm", "--interactive", "--name", name]
    command += ["--network", "none", "--read-only", "--cap-drop", "ALL"]
    command += ["--security-opt", "no-new-privileges", "--user", f"{user}:{user}"]
    command += ["--pids-limit", str(limits.processes), "--cpus", "1"]
    command += ["--memory", str(limits.memory), "--memory-swap", str(limits.memory)]
    command += ["--tmpfs", f"/tmp:rw,exec,mode=1777,size={limits.disk}"]
    command += ["--shm-size", str(limits.disk // 4), "--workdir", "/tmp"]
    for variable, value in ENVIRONMENT.items():
        command += ["--env", f"{variable}={value}"]
    # If the grader is killed, the container stays; then it ends by itself. As its
    # first process, `timeout` can be neither killed nor stopped from inside.
    seconds = STARVED * limits.wall + limits.start
    command += [IMAGE, "timeout", "-s", "KILL", f"{seconds:.0f}"]
    return [*command, "python", *boot(limits, 0, "/tmp")]
