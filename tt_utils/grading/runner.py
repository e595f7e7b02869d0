"""Calls a learner's function once: with a time limit, on copies, prints kept apart.

The function runs in a thread, because that is the one way to limit time that works in
every notebook, on every system, from any thread.
"""

import contextvars
import ctypes
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from tt_utils.grading.spec import Draws
from tt_utils.grading.state import preserved

GRACE = 0.5  # seconds that a function gets to unwind once its time is up


@dataclass(frozen=True)
class Outcome:
    """What one call came to."""

    value: Any = None
    error: BaseException | None = None
    stopped: Literal["", "in time", "never"] = ""
    printed: str = ""
    changed: tuple[int, ...] = ()  # positions of arguments changed in place


class _TimeUp(SystemExit):
    """Ends the learner's thread; threads end silently on SystemExit."""


def run(
    function: Callable, arguments: tuple, arrays: str = "numpy", seconds: float = 10.0
) -> Outcome:
    """One call ends within `seconds` plus two grace periods, whatever it does.

    Arguments reach the function as fresh copies, as torch tensors (float32) where
    `arrays` is "torch". Errors, also SystemExit, are returned and not raised.
    """
    given = materialise(arguments, arrays)
    box: dict[str, Any] = {}

    def work(context: contextvars.Context) -> None:
        try:
            box["value"] = context.run(function, *given)
        except BaseException as error:
            box["error"] = error

    with preserved():
        thread = threading.Thread(
            target=work, args=(contextvars.copy_context(),), daemon=True
        )
        with _captured(thread) as printed:
            stopped = _finish(thread, seconds)
    if stopped:
        return Outcome(stopped=stopped, printed=printed.text())
    if "error" in box:
        return Outcome(error=box["error"], printed=printed.text())
    changed = tuple(
        position
        for position, (now, before) in enumerate(
            zip(given, materialise(arguments, arrays), strict=True)
        )
        if not _same(now, before)
    )
    return Outcome(value=box["value"], printed=printed.text(), changed=changed)


def materialise(arguments: tuple, arrays: str) -> tuple:
    """Fresh copies of the arguments, in the kind of array that the task wants."""
    return tuple(_copy(argument, arrays) for argument in arguments)


def _copy(argument: Any, arrays: str) -> Any:
    if isinstance(argument, Draws):
        return np.random.default_rng(argument.seed)
    if not isinstance(argument, np.ndarray):
        return argument
    copy = argument.copy()
    if arrays == "torch":
        import torch

        tensor = torch.from_numpy(copy)
        return tensor.float() if tensor.is_floating_point() else tensor
    return copy


def _same(now: Any, before: Any) -> bool:
    if not hasattr(before, "shape"):
        return True
    if now.shape != before.shape:
        return False
    now, before = np.asarray(now), np.asarray(before)
    return np.array_equal(now, before, equal_nan=before.dtype.kind == "f")


def _finish(
    thread: threading.Thread, seconds: float
) -> Literal["", "in time", "never"]:
    """Waits; then asks the thread to end; then parks it where it stands.

    A loop that swallows every exception cannot be ended, but it can be parked: an
    exception *class* sent to a thread is instantiated there, and this one's __init__
    never returns. Only code inside one long call to C escapes both.
    """
    parked = threading.Event()

    class Park(BaseException):
        def __init__(self) -> None:
            parked.set()
            threading.Event().wait()

    thread.start()
    try:
        if _ended(thread, seconds):
            return ""
    except KeyboardInterrupt:  # the notebook's stop button
        _send(thread, _TimeUp)
        raise
    _send(thread, _TimeUp)
    if _ended(thread, GRACE):
        return "in time"
    _send(thread, Park)
    return "in time" if parked.wait(GRACE) or not thread.is_alive() else "never"


def _ended(thread: threading.Thread, seconds: float) -> bool:
    """Waits in slices, because one long wait hides the stop button on Windows."""
    end = time.monotonic() + seconds
    while thread.is_alive() and (left := end - time.monotonic()) > 0:
        thread.join(min(left, 0.1))
    return not thread.is_alive()


def _send(thread: threading.Thread, exception: type[BaseException]) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread.ident), ctypes.py_object(exception)
    )


class _Tail:
    """The end of a text that may be long."""

    LINES, CHARACTERS = 8, 600

    def __init__(self) -> None:
        self._end, self._length = "", 0

    def add(self, text: str) -> None:
        self._length += len(text)
        self._end = (self._end + text)[-self.CHARACTERS :]

    def text(self) -> str:
        end = "\n".join(self._end.splitlines()[-self.LINES :])
        left_out = self._length - len(end)
        return f"… ({left_out:,} characters before)\n{end}" if left_out > 1 else end


class _Stream:
    """Sends what one thread prints to a tail; other threads print as ever."""

    def __init__(self, thread: threading.Thread, stream: Any, tail: _Tail) -> None:
        self._thread, self._stream, self._tail = thread, stream, tail

    def write(self, text: str) -> int:
        if threading.current_thread() is not self._thread:
            return self._stream.write(text)
        self._tail.add(text)
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def _captured(thread: threading.Thread) -> Iterator[_Tail]:
    """Standard output and error of the thread, together."""
    streams, tail = (sys.stdout, sys.stderr), _Tail()
    sys.stdout, sys.stderr = (_Stream(thread, stream, tail) for stream in streams)
    try:
        yield tail
    finally:
        sys.stdout, sys.stderr = streams
