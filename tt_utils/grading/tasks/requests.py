"""What a task asks of an answer: nothing in it tells what is right."""

from functools import lru_cache

from tt_utils.grading.observing.observation import Request
from tt_utils.grading.tasks.spec import FunctionTask


@lru_cache(maxsize=100)
def requests(task: FunctionTask, seed: int) -> list[Request]:
    """What the learner's answers are asked for: one request a check."""
    return [
        Request(check.probe, given, task.arrays, len(task.outputs_of(number)))
        for number, (check, given) in enumerate(
            zip(task.checks, task.inputs(seed), strict=True)
        )
    ]
