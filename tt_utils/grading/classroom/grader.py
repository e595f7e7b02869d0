"""Grades one submission: sends it into the sandbox, judges what comes back."""

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tt_utils.grading import tasks
from tt_utils.grading.attempt import Observation
from tt_utils.grading.classroom import sandbox
from tt_utils.grading.classroom.cells import (
    Cells,
    NoNotebook,
    code_cells,
    in_words,
    tasks_in,
)
from tt_utils.grading.classroom.limits import LIMITS, Limits
from tt_utils.grading.classroom.parcel import asked_of, by_value, order_of
from tt_utils.grading.classroom.record import Record, TaskRecord
from tt_utils.grading.classroom.replies import HandedIn
from tt_utils.grading.classroom.sitting import Sat, sit, whole
from tt_utils.grading.classroom.stage import module_of, stage
from tt_utils.grading.classroom.student_side.session import Job
from tt_utils.grading.judge import judge, not_attempted, result
from tt_utils.grading.judge_values import judge_values
from tt_utils.grading.observe import Observed
from tt_utils.grading.report import Result
from tt_utils.grading.spec import FunctionTask, Task, ValueTask


@dataclass(frozen=True)
class Submission:
    """One file that was handed in, or one sentence on why it can't be graded.

    `place` is the file, or the zip that holds it under the number `entry`; of two
    numbers the first is that of a zip inside.
    """

    path: str
    student: str = ""
    name: str = ""
    email: str = ""
    content: bytes = field(default=b"", repr=False)
    sha256: str = ""
    problem: str = ""
    place: Path | None = None
    entry: tuple[int, ...] = ()


@dataclass(frozen=True)
class Settings:
    """How a run grades.

    An answer must be right with the numbers from all `seeds`. Without
    `chapter`, a notebook's own calls of `check` say what it is about. `digest` is that
    of the tasks and the grader: a worker that has others in memory must not grade.
    """

    sandbox: sandbox.Kind
    seeds: tuple[int, ...]
    chapter: str = ""
    folder: str = ""
    limits: Limits = LIMITS
    digest: str = ""


alone = threading.Lock()  # our own tasks are run by one thread at a time


class NotGraded(RuntimeError):
    """The notebook could not be run; the message is one sentence."""


def grade(submission: Submission, settings: Settings) -> Record:
    """A record for whatever was handed in.

    Raises NotGraded where the sandbox fails, which is nobody's who handed in.
    """
    started = time.monotonic()
    problem, notes, found = submission.problem, [], {}
    if not problem:
        try:
            notes, found = _graded(submission.content, settings)
        except NoNotebook as error:
            problem = str(error)
    return Record(
        submission=submission.path,
        student=submission.student,
        name=submission.name,
        email=submission.email,
        sha256=submission.sha256,
        problem=problem,
        notes=tuple(notes),
        tasks=found,
        seconds=round(time.monotonic() - started, 1),
    )


def _graded(
    content: bytes, settings: Settings
) -> tuple[list[str], dict[str, TaskRecord]]:
    """Notes, and what became of each task. Raises NoNotebook."""
    cells, asked_for = read(content, settings.chapter)
    all_ids = {task_id for graded in asked_for.values() for task_id in graded}
    notes: list[str] = []
    found: dict[str, TaskRecord] = {}
    sat = Sat()
    for chapter, graded in asked_for.items():
        # What took too long for one chapter is not run for another one.
        sat = (
            Sat(out_of_time=True)
            if sat.out_of_time
            else run(cells, graded, chapter, settings)
        )
        notes += [note for note in sat.notes if note not in notes]
        notes += [
            f"{in_words(cell, cells)} hands in a task that is not graded here: "
            f"{task or 'no id'}."
            for cell, task in dict.fromkeys(sat.unknown)
            if task not in all_ids
        ]
        with alone:
            for task in graded.values():
                result = judged(task, settings.seeds, sat.handed_in.get(task.id))
                found[task.id] = TaskRecord.of(result)
    return notes, dict(sorted(found.items()))


def read(content: bytes, chapter: str) -> tuple[Cells, dict[str, dict[str, Task]]]:
    """The cells of a notebook, and the tasks it is graded for. Raises NoNotebook."""
    cells = code_cells(content)
    asked_for = tasks_asked_for(cells, chapter)
    if not asked_for:
        raise NoNotebook("No cell calls `check` with the id of a graded task.")
    return cells, asked_for


def tasks_asked_for(cells: Cells, chapter: str) -> dict[str, dict[str, Task]]:
    """By chapter: all of its tasks, or without one those that the cells hand in."""
    if chapter:
        return {chapter: tasks.of_chapter(chapter)}
    called, known = tasks_in(cells), tasks.chapters()
    found: dict[str, dict[str, Task]] = {}
    for number in dict.fromkeys(task_id[:2] for task_id in called):
        if number in known:
            graded = tasks.of_chapter(number)
            found[number] = {i: task for i, task in graded.items() if i in called}
    return {number: graded for number, graded in found.items() if graded}


def run(
    cells: Cells,
    graded: dict[str, Task],
    chapter: str,
    settings: Settings,
) -> Sat:
    """Runs the cells; one that stops the whole notebook is left out, and all is run
    again, so that it costs only its own task."""
    asked = {}
    with alone:
        for task in graded.values():
            by_value(task)
            asked[task.id] = asked_of(task, settings.seeds)
    limits, total = settings.limits, Sat()
    training = any(map(trains, graded.values()))
    for _ in range(limits.runs):
        job = Job(
            cells,
            asked,
            limits.cell,
            limits.task,
            limits.memory,
            tuple(i for i in graded if i not in total.handed_in),
            training,
        )
        started = sandbox.start(settings.sandbox, limits)
        sat = sit(started, stage(chapter), job, limits)
        total.handed_in |= sat.handed_in
        total.unknown += sat.unknown
        total.notes += [note for note in sat.notes if note not in total.notes]
        if sat.ended:
            return total
        if not sat.began:
            raise NotGraded(_no_start(sat))
        if sat.stopped_in is None:
            total.notes.append(f"After the last cell it {sat.reason}.")
            return total
        total.notes.append(f"{in_words(sat.stopped_in, cells)} {sat.reason}.")
        if sat.out_of_time:
            total.out_of_time = True
            return total
        cells = tuple(cell for cell in cells if cell[0] != sat.stopped_in)
        if not cells:
            return total
    total.notes.append(
        f"After {limits.runs} runs without the cells above the rest was left."
    )
    return total


def trains(task: Task) -> bool:
    """Does an answer to it, or the check of one, use an optimiser?"""
    text = Path(module_of(task).__file__).read_text(encoding="utf-8")
    return "torch.optim" in text or "probes.trained" in text


def _no_start(sat: Sat) -> str:
    why = sandbox.last_words(sat.complaint) or sat.reason
    return f"The sandbox did not start the notebook: {why}."


def judged(task: Task, seeds: Sequence[int], handed: HandedIn | None) -> Result:
    """The result with the first numbers; what is right must be so with all others."""
    if handed is None:
        message = (
            "It was not handed in: `check` was not called for it, or the cell of its "
            "answer failed; then a remark says so."
        )
        return replace(not_attempted(task), message=message)
    try:
        return _judged(task, seeds, handed)
    except Exception as error:  # what a forged reply holds fits nothing
        return result(
            task,
            "not checked",
            f"The answers came to something odd ({type(error).__name__}), which can't "
            "be judged.",
        )


def as_in_the_task(
    calls: tuple[Observation, ...], order: list[int]
) -> tuple[Observation, ...]:
    """Observations in the order of the checks; where it was stopped, why it was."""
    if calls[-1].stopped:
        return calls[-1:]
    by_check = dict(zip(order, calls, strict=True))
    return tuple(by_check[number] for number in sorted(order))


def _judged(task: Task, seeds: Sequence[int], handed: HandedIn) -> Result:
    if isinstance(task, ValueTask):
        calls = whole(handed.rounds.get(0, []), 1)
        return judge_values(task, Observed(handed.answers, calls))
    assert isinstance(task, FunctionTask)
    for number, seed in enumerate(seeds):
        calls = whole(handed.rounds.get(number, []), len(task.checks))
        if number:
            calls = as_in_the_task(calls, order_of(task, seed, number))
        found = judge(task, seed, Observed(handed.answers, calls))
        if not found:
            break
    return found
