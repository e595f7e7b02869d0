"""Writes all reports of a class into one folder."""

import re
from collections.abc import Sequence
from pathlib import Path

from tt_utils.atomic_write import replace
from tt_utils.grading.classroom.records.record import Record
from tt_utils.grading.classroom.reports import pages
from tt_utils.grading.classroom.reports.grades import grades_csv, task_ids
from tt_utils.grading.classroom.reports.summary import ClassSummary, summary

CLASS_PAGE, GRADES, STUDENTS = "class.html", "grades.csv", "students"


def write(
    records: Sequence[Record], out: Path, not_taken: dict[str, str]
) -> ClassSummary:
    """Write `grades.csv`, `class.html` and `students/*.html` into the folder `out`.

    Gives what the class page tells of the class as a whole.
    `not_taken` holds the paths of what is no notebook, and who it is from.
    Files of an earlier run are replaced one by one, each whole; pages of students who
    are gone are removed. Raises OSError where the folder can't be written.
    """
    folder = out / STUDENTS
    folder.mkdir(parents=True, exist_ok=True)
    names = page_names(records)
    ids = task_ids(records)
    for record, name in zip(records, names, strict=True):
        put(folder / name, pages.student(record, ids))
    for old in folder.glob("*.html"):
        if old.name not in names:
            old.unlink()
    put(out / GRADES, grades_csv(records), "utf-8-sig")
    links = [f"{STUDENTS}/{name}" for name in names]
    whole = summary(records)
    page = pages.of_class(whole, links, not_taken)
    put(out / CLASS_PAGE, page)
    return whole


def put(path: Path, text: str, encoding: str = "utf-8") -> None:
    """Replace a file; an old journal may hold half a character."""
    replace(path, text.encode(encoding, "replace"))


def page_names(records: Sequence[Record]) -> list[str]:
    """A file name for every student: plain letters, and no two alike."""
    names: list[str] = []
    for record in records:
        wanted = record.student or record.submission or "student"
        stem = re.sub(r"[^a-z0-9]+", "-", wanted.lower()).strip("-")[:60] or "student"
        name, number = f"{stem}.html", 1
        while name in names:
            number += 1
            name = f"{stem}-{number}.html"
        names.append(name)
    return names
