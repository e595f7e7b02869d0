"""Grades a class: what is not in the journal yet, side by side, to the last one."""

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from dataclasses import replace

from tqdm import tqdm

from tt_utils.grading.classroom.digest import graded_with
from tt_utils.grading.classroom.grader import NotGraded, grade
from tt_utils.grading.classroom.handed_in.submission import Submission
from tt_utils.grading.classroom.handed_in.submissions import loaded
from tt_utils.grading.classroom.records.journal import Journal, key_of
from tt_utils.grading.classroom.records.record import Record
from tt_utils.grading.classroom.settings import Settings
from tt_utils.grading.classroom.workers import work

AHEAD = 2  # submissions that wait for each worker, so that none stands idle


def grade_class(
    submissions: Iterable[Submission],
    settings: Settings,
    journal: Journal,
    make_executor: Callable[[], Executor],
    workers: int,
    show_progress: bool = True,
) -> list[Record]:
    """A record for each submission, in their order.

    What the journal holds already is not graded again. Each record is in the journal
    before this goes on, so a run that is killed loses nothing but what was in the air.
    """
    everyone = list(submissions)
    settings = replace(settings, digest=graded_with(settings))
    records: dict[str, Record] = {}
    todo: deque[Submission] = deque()
    for one in everyone:
        key = key_of(one.path, one.student)
        if one.problem:
            records[key] = grade(one, settings)  # nothing of it is run
        elif journal.holds(one.path, one.student, one.sha256):
            records[key] = replace(
                journal.done[key],
                student=one.student,
                name=one.name,
                email=one.email,
            )
        else:
            todo.append(one)
    with tqdm(
        total=len(everyone),
        initial=len(records),
        unit="submission",
        disable=not show_progress,
    ) as bar:
        for record, keep in graded(todo, settings, make_executor, workers):
            if keep:
                journal.add(record)
            records[key_of(record.submission, record.student)] = record
            bar.update()
    return [records[key_of(one.path, one.student)] for one in everyone]


def graded(
    todo: deque[Submission],
    settings: Settings,
    make_executor: Callable[[], Executor],
    workers: int,
) -> Iterable[tuple[Record, bool]]:
    """Records as they are ready, and whether they are to be kept.

    Where a worker dies, those that were in the air are tried once more, one at a time:
    so only the one that kills it gets a record that says so.
    """
    suspects: deque[Submission] = deque()
    running: dict[Future, Submission] = {}
    executor = make_executor()
    try:
        while todo or suspects or running:
            alone = bool(suspects)
            queue, most = (suspects, 1) if alone else (todo, AHEAD * workers)
            while queue and len(running) < most:
                try:
                    future = executor.submit(work, loaded(queue[0]), settings)
                except BrokenExecutor:  # one in the air has just killed its worker
                    executor = renewed(executor, running, suspects, make_executor)
                    break
                running[future] = queue.popleft()
            if not running:
                continue
            ready, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in ready:
                one = running.pop(future)
                try:
                    yield Record.from_json(future.result()), True
                except (BrokenExecutor, CancelledError) as error:
                    if alone:
                        yield broken(one, error), False
                    else:
                        suspects.append(one)
                    executor = renewed(executor, running, suspects, make_executor)
                    break
                except Exception as error:
                    yield broken(one, error), False
    finally:
        let_go(executor)


def renewed(
    executor: Executor,
    running: dict[Future, Submission],
    suspects: deque[Submission],
    make_executor: Callable[[], Executor],
) -> Executor:
    let_go(executor)
    suspects.extend(running.values())
    running.clear()
    return make_executor()


def let_go(executor: Executor) -> None:
    """Start nothing more. Dask's executor does that by itself, and knows no option."""
    if isinstance(executor, ProcessPoolExecutor):
        executor.shutdown(wait=False, cancel_futures=True)
    else:
        executor.shutdown(wait=False)


def broken(submission: Submission, error: BaseException) -> Record:
    """The grader itself failed; the next run tries again."""
    kind = "" if isinstance(error, NotGraded) else f"{type(error).__name__}: "
    why = f"{kind}{error}".strip().rstrip(".:")
    return Record(
        submission=submission.path,
        student=submission.student,
        name=submission.name,
        email=submission.email,
        problem=f"The grader failed ({why[:300]}); run the same command again.",
    )
