"""What an instructor keeps of a class run: a table, a page a student, a class page."""

from tt_utils.grading.classroom.reports.write import write

__all__ = ["write"]
