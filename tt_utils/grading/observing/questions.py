"""The line from an answer's process to the one that made it: what came of a request,
and questions to stand-ins, which get an answer each."""

import os
import select
import struct
import threading
import time
from contextlib import suppress

from tt_utils.grading.observing import asking

LENGTH = struct.Struct("<Q?")  # of a message, and is it a question?
ANSWER = struct.Struct("<8sQ")  # which question it answers, and its length
MARK = 8  # bytes that tell one question from another


class Line:
    """The end of it in the answer's process; one thread at a time uses it.

    An exception in the middle, such as a learner's own alarm, leaves it whole: what is
    left of a message is sent before the next one, and an answer that nobody waits for
    any more is passed over.
    """

    def __init__(self, inlet: int, outlet: int) -> None:
        self.inlet, self.outlet = inlet, outlet
        self.lock = threading.Lock()
        self.unsent, self.unread = b"", bytearray()

    def open(self) -> None:
        """From here on stand-ins in this process ask here."""
        asking.answered_by(self.ask)

    def say(self, content: bytes) -> None:
        with self.lock:
            self.send(LENGTH.pack(len(content), False) + content)

    def ask(self, number: int, call: bytes) -> bytes:
        """The answer to a call of the thing with this number."""
        mark = os.urandom(MARK)
        content = mark + number.to_bytes(8, "little") + call
        with self.lock:
            self.send(LENGTH.pack(len(content), True) + content)
            while True:
                answered, answer = self.hear()
                if answered == mark:
                    return answer

    def send(self, content: bytes) -> None:
        self.unsent += content
        while self.unsent:
            written = os.write(self.outlet, self.unsent[: 2**16])
            self.unsent = self.unsent[written:]

    def hear(self) -> tuple[bytes, bytes]:
        while True:
            if len(self.unread) >= ANSWER.size:
                mark, size = ANSWER.unpack_from(self.unread)
                end = ANSWER.size + size
                if len(self.unread) >= end:
                    answer = bytes(self.unread[ANSWER.size : end])
                    del self.unread[:end]
                    return mark, answer
            part = os.read(self.inlet, 2**18)
            if not part:
                raise RuntimeError("nobody is there any more who could answer")
            self.unread += part


def number_and_call(question: bytes) -> tuple[int, bytes]:
    """Of a question: which thing is called, and the call."""
    rest = question[MARK:]
    return int.from_bytes(rest[:8], "little"), rest[8:]


def answer(outlet: int, question: bytes, content: bytes, end: float) -> None:
    """Answers a question; raises TimeoutError where nobody listens until `end`."""
    os.set_blocking(outlet, False)
    rest = memoryview(ANSWER.pack(question[:MARK], len(content)) + content)
    with suppress(BrokenPipeError):  # whoever asked is gone
        while rest:
            wait = end - time.monotonic()
            if wait <= 0:
                raise TimeoutError
            if select.select([], [outlet], [], wait)[1]:
                rest = rest[os.write(outlet, rest) :]
