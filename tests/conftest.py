"""What all tests share: one thread each, one built book, and who runs what."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import long_notebooks
import nbfiles
import pytest
from filelock import FileLock
from quick_tests import ALONE
from xdist.scheduler import LoadFileScheduling

pytest_plugins = ["strict_skips"]

# Tests run side by side; before any of them imports torch.
os.environ.setdefault("OMP_NUM_THREADS", "1")

DATA = Path(os.environ.get("TT_DATA", "no folder"))
# The parts of the suite, the longest tests first: so that no core waits in the end.
PARTS = {
    "tests/notebooks": "notebooks",
    "tests/browser": "book and browser",
    "tests/book": "book and browser",
    "tests": "unit tests",
}
# Each test of these files takes long and stands alone: workers share them out.
SHARED_OUT = (
    "tests/notebooks/test_outside_checkout.py",
    "tests/browser/test_in_chromium.py",
)
LAST_LINES = 12  # of a failure, shown at once


@pytest.fixture
def real_multi30k(monkeypatch) -> Path:
    """The captions themselves, for who has them: no test fetches them."""
    if not (DATA / "multi30k").is_dir():
        pytest.skip("needs Multi30k: set TT_DATA to the folder that holds it")
    monkeypatch.setenv("TT_DATA", str(DATA))
    return DATA / "multi30k"


@pytest.fixture(scope="session")
def made_once(tmp_path_factory) -> Callable:
    """Fill a folder once a run, by the worker that asks first; the others wait."""
    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent  # the folder that all workers of the run share

    def folder_of(name: str, fill: Callable[[Path], None]) -> Path:
        folder = base / name
        with FileLock(base / f"{name}.lock"):
            if not (folder / "done").exists():
                folder.mkdir(exist_ok=True)
                fill(folder)
                (folder / "done").touch()
        return folder

    return folder_of


@pytest.fixture(scope="session")
def book(made_once) -> Path:
    """The folder of built pages; `TT_BOOK` names one that is built already."""
    if "TT_BOOK" in os.environ:
        return Path(os.environ["TT_BOOK"]).resolve()
    return made_once("book", build_book) / "_build" / "html"


def build_book(folder: Path) -> None:
    builder = Path(sys.executable).with_name("jupyter-book")
    command = [builder, "build", nbfiles.ROOT, "--path-output", folder]
    command += ["-W", "--keep-going", "-q"]
    build = subprocess.run(command, capture_output=True, text=True)
    if build.returncode:
        pytest.fail(f"The book was not built:\n{build.stderr}", pytrace=False)


def part(nodeid: str) -> str:
    return next((folder for folder in PARTS if nodeid.startswith(folder)), "tests")


def pytest_collection_modifyitems(config, items) -> None:
    order = list(PARTS)
    items.sort(key=lambda item: order.index(part(item.nodeid)))
    if config.option.keyword or any("::" in argument for argument in config.args):
        return  # who names tests wants them
    if not any(item.nodeid.startswith("tests/notebooks") for item in items):
        return
    ran = {ALONE.format(name) for name in long_notebooks.unchanged(nbfiles.ROOT)}
    config.hook.pytest_deselected(items=[i for i in items if i.nodeid in ran])
    items[:] = [item for item in items if item.nodeid not in ran]


class Sharing(LoadFileScheduling):
    """A worker gets a whole file, whose fixtures are made once, or one long test."""

    def _split_scope(self, nodeid: str) -> str:
        return nodeid if nodeid.startswith(SHARED_OUT) else super()._split_scope(nodeid)


def pytest_xdist_make_scheduler(config, log) -> Sharing:
    return Sharing(config, log)


class AtOnce:
    """Says what failed when it fails: a run that is cut short has no summary."""

    def __init__(self, reporter) -> None:
        self.reporter = reporter

    def pytest_runtest_logreport(self, report) -> None:
        if report.failed:
            last = "\n".join(report.longreprtext.splitlines()[-LAST_LINES:])
            self.reporter.write_line(f"\n{report.nodeid} failed:\n{last}")


def pytest_sessionstart(session) -> None:
    if hasattr(session.config, "workerinput"):
        return  # a worker: the process that started it speaks
    plugins = session.config.pluginmanager
    plugins.register(AtOnce(plugins.get_plugin("terminalreporter")))


def pytest_terminal_summary(terminalreporter) -> None:
    """How long each part took, all workers together."""
    seconds = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                seconds[PARTS[part(report.nodeid)]] += report.duration
    if seconds.total() > 60:
        workers = getattr(terminalreporter.config.option, "numprocesses", None) or 1
        parts = [f"{name} {s / 60:.1f}" for name, s in seconds.most_common()]
        terminalreporter.write_sep("-", f"minutes of {workers} at work")
        terminalreporter.write_line(" · ".join(parts))
