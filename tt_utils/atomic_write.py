"""Files that are whole or not there, and the disk's refusals in plain words."""

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
WINDOWS = os.name == "nt"


def write_atomically(path: Path, content: bytes) -> None:
    """Put `content` in the place of the file at `path`, in one move.

    It is first written to a temporary file in the same folder, since a move from
    one disk to another is not a single step. After an OSError, what was there
    before is still there, and nothing lies beside it. Without one, the content is
    safe from a power cut, and so is its name where the disk can promise that.

    The temporary file is named after the target, with `.tmp`, the lock with `.lock`.
    So a `kill -9` leaves one of each at most, and the next write takes them over; a
    file with the number of the process in its name would lie there for good. Processes
    that write to the same path take turns.

    Raises:
        OSError: `disk_reason` says in words why.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with only_writer(path):
        replace(path, content)


def replace(path: Path, content: bytes) -> None:
    """`write_atomically` for who already is the only writer to the path."""
    temporary = path.with_name(f"{path.name}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    sync_folder(path.parent)


@contextlib.contextmanager
def only_writer(path: Path, seconds: float = -1) -> Iterator[None]:
    """Wait until no other process writes to `path`; without end unless told.

    The system frees the lock even of a killed process. Where a disk can't lock, as
    some in a network, nobody waits.

    Raises:
        TimeoutError: another process has had the lock for all these seconds.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(path.with_name(f"{path.name}.lock"), poll_interval=0.01)
    try:
        lock.acquire(timeout=seconds)
    except Timeout:
        raise TimeoutError(f"another process keeps {path} locked") from None
    except OSError:
        pass
    try:
        yield
    finally:
        if lock.is_locked:
            # Unlinked while it is held: who waits for it notices, and makes a new one.
            with contextlib.suppress(OSError):
                os.unlink(lock.lock_file)
            lock.release()


def sync_folder(folder: Path) -> None:
    """Make a new name last through a power cut, as far as the disk can do that."""
    if WINDOWS:
        return
    # Some network disks refuse. The file is in its place, and whole, all the same.
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def disk_reason(error: OSError, needed: int | None = None) -> str:
    """Say why the disk refused, and how many bytes it `needed` to have room for."""
    if error.errno in DISK_FULL:
        return "the disk is full" + (f" ({needed:,} bytes needed)" if needed else "")
    return error.strerror or str(error)
