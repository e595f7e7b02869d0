"""Build the book into `_build/html`. Warnings are errors.

Quiet while all is well; if the build fails, it shows the warnings and errors only.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from filelock import FileLock

ROOT = Path(__file__).resolve().parent.parent
BUILDER = "from jupyter_book.cli.main import main; main()"
TROUBLE = re.compile(r"WARNING|ERROR|CRITICAL|Traceback|\w+(Error|Exception):")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class BuildError(Exception):
    """The book was not built; the message holds the warnings and errors."""


def build(out: Path = ROOT, clean: bool = False) -> Path:
    """Build into `out/_build/html` and return that folder.

    Raises `BuildError` on any warning.
    """
    target = out / "_build"
    if clean:
        for name in ("html", ".doctrees", ".jupyter_cache", "jupyter_execute"):
            shutil.rmtree(target / name, ignore_errors=True)
    command = [sys.executable, "-c", BUILDER, "build", str(ROOT)]
    command += ["--path-output", str(out), "-W", "--keep-going", "-q"]
    environment = {**os.environ, "NO_COLOR": "1", "PYTHONUTF8": "1"}
    run = subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if run.returncode:
        # What was read before is not read again, so its warnings would not come back.
        shutil.rmtree(target / ".doctrees", ignore_errors=True)
        lines = COLOUR.sub("", run.stdout).splitlines()
        trouble = [line for line in lines if TROUBLE.search(line)] or lines[-20:]
        raise BuildError("\n".join(["The book was not built:", *trouble]))
    return target / "html"


def build_for_tests(base: Path) -> Path:
    """Build once a test run, below the run's own folder, whoever asks first.

    `TT_BOOK` names a built book to test instead.
    """
    if "TT_BOOK" in os.environ:
        return Path(os.environ["TT_BOOK"]).resolve()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent  # the folder that all workers of the run share
    out = base / "book"
    done = out / "done"
    with FileLock(base / "book.lock"):
        if not done.exists():
            build(out)
            done.touch()
    return out / "_build" / "html"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clean", action="store_true", help="build every page anew")
    parser.add_argument(
        "--out",
        type=Path,
        default=ROOT,
        help="the folder that gets `_build` (default: the project's)",
    )
    options = parser.parse_args()
    try:
        folder = build(options.out.resolve(), options.clean)
    except BuildError as error:
        sys.exit(str(error))
    pages = len(list(folder.rglob("*.html")))
    print(f"Built {pages} pages: {folder / 'index.html'}")


if __name__ == "__main__":
    main()
