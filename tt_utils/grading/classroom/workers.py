"""Where submissions are graded side by side: processes here, or a Dask cluster."""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from tt_utils.grading.classroom.digest import graded_with
from tt_utils.grading.classroom.grader import NotGraded, grade
from tt_utils.grading.classroom.handed_in.submission import Submission
from tt_utils.grading.classroom.settings import Settings

OTHERS = (
    "a worker holds other tasks or another version of the book than this machine: "
    "restart the Dask workers, with the same clone and the same folder of tasks"
)
T = TypeVar("T")
PARENT_DEATH = 1  # PR_SET_PDEATHSIG of Linux


class NoCluster(RuntimeError):
    """The cluster can't be reached; the message is one sentence."""


def work(submission: Submission, settings: Settings) -> dict[str, Any]:
    """One submission's record, as the JSON that travels between processes."""
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


@dataclass(frozen=True)
class Cluster:
    """The workers of a Dask cluster, through its client."""

    client: Any

    @property
    def threads(self) -> int:
        return sum(self.client.nthreads().values())

    def executor(self) -> Executor:
        return self.client.get_executor(pure=False)

    def one_answer(self, function: Callable[..., T], *arguments: Any) -> T:
        """What a function gives on every worker. Raises NoCluster where they differ."""
        answers = self.client.run(function, *arguments)
        if len({*answers.values()}) > 1:
            each = ", ".join(f"{answer} at {at}" for at, answer in answers.items())
            raise NoCluster(
                f"The workers have different sandboxes: {each}. Name one that works on "
                "all of them with --sandbox."
            )
        return next(iter(answers.values()))


@contextmanager
def cluster(address: str) -> Iterator[Cluster]:
    """A Dask cluster that has workers. Raises NoCluster."""
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
        found = Cluster(client)
        if not found.threads:
            raise NoCluster(f"The Dask cluster at {address} has no workers.")
        yield found
