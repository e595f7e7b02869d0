"""What goes to a student's side, in a thread: whoever doesn't read holds up nobody."""

import queue
import threading
from contextlib import suppress
from typing import Any


class Feed:
    """Writes into a pipe what is put here, in turn. `waiting` bytes aren't written."""

    def __init__(self, pipe: Any) -> None:
        self.pipe, self.waiting = pipe, 0
        self.parts: queue.SimpleQueue = queue.SimpleQueue()
        self.lock = threading.Lock()
        self.thread = threading.Thread(target=self._write, daemon=True)
        self.thread.start()

    def put(self, content: bytes) -> None:
        with self.lock:
            self.waiting += len(content)
        self.parts.put(content)

    def end(self) -> None:
        """Comes back once the thread has ended; the pipe's other end must be gone."""
        self.parts.put(None)
        self.thread.join()

    def _write(self) -> None:
        with suppress(OSError, ValueError):  # it has ended without reading on
            while (content := self.parts.get()) is not None:
                view = memoryview(content)
                while view:
                    view = view[self.pipe.write(view) :]
                with self.lock:
                    self.waiting -= len(content)
