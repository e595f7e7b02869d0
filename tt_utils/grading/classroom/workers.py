"""Where submissions are graded side by side: processes here, or a Dask cluster."""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from tt_utils.grading.classroom.grader import NotGraded, Settings, Submission, grade

OTHERS = (
    "a worker holds other tasks or another version of the book than this machine: "
    "restart the Dask workers, with the same clone and the same folder of tasks"
)
PARENT_DEATH = 1  # PR_SET_PDEATHSIG of Linux


class NoCluster(RuntimeError):
    """The cluster can't be reached; the message is one sentence."""


def work(submission: Submission, settings: Settings) -> dict[str, Any]:
    """One submission's record, as the JSON that travels between processes."""
    from tt_utils.grading.classroom.run import graded_with

    use_folder(settings.folder)
    if settings.digest and graded_with(settings, as_loaded) != settings.digest:
        raise NotGraded(OTHERS)
    return grade(submission, settings).to_json()


@cache
def as_loaded(path: Path) -> bytes:
    """A file as it was when this process first needed it, whatever it holds by now."""
    return path.read_bytes()


def use_folder(folder: str) -> None:
    """Tasks of a teacher's own, if there are any."""
    if folder:
        from tt_utils.grading import tasks

        tasks.add_folder(folder)


def processes(workers: int) -> Callable[[], Executor]:
    """Makes executors of so many processes; where one crashes, a new one is made."""

    def make() -> Executor:
        return ProcessPoolExecutor(
            workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=begin_worker,
            initargs=(os.getpid(),),
        )

    return make


def begin_worker(parent: int) -> None:
    """Ends with the process that made it, and leaves Ctrl-C to that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(PARENT_DEATH, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)


def end_processes() -> None:
    """At once, with the sandboxes below them."""
    for child in multiprocessing.active_children():
        child.kill()
        child.join()


@contextmanager
def cluster(address: str) -> Iterator[tuple[Callable[[], Executor], int]]:
    """An executor on a Dask cluster, and how many threads work there.

    Raises NoCluster.
    """
    try:
        from distributed import Client
    except ImportError:
        raise NoCluster(
            "--dask needs the package distributed: pip install distributed"
        ) from None
    try:
        client = Client(address, timeout=20)
    except (OSError, ValueError) as error:
        raise NoCluster(f"No Dask scheduler answers at {address}: {error}.") from None
    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise NoCluster(f"The Dask cluster at {address} has no workers.")
        yield lambda: client.get_executor(pure=False), threads
