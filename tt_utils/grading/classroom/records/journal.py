"""The records of a run, each on the disk before the next one counts.

One line of JSON a record, written at once and forced to the disk. A run that was killed
leaves a last line that is cut off at most; it is dropped, and its submission graded
again. Of two lines about the same submission the later one counts.
"""

import errno
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from tt_utils.atomic_write import sync_folder
from tt_utils.grading.classroom.records.record import Record

NAME = "journal.jsonl"


class Busy(RuntimeError):
    """Another run writes to the same journal."""


class Journal:
    """Open by `opened`; `done` are the records that still hold."""

    def __init__(self, path: Path, graded_with: str) -> None:
        self.path, self.graded_with = path, graded_with
        whole = self._whole_lines()
        self.done = {
            key_of(record.submission, record.student): record
            for record in self._read(whole)
        }
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.ftruncate(self._file, len(whole))

    def _whole_lines(self) -> bytes:
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            return b""
        return content[: content.rfind(b"\n") + 1]

    def _read(self, content: bytes) -> Iterator[Record]:
        """Records that were made with the same tasks and the same limits."""
        for line in content.splitlines():
            try:
                entry = json.loads(line)
                if entry["graded_with"] == self.graded_with:
                    yield Record.from_json(entry["record"])
            except (ValueError, KeyError, TypeError, AttributeError):
                continue  # not a line of ours; what it was about is graded again

    def add(self, record: Record) -> None:
        entry: dict[str, Any] = {
            "graded_with": self.graded_with,
            "record": record.to_json(),
        }
        line = json.dumps(entry).encode("ascii") + b"\n"
        start = os.fstat(self._file).st_size
        if os.write(self._file, line) != len(line):
            os.ftruncate(self._file, start)
            raise OSError(errno.ENOSPC, "the disk is full")
        os.fsync(self._file)
        self.done[key_of(record.submission, record.student)] = record

    def holds(self, path: str, student: str, sha256: str) -> bool:
        """Is there a record of this very content?"""
        record = self.done.get(key_of(path, student))
        return record is not None and record.sha256 == sha256 != ""

    def close(self) -> None:
        os.close(self._file)


def key_of(path: str, student: str) -> str:
    return path or f"\0{student}"


@contextmanager
def opened(folder: Path, graded_with: str) -> Iterator[Journal]:
    """The journal in a folder, for this run alone. Raises Busy and OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / f"{NAME}.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise Busy(
            f"Another run is writing to {folder}; wait for it, or give another --out."
        ) from None
    try:
        journal = Journal(folder / NAME, graded_with)
        sync_folder(folder)
        try:
            yield journal
        finally:
            journal.close()
    finally:
        lock.release()
