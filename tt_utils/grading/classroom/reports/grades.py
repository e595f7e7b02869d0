"""The table student × task, as a spreadsheet reads it."""

import csv
import io
from collections.abc import Sequence

from tt_utils.grading.classroom.record import Record

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would compute


def task_ids(records: Sequence[Record]) -> list[str]:
    """All tasks that any submission was graded for."""
    return sorted({task_id for record in records for task_id in record.tasks})


def grades_csv(records: Sequence[Record]) -> str:
    """A line a submission: who, points in all, points a task, and remarks."""
    ids = task_ids(records)
    file = io.StringIO()
    table = csv.writer(file)
    table.writerow(
        [
            "student",
            "name",
            "submission",
            "points",
            "out of",
            *ids,
            "problem",
            "remarks",
        ]
    )
    for record in records:
        points = [record.tasks[i].points if i in record.tasks else "" for i in ids]
        who = map(safe, (record.student, record.name, record.submission))
        total = [record.points, record.out_of]
        words = map(safe, (record.problem, " ".join(record.notes)))
        table.writerow([*who, *total, *points, *words])
    return file.getvalue()


def safe(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text
