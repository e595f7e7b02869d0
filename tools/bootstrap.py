"""Makes `.venv` hold what requirements.txt says; does nothing if it does.

Standard library only, and written so that even Python 3.6 reads it: an old Python
must be able to say that it is too old.
"""

import hashlib
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
STAMP = os.path.join(VENV, "installed.sha256")
SOURCES = ("requirements.txt", "pyproject.toml")
OLDEST = (3, 11)
OTHER_PYTHONS = ("python3.14", "python3.13", "python3.12", "python3.11")
NEEDED_BYTES = 3 * 1024**3  # torch unpacked, and its archive while it is unpacked


def stop(sentence):
    sys.exit("bootstrap: " + sentence)


def venv_python():
    folder = "Scripts" if os.name == "nt" else "bin"
    return os.path.join(VENV, folder, "python")


def wanted_stamp():
    digest = hashlib.sha256()
    for name in SOURCES:
        with open(os.path.join(ROOT, name), "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()


def is_current():
    if not os.path.exists(venv_python()) or not os.path.exists(STAMP):
        return False
    with open(STAMP) as file:
        return file.read() == wanted_stamp()


def version_of(python):
    """(major, minor) of an interpreter, or None where it is missing or broken."""
    try:
        answer = subprocess.check_output(
            [python, "-c", "import sys; print(*sys.version_info[:2])"],
            stderr=subprocess.DEVNULL,
        )
        return tuple(int(part) for part in answer.split())
    except (OSError, subprocess.CalledProcessError, ValueError):
        return None


def find_python():
    """This interpreter if it is new enough, else another one of this machine."""
    if sys.version_info[:2] >= OLDEST:
        return sys.executable
    for name in OTHER_PYTHONS:
        path = shutil.which(name)
        version = version_of(path) if path else None
        if version and version >= OLDEST:
            return path
    stop(
        "Python {}.{} or newer is needed, and this is {}.{}; install one from"
        " https://www.python.org/downloads/ and run the command again.".format(
            *(OLDEST + tuple(sys.version_info[:2]))
        )
    )


def make_venv(python):
    version = version_of(venv_python()) if os.path.exists(venv_python()) else None
    if version and version >= OLDEST:
        return
    # Half a .venv, or one whose Python is gone, can't be mended: start again.
    shutil.rmtree(VENV, ignore_errors=True)
    test = subprocess.run(
        [python, "-c", "import venv, ensurepip"], stderr=subprocess.DEVNULL
    )
    if test.returncode:
        name = "python{}.{}-venv".format(*version_of(python))
        stop(
            f"{python} has no venv module; on Debian or Ubuntu install it with"
            f" 'apt install {name}'."
        )
    print("bootstrap: creating .venv with " + python)
    result = subprocess.run([python, "-m", "venv", VENV])
    if result.returncode:
        shutil.rmtree(VENV, ignore_errors=True)
        stop(f"'{python} -m venv .venv' failed; its message is above.")


def pip_install(*arguments):
    command = [venv_python(), "-m", "pip", "--disable-pip-version-check"]
    command += ["install", "-qq", *arguments]  # errors only
    # pip's words go to the terminal as they come, and are kept to explain a failure.
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        universal_newlines=True,
    )
    said = []
    for line in process.stdout:
        said.append(line)
        sys.stdout.write(line)
        sys.stdout.flush()
    if process.wait():
        stop(explain("".join(said)))


def explain(said):
    """One sentence for the ways in which an installation usually fails."""
    if "No space left" in said or "Errno 28" in said:
        return "the disk is full; about 3 GB are needed, free some and run it again."
    network = (
        "from versions: none",
        "Connection",
        "NameResolutionError",
        "timed out",
        "ProxyError",
        "SSLError",
    )
    if any(word in said for word in network):
        return (
            "pip cannot reach its package index; check the network or proxy"
            " (PIP_INDEX_URL names another index) and run it again."
        )
    if "No matching distribution" in said:
        return (
            "the package index lacks a version that requirements.txt names for this"
            " Python; pip's line above says which."
        )
    return "pip could not install the packages; its message is above."


def main():
    if is_current():
        return
    for name in SOURCES:
        if not os.path.exists(os.path.join(ROOT, name)):
            stop(f"{name} is missing; run it inside a whole checkout.")
    free = shutil.disk_usage(ROOT).free
    if not os.path.exists(VENV) and free < NEEDED_BYTES:
        stop(
            f"about 3 GB of disk are needed, {free / 1024**3:.1f} GB are free;"
            " free some and run it again."
        )
    make_venv(find_python())
    print("bootstrap: installing requirements.txt into .venv (minutes the first time)")
    sys.stdout.flush()
    pip_install("-r", "requirements.txt")
    # requirements.txt holds setuptools: no second download to build in isolation.
    pip_install("--no-deps", "--no-build-isolation", "-e", ".")
    with open(STAMP, "w") as file:
        file.write(wanted_stamp())
    print("bootstrap: .venv is ready")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        stop("interrupted; run it again to finish .venv.")
