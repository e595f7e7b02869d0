"""The table student × task, as a spreadsheet reads it."""

import csv
import io
import unicodedata
from collections.abc import Sequence

from tt_utils.grading.classroom.records.record import Record

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would compute


def task_ids(records: Sequence[Record]) -> list[str]:
    """All tasks that any submission was graded for."""
    return sorted({task_id for record in records for task_id in record.tasks})


def grades_csv(records: Sequence[Record]) -> str:
    """A line a submission: who, points in all, points a task, and remarks.

    There is a column for e-mails where anybody has one. Where nothing was graded, there
    are no points, and the problem says why.
    """
    ids = task_ids(records)
    who_is = ["student", "name", "submission"]
    if any(record.email for record in records):
        who_is.insert(2, "email")
    file = io.StringIO()
    table = csv.writer(file)
    table.writerow([*who_is, "points", "out of", *ids, "problem", "remarks"])
    for record in records:
        points = [record.tasks[i].points if i in record.tasks else "" for i in ids]
        who = [safe(getattr(record, column)) for column in who_is]
        total = [record.points, record.out_of] if record.tasks else ["", ""]
        words = map(safe, (record.problem, " ".join(record.notes)))
        table.writerow([*who, *total, *points, *words])
    return file.getvalue()


def safe(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    read = unicodedata.normalize("NFKC", text).lstrip()  # full-width signs count, too
    return f"'{text}" if text.startswith(FORMULA) or read.startswith(FORMULA) else text
