"""Questions of a student's answers to what the grader has kept, within their limits."""

import threading
import time
from dataclasses import dataclass

from tt_utils.grading.classroom.sandbox.held_back import Held
from tt_utils.grading.classroom.sandbox.questioned import answer, raised
from tt_utils.grading.classroom.sandbox.replies import Forged
from tt_utils.grading.observing.imports import import_torch

CALLS = 50_000  # in one round; a right answer needs a few hundred
NOT_NOW = "this can be called only while the check that hands it over runs"
TOO_OFTEN = f"what the checks hand over was called more than {CALLS:,} times"
TOO_LONG = "calls of what the checks hand over took more than {:.0f} s of computing"

alone = threading.Lock()  # our own tasks are run by one thread at a time


@dataclass
class Spent:
    """What the questions of one round have taken."""

    seconds: float = 0.0
    calls: int = 0


class Questions:
    """Answers what is asked of things that are held back.

    `seconds` of CPU time are for all questions of a round. One call ends by itself:
    its size is limited.
    """

    def __init__(self, held: dict[int, Held], seconds: float) -> None:
        self.held, self.seconds = held, seconds
        if held:
            import_torch()  # on nobody's clock
        self.spent: dict[tuple, Spent] = {}

    def answer(self, thing: int, call: bytes, turn: tuple) -> bytes:
        """Raises Forged for an odd question."""
        spent = self.spent.setdefault(turn, Spent())
        spent.calls += 1
        if spent.calls > CALLS:
            return refusal(TOO_OFTEN)
        if spent.seconds > self.seconds:
            return refusal(TOO_LONG.format(self.seconds))
        with alone:
            began = time.thread_time()
            found = answer(self.held[thing].thing, call)
            spent.seconds += time.thread_time() - began
        if not found:
            raise Forged("it asks what is no question")
        return found


def refusal(why: str) -> bytes:
    return raised(RuntimeError(why))
