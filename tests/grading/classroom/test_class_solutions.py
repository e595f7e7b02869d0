"""The book's own solutions get every point in the sandbox."""

import nbfiles
import pytest

from tt_utils.grading import tasks
from tt_utils.grading.classroom.grader import grade
from tt_utils.grading.classroom.handed_in.submission import Submission

pytestmark = pytest.mark.slow
MASTERS = sorted((nbfiles.ROOT / "solutions").glob("*.ipynb"))


@pytest.mark.parametrize("path", MASTERS, ids=lambda path: path.stem)
def test_a_solution_gets_every_point(path, settings):
    record = grade(Submission(path.name, content=path.read_bytes()), settings)
    assert record.problem == ""
    assert record.notes == ()
    assert record.tasks.keys() == tasks.of_chapter(path.stem[:2]).keys()
    for task_id, task in record.tasks.items():
        assert task.verdict == "right", f"{task_id}: {task.message}"


def test_an_exercise_that_nobody_touched(settings):
    path = nbfiles.ROOT / "exercises" / MASTERS[0].name
    record = grade(Submission(path.name, content=path.read_bytes()), settings)
    assert not any(task.verdict == "right" for task in record.tasks.values())
    assert record.notes == ()
