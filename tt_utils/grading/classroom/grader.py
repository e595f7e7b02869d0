"""Grades one submission: sends it into the sandbox, judges what comes back."""

import time
from dataclasses import replace

from tt_utils.grading import tasks
from tt_utils.grading.classroom.handed_in.notebook_cells import (
    Cells,
    NoNotebook,
    code_cells,
    in_words,
    tasks_in,
)
from tt_utils.grading.classroom.handed_in.submission import Submission
from tt_utils.grading.classroom.records.record import Record, TaskRecord
from tt_utils.grading.classroom.rounds import judged
from tt_utils.grading.classroom.sandbox.choose import last_words
from tt_utils.grading.classroom.sandbox.held_back import NotOffered
from tt_utils.grading.classroom.sandbox.kinds import start
from tt_utils.grading.classroom.sandbox.parcel import asked_of, by_value
from tt_utils.grading.classroom.sandbox.questions import alone
from tt_utils.grading.classroom.sandbox.sitting import Sat, sit
from tt_utils.grading.classroom.sandbox.stage import stage
from tt_utils.grading.classroom.settings import Settings
from tt_utils.grading.classroom.student_side.session import Job
from tt_utils.grading.tasks.spec import Task


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
            else run(cells, graded, chapter, settings, sat.seconds)
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
    spent: float,
) -> Sat:
    """Runs the cells; one that stops the whole notebook is left out, and all is run
    again, so that it costs only its own task. `spent` are seconds of its time."""
    asked = {}
    with alone:
        for task in graded.values():
            by_value(task)
            asked[task.id] = asked_of(task, settings.seeds)
    limits = settings.limits.with_trainings(task.seconds for task in graded.values())
    total = Sat(seconds=spent)
    training = any(task.trains for task in graded.values())
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
        left = replace(limits, wall=max(1.0, limits.wall - total.seconds))
        started = start(settings.sandbox, limits)
        try:
            sat = sit(started, stage(chapter), job, left)
        except NotOffered as error:
            raise NotGraded(str(error)) from None
        total.seconds += sat.seconds
        for task_id, handed in sat.handed_in.items():
            if handed.whole or task_id not in total.handed_in:
                total.handed_in[task_id] = handed
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


def _no_start(sat: Sat) -> str:
    why = last_words(sat.complaint) or sat.reason
    return f"The sandbox did not start the notebook: {why}."
