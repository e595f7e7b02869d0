"""A task and what was handed in: observed first, judged then."""

import secrets
from dataclasses import replace

from tt_utils.grading.judging.judge import judge
from tt_utils.grading.judging.judge_training import judge_training
from tt_utils.grading.judging.judge_values import judge_values
from tt_utils.grading.observing import probes
from tt_utils.grading.observing.attempt import is_stub
from tt_utils.grading.observing.observation import Request
from tt_utils.grading.observing.observe import observe
from tt_utils.grading.reporting.result import Result
from tt_utils.grading.tasks.requests import requests, training_request
from tt_utils.grading.tasks.spec import FunctionTask, Task, TrainingTask, ValueTask


def grade(
    task: Task, answers: tuple, seed: int = 0, seconds: float | None = None
) -> Result:
    """A Result for any answers whatsoever: points for what passes, and a reason.

    `seconds` of CPU time are those of the task, where none are given.
    """
    seconds = task.seconds if seconds is None else seconds
    if isinstance(task, ValueTask):
        asked = [Request(probes.values, (), results=len(task.outputs))]
        asked = asked if len(answers) == len(task.outputs) else []
        return judge_values(task, observe(answers, asked, seconds))
    assert isinstance(task, FunctionTask | TrainingTask)
    ready = len(answers) == len(task.answers) and all(map(callable, answers))
    if isinstance(task, TrainingTask):
        written = ready and not any(map(is_stub, answers))
        asked = [training_request(task, seed)] if written else []
        return judge_training(task, seed, observe(answers, asked, seconds))
    asked = requests(task, seed) if ready else []
    return judge(task, seed, observe(answers, asked, seconds))


def grade_with_fresh_numbers(task: Task, answers: tuple, seed: int) -> Result:
    """Like `grade`; a right function must be right on new random inputs too.

    So no table of the known inputs passes, and no memory that was clean by luck. What
    trains is asked once, about a language that is drawn for this one time.
    """
    if isinstance(task, TrainingTask):
        return grade(task, answers, secrets.randbelow(2**31))
    result = grade(task, answers, seed)
    if not result or not isinstance(task, FunctionTask):
        return result
    fresh = secrets.randbelow(1_000_000)
    again = grade(task, answers, fresh)
    if again:
        return result
    message = f"With other numbers (`seed={fresh}`): {again.message}"
    return replace(again, message=message)
