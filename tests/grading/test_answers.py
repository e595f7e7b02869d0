"""The collected answers: right ones pass, wrong ones fail, mistakes get their hint."""

import pytest
from answers import NAMES, TASKS, tried
from quick import ALL, collected, defined_by, grade_here

from tt_utils.grading.grade import grade
from tt_utils.grading.tasks.spec import FunctionTask, ValueTask

OWN_HINT = 0.95  # of the spellings of a task's known mistakes; of all, 99 of 100
pytestmark = pytest.mark.filterwarnings("ignore")


COLLECTED = [task for task in ALL if task.id in TASKS]
by_task = pytest.mark.parametrize("task", COLLECTED, ids=lambda task: task.id)


def graded(task, source):
    if not isinstance(task, ValueTask):
        answers = defined_by(task, source)
        here = isinstance(task, FunctionTask) and all(map(callable, answers))
        return (grade_here if here else grade)(task, answers)
    names = {}
    exec(NAMES, names)
    answers = eval(source.strip(), names)
    return grade(task, answers if isinstance(answers, tuple) else (answers,))


def hints_of(task):
    hints = {mistake.name: mistake.hint for mistake in task.known}
    laws = [law.hint for law in getattr(task, "laws", ())]
    return hints, laws


@by_task
def test_right_answers_are_accepted(task):
    for name, source in tried(task.id).RIGHT.items():
        result = graded(task, source)
        assert result, f"{name}: {result}"


@by_task
def test_wrong_answers_are_rejected(task):
    for name, source in tried(task.id).WRONG.items():
        result = graded(task, source)
        assert not result, f"{name}: {result}"
        assert result.points < task.points


@by_task
def test_other_spellings_of_a_mistake_get_its_hint(task):
    """A tenth may miss it as often as all may, so that it fails only where all fail."""
    hints, laws = hints_of(task)
    missed, count = [], sum(map(len, collected(task.id).SPELLINGS.values()))
    for name, sources in tried(task.id).SPELLINGS.items():
        wanted = laws if name == "own generator" else [hints[name]]
        for source in sources:
            result = graded(task, source)
            if result.hint not in wanted:
                missed.append(f"{name}:\n{source}\n{result}")
    assert len(missed) <= (1 - OWN_HINT) * count, "\n".join(missed)


@pytest.mark.parametrize(
    "task",
    [t for t in COLLECTED if collected(t.id).DOUBLE],
    ids=lambda t: t.id,
)
def test_two_mistakes_at_once_are_named(task):
    hints, _ = hints_of(task)
    missed = []
    for one, other, source in tried(task.id).DOUBLE:
        result = graded(task, source)
        if not {hints[one], hints[other]} & set(result.hints):
            missed.append(f"{one} + {other}:\n{source}\n{result}")
    assert len(missed) <= 0.05 * len(collected(task.id).DOUBLE), "\n".join(missed)
