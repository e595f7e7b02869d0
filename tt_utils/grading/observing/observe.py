"""Uses what a learner handed in, and hands on plain data. It knows no task."""

from collections.abc import Sequence

from tt_utils.grading.observing import in_process, in_thread
from tt_utils.grading.observing.attempt import handed
from tt_utils.grading.observing.imports import import_torch
from tt_utils.grading.observing.limits import SECONDS
from tt_utils.grading.observing.observation import Observed, Request


def observe(
    answers: tuple, requests: Sequence[Request], seconds: float = SECONDS
) -> Observed:
    """Use the answers on every request's inputs. Raises nothing but KeyboardInterrupt.

    On Linux this happens in a forked process: endless calls into C, crashes and full
    memory harm nobody. Elsewhere it happens in a thread, which can't promise that.
    """
    import_ahead(requests)
    if requests and in_process.is_possible():
        try:
            calls = tuple(in_process.observe(answers, requests, seconds))
            return Observed(tuple(map(handed, answers)), calls)
        except OSError:  # no process to be had: the thread will do
            pass
    calls = tuple(in_thread.observe(answers, requests, seconds))
    return Observed(tuple(map(handed, answers)), calls)


def import_ahead(requests: Sequence[Request]) -> None:
    """What takes seconds is not on the learner's clock, nor done in each fork again."""
    trains = any(request.trains for request in requests)
    if trains or any(request.arrays == "torch" for request in requests):
        import_torch(and_optimisers=trains)
