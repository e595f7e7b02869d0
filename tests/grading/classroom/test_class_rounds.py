"""Every round of a task is judged, and a point is for a check passed in all of them."""

from dataclasses import replace

import pytest
from quick import FUNCTIONS

from tt_utils.grading.classroom.rounds import TWICE, judged, new_seeds
from tt_utils.grading.classroom.sandbox.parcel import order_of
from tt_utils.grading.classroom.sandbox.replies import HandedIn
from tt_utils.grading.judging.known_answers import expected
from tt_utils.grading.observing.observation import Handed, Observation
from tt_utils.grading.observing.plain_values import plain
from tt_utils.grading.tasks import find
from tt_utils.grading.tasks.spec import Check, FunctionTask

SEEDS = 0, 271_828, 314_159, 314_159
FORM = Handed("the function `f`", "function")
NOTHING = Observation(values=(plain("nothing of the kind"),))
by_task = pytest.mark.parametrize("task", FUNCTIONS, ids=lambda task: task.id)


def rounds_of(task, say):
    """What `say(number, seed, check)` gives, in the order in which rounds ask."""
    return {
        number: [say(number, seed, n) for n in order_of(task, seed, number)]
        for number, seed in enumerate(SEEDS)
    }


def result_of(task, say):
    forms = (FORM,) * len(task.answers)
    return judged(task, SEEDS, HandedIn(forms, rounds_of(task, say)))


def test_a_run_has_the_notebooks_numbers_and_secret_ones_one_of_them_twice():
    first, *secret = new_seeds()
    assert first == 0
    assert len(secret) == 3
    assert secret[1] == secret[2]
    assert len({first, *secret}) == 3


@by_task
def test_right_answers_are_right_in_all_rounds(task):
    found = result_of(task, lambda number, seed, n: expected(task, seed, n))
    if task.truth or task.laws:  # the exact truth is no measurement
        return
    assert found, found
    assert found.points == task.points


@by_task
def test_right_in_the_first_round_but_for_one_check_earns_nothing(task, monkeypatch):
    """The numbers of that round are public, and so are its right answers."""
    monkeypatch.setattr("tt_utils.grading.judging.judge.diagnose", lambda *_: ())

    def wrong_once(number, seed, n):
        return expected(task, seed, n) if not number and n else NOTHING

    found = result_of(task, wrong_once)
    assert found.points == 0
    assert not found


def test_a_check_counts_if_every_round_passes_it():
    task = find("05.1")

    def now_and_then(number, seed, n):
        wrong = n == 3 or (n == 5 and number == 1)
        return NOTHING if wrong else expected(task, seed, n)

    found = result_of(task, now_and_then)
    states = [rung.passed for rung in found.rungs]
    assert states[: len(task.checks)] == [n not in (3, 5) for n in range(8)]
    assert states[len(task.checks) :] == [None]
    assert found.points == 6


def test_the_first_round_that_fails_says_why():
    task = find("05.1")

    def late(number, seed, n):
        return NOTHING if number == 2 and n == 1 else expected(task, seed, n)

    found = result_of(task, late)
    assert found.message.startswith("Check 2 of 9 fails")
    assert found.points == 7


def test_now_right_now_wrong_on_the_same_earns_nothing():
    task = find("05.1")

    def forgetful(number, seed, n):
        return NOTHING if number == 3 and n < TWICE else expected(task, seed, n)

    found = result_of(task, forgetful)
    assert found.points == 0
    assert found.message.startswith("Asked the same twice")
    once = result_of(
        task,
        lambda number, seed, n: (
            NOTHING if number == 3 and n == 0 else expected(task, seed, n)
        ),
    )
    assert once.points == task.points - 2


YES_OR_NO = FunctionTask(
    title="Is the sum positive?",
    kind="explain",
    outputs=("verdict",),
    mistakes="",
    hints=("", ""),
    section="",
    why="",
    answers=("f",),
    arguments=("x",),
    checks=(
        Check("positive numbers", lambda rng: (rng.uniform(1, 2, 3),)),
        Check("negative numbers", lambda rng: (rng.uniform(-2, -1, 3),)),
    ),
    right=("def f(x):\n    return bool(x.sum() > 0)",),
)


def test_the_same_to_everything_earns_nothing():
    task = YES_OR_NO
    always = expected(task, 0, 0)
    found = result_of(task, lambda *_: always)
    assert found.points == 0
    assert found.message.startswith("It gives the same, whatever it is asked")


def test_a_measurement_that_never_varies_is_none():
    task = find("05.2")
    found = result_of(task, lambda *_: expected(task, 0, 0))
    assert found.points == 0
    assert found.message.startswith("It gives the same, whatever it is asked")


def test_what_is_stopped_costs_only_its_own_check():
    task = find("05.1")

    def hangs(number, seed, n):
        return Observation(stopped="time") if n == 4 else expected(task, seed, n)

    found = result_of(task, hangs)
    assert found.points == len(task.checks) - 1
    assert "stopped after" in found.message


def test_nothing_handed_in_and_nothing_written():
    task = find("05.1")
    assert judged(task, SEEDS, None).message.startswith("It was not handed in")
    empty = HandedIn((replace(FORM, kind="unfinished"),), {})
    found = judged(task, SEEDS, empty)
    assert found.verdict == "not attempted"
    assert "run again" not in found.message
