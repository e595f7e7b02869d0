"""What a learner's code prints, kept apart from what others print."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Tail:
    """The end of a text that may be long; it can stand in for a stream."""

    LINES, CHARACTERS = 8, 600
    encoding = "utf-8"

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self._end, self._length = "", 0

    def write(self, text: str) -> int:
        self._length += len(text)
        self._end = (self._end + text)[-self.CHARACTERS :]
        return len(text)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return False

    def writable(self) -> bool:
        return True

    def text(self) -> str:
        end = "\n".join(self._end.splitlines()[-self.LINES :])
        left_out = self._length - len(end)
        return f"… ({left_out:,} characters before)\n{end}" if left_out > 1 else end


class Switch:
    """A stream that sends what chosen threads print to a tail, the rest on."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.tails: dict[threading.Thread, Tail] = {}

    def write(self, text: str) -> int:
        target = self.tails.get(threading.current_thread(), self.stream)
        return target.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


# One switch a stream, never thrown away: another thread may be inside `write` of the
# switch at any moment, and CPython before 3.13 holds no reference to it there.
_switches: dict[int, Switch] = {}
_lock = threading.Lock()
_uses = 0


@contextmanager
def captured(thread: threading.Thread) -> Iterator[Tail]:
    """Standard output and error of one thread, together."""
    tail = Tail()
    switches = _switch_on()
    try:
        for switch in switches:
            switch.tails[thread] = tail
        yield tail
    finally:
        for switch in switches:
            switch.tails.pop(thread, None)
        _switch_off(switches)


def _switch_on() -> tuple[Switch, Switch]:
    global _uses
    with _lock:
        _uses += 1
        sys.stdout, sys.stderr = map(_switch_of, (sys.stdout, sys.stderr))
        return sys.stdout, sys.stderr


def _switch_of(stream: Any) -> Switch:
    if isinstance(stream, Switch):
        return stream
    return _switches.setdefault(id(stream), Switch(stream))


def _switch_off(switches: tuple[Switch, Switch]) -> None:
    """The last to leave puts the streams back, unless others stand there by now."""
    global _uses
    with _lock:
        _uses -= 1
        if not _uses:
            out, err = switches
            sys.stdout = out.stream if sys.stdout is out else sys.stdout
            sys.stderr = err.stream if sys.stderr is err else sys.stderr
