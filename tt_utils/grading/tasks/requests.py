"""What a task asks of an answer: nothing in it tells what is right."""

from functools import lru_cache

from tt_utils.grading.observing import probes
from tt_utils.grading.observing.observation import Request
from tt_utils.grading.tasks.spec import FunctionTask, TrainingTask


@lru_cache(maxsize=100)
def requests(task: FunctionTask, seed: int) -> list[Request]:
    """What the learner's answers are asked for: one request a check."""
    return [
        Request(
            check.probe,
            given,
            task.arrays,
            len(task.outputs_of(number)),
            task.trains,
        )
        for number, (check, given) in enumerate(
            zip(task.checks, task.inputs(seed), strict=True)
        )
    ]


def training_request(task: TrainingTask, seed: int) -> Request:
    """The pairs to learn from and the sentences to translate, without the answers."""
    pairs, texts, _ = task.case(seed)
    return Request(probes.call, (pairs, texts), trains=task.trains)
