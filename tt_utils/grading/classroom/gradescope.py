"""Grades one submission inside a Gradescope container: `python -m` this module.

Gradescope puts a submission into `submission/` and wants `results/results.json`.
Source: https://gradescope-autograders.readthedocs.io/en/latest/specs/
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from tt_utils.grading import tasks
from tt_utils.grading.classroom.grader import NotGraded, grade
from tt_utils.grading.classroom.handed_in.submissions import (
    NoSubmissions,
    found_in,
    loaded,
)
from tt_utils.grading.classroom.records.record import Record, TaskRecord
from tt_utils.grading.classroom.rounds import new_seeds
from tt_utils.grading.classroom.sandbox.choose import NoSandbox, find
from tt_utils.grading.classroom.sandbox.limits import LIMITS
from tt_utils.grading.classroom.settings import Settings
from tt_utils.grading.classroom.workers import use_folder
from tt_utils.grading.reporting.result import Rung, bare
from tt_utils.grading.tasks import UnknownTask


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chapter", required=True, help="such as 05")
    parser.add_argument("--folder", type=Path, default=Path("/autograder"))
    parser.add_argument("--tasks", default="", help="folder with tasks of your own")
    given = parser.parse_args()
    started = time.monotonic()
    try:
        records = graded(given.folder / "submission", given.chapter, given.tasks)
    except (NoSandbox, NotGraded, UnknownTask) as error:
        # Without results.json Gradescope tells the instructor, and nobody gets 0.
        print(error, file=sys.stderr)
        return 1
    found = results(records)
    found["execution_time"] = round(time.monotonic() - started)
    out = given.folder / "results" / "results.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps(found, indent=1), encoding="utf-8")
    return 0


def graded(place: Path, chapter: str, folder: str) -> list[Record]:
    """All notebooks of one submission. Raises NoSandbox, NotGraded, UnknownTask."""
    use_folder(folder)
    chapter = chapter.zfill(2)
    tasks.of_chapter(chapter)
    try:
        kind = find("bwrap", LIMITS)
    except NoSandbox:
        kind = find("container", LIMITS)
    settings = Settings(kind, new_seeds(), chapter, folder)
    try:
        found = found_in(place, []).submissions
    except NoSubmissions:
        problem = "There is no notebook among your files; its name ends in .ipynb."
        return [Record("", problem=problem)]
    return [grade(loaded(one), settings) for one in found]


def results(records: list[Record]) -> dict[str, Any]:
    """In Gradescope's form; of several notebooks, each task's best counts."""
    best: dict[str, TaskRecord] = {}
    for record in records:
        for task_id, task in record.tasks.items():
            if task_id not in best or task.points > best[task_id].points:
                best[task_id] = task
    said = [
        sentence
        for record in records
        for sentence in (record.problem, *record.notes)
        if sentence
    ]
    return {
        "score": sum(task.points for task in best.values()),
        "output": "\n".join(said),
        "stdout_visibility": "hidden",
        "tests": [
            {
                "name": f"{task_id} {tasks.find(task_id).title}",
                "number": task_id,
                "score": task.points,
                "max_score": task.out_of,
                "status": "passed" if task.verdict == "right" else "failed",
                "output": as_text(task),
                "visibility": "visible",
            }
            for task_id, task in sorted(best.items())
        ],
    }


def as_text(task: TaskRecord) -> str:
    """What the learner reads; the form is plain text."""
    parts = [task.verdict.capitalize() + "."]
    parts += [task.message] if task.message else []
    parts += [f"{label.partition(',')[0]}:\n{text}" for label, text in task.evidence]
    parts += [f"Hint: {bare(hint)}" for hint in task.hints]
    parts += [f"Why: {bare(task.why)}"] if task.why else []
    parts += [f"Read again: {task.section}"] if task.section else []
    parts += [f"{Rung(*rung).sign} {rung[0]}" for rung in task.rungs]
    return "\n".join(parts)


if __name__ == "__main__":
    sys.exit(main())
