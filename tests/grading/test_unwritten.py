"""What is written is judged and diagnosed alone, while the rest is left to write."""

import pytest
from quick import grade_here

from tt_utils.grading.judging.known_answers import answers_in, sources
from tt_utils.grading.tasks import find

SEVERAL = ("02.1", "02.3", "02.5", "07.2", "13.5", "16.1")


def stub(*_, **__): ...


@pytest.mark.parametrize("task_id", SEVERAL)
def test_a_right_part_beside_stubs_is_no_mistake(task_id):
    task = find(task_id)
    for position in range(len(task.answers)):
        answers = list(answers_in(task.without(others(task, position)), task.right[0]))
        result = grade_here(task, left_empty(answers, position))
        assert result.verdict == "not attempted", result
        assert result.mistakes == ()


def others(task, position):
    return tuple(n for n in range(len(task.answers)) if n != position)


def left_empty(answers, position):
    return tuple(
        answer if n == position or isinstance(answer, type) else stub
        for n, answer in enumerate(answers)
    )


@pytest.mark.parametrize(
    ("task_id", "mistake", "written"),
    [
        ("02.1", "unknown is always 0", (0, 1)),
        ("02.1", "unknown is always 0", (1,)),
        ("02.1", "places instead of ids", (2,)),
        ("02.1", "sorted by length", (0,)),
    ],
)
def test_a_mistake_beside_stubs_gets_its_hint(task_id, mistake, written):
    task = find(task_id)
    (known,) = (one for one in task.known if one.name == mistake)
    answers = answers_in(task, sources(task, known)[0])
    handed = tuple(a if n in written else stub for n, a in enumerate(answers))
    result = grade_here(task, handed)
    assert result.mistakes == (mistake,), result
    assert result.hint == known.hint
    for n, name in enumerate(task.answers):
        assert (f"`{name}`" in result.note) == (n not in written)


@pytest.mark.parametrize(
    ("mistake", "written"),
    [("padding read in the encoder", 1), ("the future leaks", 2)],
)
def test_a_layers_mistake_gets_its_hint_before_the_model_is_written(mistake, written):
    task = find("13.5")
    (known,) = (one for one in task.known if one.name == mistake)
    answers = answers_in(task, sources(task, known)[0])
    for answer in answers[written:]:
        answer.forward = as_in_the_exercise
    assert grade_here(task, answers).mistakes == (mistake,)


def as_in_the_exercise(self, *_): ...


def test_nothing_written_is_not_attempted():
    task = find("02.1")
    result = grade_here(task, (stub, stub, stub))
    assert result.verdict == "not attempted"
