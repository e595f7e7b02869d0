"""bubblewrap: read-only views of Python and its packages, and nothing else."""

import os
import secrets
import shutil
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import tt_utils
from tt_utils.grading.classroom.sandbox.limits import Limits
from tt_utils.grading.classroom.sandbox.started import (
    ENVIRONMENT,
    Started,
    boot,
    popen,
)

PACKAGES = "/opt/tt/{}/site-packages"  # ends as Python's own folders do
INSTALLED = (
    "lib*/python3*/*-packages",
    "local/lib*/python3*/*-packages",
    "envs/*",
    "pkgs",
)
OURS = (
    "tt_utils",
    "transformer_textbook*",
    "__editable__*transformer*",
    "__pycache__/__editable__*transformer*",
    "solutions",
)


def start(limits: Limits) -> Started:
    process = popen(command_line(limits), env={})
    return Started(process, lambda: None, watched=True)


def command_line(limits: Limits) -> list[str]:
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
    """Empty places over our own package, wherever it shows.

    Where packages are installed nothing is left: what a notebook needs of them shows
    at another place.
    """
    shown = dict(zip(packages(), python_path().split(os.pathsep), strict=False))
    visible = [place[2] for place in system_folders() if place[0] == "--ro-bind"]
    found = [(path, str(path)) for path in installed_below(visible)]
    found += [(Path(f), f) for f in shown for v in visible if inside(Path(f), v)]
    for folder, shown_at in shown.items():
        for pattern in OURS:
            for path in Path(folder).glob(pattern):
                found.append((path, f"{shown_at}/{path.relative_to(folder)}"))
    checkout = Path(tt_utils.__file__).resolve().parents[1]
    if not any(str(checkout) == folder for folder in shown):
        found += [(checkout, str(checkout)) for v in visible if inside(checkout, v)]
    return [
        ["--tmpfs", place] if path.is_dir() else ["--ro-bind", "/dev/null", place]
        for path, place in dict.fromkeys(found)
    ]


def installed_below(folders: Iterable[str]) -> set[Path]:
    places = (Path(top).glob(ends) for top in folders for ends in INSTALLED)
    return {path for some in places for path in some if path.is_dir()}


def inside(path: Path, folder: str) -> bool:
    return path.is_relative_to(folder)
