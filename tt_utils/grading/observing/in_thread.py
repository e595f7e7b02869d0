"""Uses a learner's answer in a thread of this process, with a limit of time.

The way where a process can't be forked. A loop in Python is ended, or parked where it
stands. One single long call into C is not: it may hold the interpreter's lock, so that
nothing else runs until it returns, and it may take all memory. No thread can be stopped
from outside against that; a process can (`in_process`).
"""

import contextvars
import ctypes
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tt_utils.grading.observing.attempt import attempt
from tt_utils.grading.observing.global_state import preserved
from tt_utils.grading.observing.limits import WAITING
from tt_utils.grading.observing.observation import Observation, Request
from tt_utils.grading.observing.streams import captured

GRACE = 0.5  # seconds that a function gets to unwind once its time is up


class _TimeUp(SystemExit):
    """Ends the learner's thread; threads end silently on SystemExit."""


def observe(
    answers: tuple, requests: Sequence[Request], seconds: float
) -> Iterator[Observation]:
    """One observation a request, up to the first that had to be stopped.

    `seconds` of CPU time are for all of them together. Python code ends within
    `WAITING` times that, plus two grace periods.
    """
    left = seconds
    for request in requests:
        started = time.process_time()
        observation = _one(answers, request, max(0.1, left))
        left -= time.process_time() - started
        yield observation
        if observation.stopped:
            return


def _one(answers: tuple, request: Request, seconds: float) -> Observation:
    box: list[Observation] = []
    context = contextvars.copy_context()

    def work() -> None:
        box.append(context.run(attempt, answers, request))

    with preserved():
        thread = threading.Thread(target=work, daemon=True)
        with captured(thread) as printed:
            stopped = _finish(thread, seconds)
    if stopped or not box:
        return Observation(stopped=stopped or "ended", printed=printed.text())
    return replace(box[0], printed=printed.text())


def _finish(thread: threading.Thread, seconds: float) -> str:
    """Waits; then asks the thread to end; then parks it where it stands.

    A loop that swallows every exception cannot be ended, but it can be parked: an
    exception *class* sent to a thread is instantiated there, and this one's __init__
    never returns.
    """
    parked = threading.Event()

    class Park(BaseException):
        def __init__(self) -> None:
            parked.set()
            threading.Event().wait()

    thread.start()
    try:
        reason = _time_up(thread, seconds)
    except KeyboardInterrupt:  # the notebook's stop button
        _send(thread, _TimeUp)
        raise
    if not reason:
        return ""
    _send(thread, _TimeUp)
    if _ended(thread, GRACE):
        return reason
    _send(thread, Park)
    return reason if parked.wait(GRACE) or not thread.is_alive() else "stuck"


def _time_up(thread: threading.Thread, seconds: float) -> str:
    """Waits for the thread; says which clock ran out first, "" if none did.

    The CPU's clock counts: on a busy machine a quick function takes long by the
    clock on the wall.
    """
    cpu, wall = time.process_time() + seconds, time.monotonic() + WAITING * seconds
    while not _ended(thread, 0.1):
        if time.process_time() > cpu:
            return "time"
        if time.monotonic() > wall:
            return "waiting"
    return ""


def _ended(thread: threading.Thread, seconds: float) -> bool:
    """Waits in slices, because one long wait hides the stop button on Windows."""
    thread.join(seconds)
    return not thread.is_alive()


def _send(thread: threading.Thread, exception: type[BaseException]) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread.ident), ctypes.py_object(exception)
    )
