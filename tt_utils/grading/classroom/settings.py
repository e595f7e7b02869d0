"""How a class is graded."""

from dataclasses import dataclass

from tt_utils.grading.classroom.sandbox.kinds import Kind
from tt_utils.grading.classroom.sandbox.limits import LIMITS, Limits


@dataclass(frozen=True)
class Settings:
    """How a run grades.

    An answer must be right with the numbers from all `seeds`. Without
    `chapter`, a notebook's own calls of `check` say what it is about. `digest` is that
    of the tasks and the grader: a worker that has others in memory must not grade.
    """

    sandbox: Kind
    seeds: tuple[int, ...]
    chapter: str = ""
    folder: str = ""
    limits: Limits = LIMITS
    digest: str = ""
