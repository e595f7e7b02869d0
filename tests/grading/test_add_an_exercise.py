"""What the page for teachers says works as it stands there."""

import os
import re
import subprocess
import sys

import nbfiles
import pytest
from quick import defined_by, grade_here

from tt_utils.grading.judging.known_answers import answers_in, sources
from tt_utils.grading.judging.task_audit import table
from tt_utils.grading.tasks import own_tasks

PAGE = (nbfiles.ROOT / "book" / "add_an_exercise.md").read_text(encoding="utf-8")


TASK = nbfiles.ROOT / "book" / "own_tasks" / "ch71_my_course" / "t1_row_means.py"


@pytest.fixture(scope="module")
def toy():
    assert f"{{literalinclude}} {TASK.relative_to(nbfiles.ROOT / 'book')}" in PAGE
    task = own_tasks.load(TASK)
    object.__setattr__(task, "id", "71.1")
    return task


def test_the_page_s_task_is_sound(toy):
    assert [line.caught_by for line in table(toy)] == [1, 1, 1]
    assert f"implement · 5 minutes · {toy.points} points" in PAGE
    for source in toy.right:
        assert grade_here(toy, answers_in(toy, source))
    for mistake in toy.known:
        for source in sources(toy, mistake):
            assert grade_here(toy, answers_in(toy, source)).hint == mistake.hint


def test_the_page_s_solution_is_right(toy):
    solution = re.search(r"```python\n(def row_means.*?)```", PAGE, re.DOTALL)[1]
    assert grade_here(toy, defined_by(toy, solution))


def test_what_the_page_names_is_there():
    for path in (
        "ch05_scaled_dot_product/t5_by_hand.py",
        "ch05_scaled_dot_product/t2_variance.py",
    ):
        assert path in PAGE
        assert (nbfiles.ROOT / "tt_utils/grading/tasks" / path).exists()


def test_a_teacher_s_own_task_passes_the_tests_of_all_tasks():
    options = ["-q", "-p", "no:cacheprovider", "-k", "71.1"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "tests/grading/test_tasks.py"],
        cwd=nbfiles.ROOT,
        env={**os.environ, "TT_TASKS": str(TASK.parents[1])},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout
    assert "skipped" not in done.stdout
