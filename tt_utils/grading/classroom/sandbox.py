"""Where the student's side runs: cut off by bubblewrap, Docker, Podman, or a container.

All of them start the same few lines of Python (`boot.py`), with a command line of their
own around it. In bubblewrap, Docker and Podman there is no network, nothing can be
written but a small /tmp, and all processes end together.
"""

import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import tt_utils
from tt_utils.grading.classroom.limits import STARVED, Limits

Kind = Literal["bwrap", "docker", "podman", "container"]
AUTO: tuple[Kind, ...] = ("bwrap", "podman", "docker")
BOOT = Path(__file__).with_name("student_side") / "boot.py"
IMAGE = "transformer-textbook-sandbox"
RECIPE = "tools/sandbox/Dockerfile"
PACKAGES = "/opt/tt/{}/site-packages"  # ends as Python's own folders do
OURS = ("tt_utils", "transformer_textbook*", "__editable__*transformer*", "solutions")
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
WAY_OUT = (
    "Install bubblewrap (Debian, Ubuntu: apt install bubblewrap), or Docker or Podman "
    f"with the image that {RECIPE} describes"
)


class NoSandbox(RuntimeError):
    """No sandbox works here; the message says why and what to do."""


def find(wanted: Kind | Literal["auto"], limits: Limits) -> Kind:
    """The sandbox that works here: each is tried once. Raises NoSandbox."""
    reasons = []
    for kind in AUTO if wanted == "auto" else (wanted,):
        why = why_not(kind, limits)
        if not why:
            return kind
        reasons.append(f"{kind}: {why}")
    raise NoSandbox(
        "Nothing is graded, because no sandbox works here "
        f"({'; '.join(reasons)}). {WAY_OUT}."
    )


def why_not(kind: Kind, limits: Limits) -> str:
    """Why a sandbox does not work here, "" if it does."""
    from tt_utils.grading.classroom.sitting import sit
    from tt_utils.grading.classroom.stage import files, zipped
    from tt_utils.grading.classroom.student_side.session import Job

    if kind == "container" and (reason := open_to_others()):
        return reason
    try:
        started = start(kind, limits)
    except OSError as error:
        return error.strerror or str(error)
    sat = sit(
        started,
        zipped(files(())),
        Job(((1, "1"),), {}, 10, 5, limits.memory, ()),
        limits,
    )
    return "" if sat.ended else last_words(sat.complaint) or sat.reason


def last_words(complaint: str) -> str:
    """The last line that tells something; Docker's last one points to its help."""
    lines = [line for line in complaint.splitlines() if line.strip()]
    telling = [line for line in lines if "--help" not in line] or lines
    return telling[-1].strip() if telling else ""


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


def start(kind: Kind, limits: Limits) -> Started:
    """Raises OSError where the program is not there."""
    return {
        "bwrap": start_bwrap,
        "docker": start_docker,
        "podman": start_docker,
        "container": start_user,
    }[kind](kind, limits)


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


# bubblewrap


def start_bwrap(kind: Kind, limits: Limits) -> Started:
    process = popen(bwrap_command(limits), env={})
    return Started(process, lambda: None, watched=True)


def bwrap_command(limits: Limits) -> list[str]:
    """Read-only views of Python and its packages, and nothing else of this machine.

    Where root grades, the student's side gives up root for a user number of its own,
    which nobody else has. Others get a user namespace.
    """
    program = shutil.which("bwrap")
    if program is None:
        raise FileNotFoundError("bwrap is not installed")
    is_root = os.geteuid() == 0
    command = [program, "--die-with-parent", "--new-session", "--clearenv"]
    command += ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
    command += ["--unshare-cgroup-try", "--hostname", "sandbox"]
    if is_root:
        command += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID"]
        command += ["--cap-add", "CAP_SETGID"]
    else:
        command += ["--unshare-user", "--cap-drop", "ALL"]
    places = system_folders()
    for number, folder in enumerate(packages()):
        places.append(["--ro-bind", folder, python_path().split(os.pathsep)[number]])
    for folder in folders_above(place[-1] for place in places):
        command += ["--perms", "0755", "--dir", folder]  # else root's alone
    for place in [*places, *to_hide()]:
        command += place
    command += ["--proc", "/proc", "--dev", "/dev"]
    command += ["--perms", "1777", "--size", str(limits.disk // 4)]
    command += ["--tmpfs", "/dev/shm", "--remount-ro", "/dev"]
    command += ["--perms", "1777", "--size", str(limits.disk), "--tmpfs", "/tmp"]
    command += ["--remount-ro", "/", "--chdir", "/tmp"]
    for name, value in {**ENVIRONMENT, "PYTHONPATH": python_path()}.items():
        command += ["--setenv", name, value]
    user = 1_000_000_000 + secrets.randbelow(10**9) if is_root else 0
    python = os.path.realpath(sys.executable)
    return [*command, python, *boot(limits, user, "/tmp")]


def system_folders() -> list[list[str]]:
    """What Python itself needs: the system's libraries, and where it is installed."""
    places = [["--ro-bind", "/usr", "/usr"]]
    for name in ("/bin", "/sbin", "/lib", "/lib32", "/lib64"):
        if os.path.islink(name):
            places.append(["--symlink", os.readlink(name), name])
        elif os.path.isdir(name):
            places.append(["--ro-bind", name, name])
    for name in ("/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts", "/nix/store"):
        if os.path.exists(name):
            places.append(["--ro-bind", name, name])
    base = os.path.realpath(sys.base_prefix)
    if not base.startswith("/usr/") and base != "/usr":
        places.append(["--ro-bind", base, base])
    return places


def folders_above(places: Iterable[str]) -> list[str]:
    """The folders that must be there first, the outer ones ahead."""
    found = {str(parent) for place in places for parent in Path(place).parents}
    return sorted(found - {"/"}, key=len)


@cache
def packages() -> tuple[str, ...]:
    """The folders of installed packages that this Python has."""
    ends = ("site-packages", "dist-packages")
    return tuple(
        path for path in sys.path if path.endswith(ends) and os.path.isdir(path)
    )


def python_path() -> str:
    return os.pathsep.join(PACKAGES.format(number) for number in range(len(packages())))


def to_hide() -> list[list[str]]:
    """Empty places over our own package, wherever it shows."""
    found = []
    shown = dict(zip(packages(), python_path().split(os.pathsep), strict=False))
    visible = [place[2] for place in system_folders() if place[0] == "--ro-bind"]
    for folder, shown_at in shown.items():
        for pattern in OURS:
            for path in Path(folder).glob(pattern):
                found.append((path, f"{shown_at}/{path.name}"))
                found += [(path, str(path)) for v in visible if inside(path, v)]
    checkout = Path(tt_utils.__file__).resolve().parents[1]
    if not any(str(checkout) == folder for folder in shown):
        found += [(checkout, str(checkout)) for v in visible if inside(checkout, v)]
    return [
        ["--tmpfs", place] if path.is_dir() else ["--ro-bind", "/dev/null", place]
        for path, place in dict.fromkeys(found)
    ]


def inside(path: Path, folder: str) -> bool:
    return path.is_relative_to(folder)


# Docker and Podman


def start_docker(kind: Kind, limits: Limits) -> Started:
    name = f"tt-{secrets.token_hex(8)}"
    process = popen(docker_command(kind, name, limits))

    def end() -> None:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with suppress(OSError):
            subprocess.run([kind, "kill", name], check=False, **quiet)  # at once
            subprocess.run([kind, "rm", "--force", name], check=False, **quiet)

    return Started(process, end, watched=False)


def docker_command(kind: Kind, name: str, limits: Limits) -> list[str]:
    """The image holds Python and the packages; nothing of this machine is mounted.

    Each has a user number of its own, of those that a rootless Docker knows too: Linux
    counts the processes of a number in all containers together.
    """
    user = 10_000 + secrets.randbelow(50_000)
    command = [kind, "run", "--rm", "--interactive", "--name", name]
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


# A container that is thrown away after one submission


def start_user(kind: Kind, limits: Limits) -> Started:
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
