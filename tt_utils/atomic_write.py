"""Files that are whole or not there, and the disk's refusals in plain words."""

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
WINDOWS = os.name == "nt"


def write_atomically(path: Path, content: bytes, make_folder: bool = True) -> None:
    """Put `content` in the place of the file at `path`, in one move.

    It is first written to a temporary file in the same folder, since a move from
    one disk to another is not a single step. After an OSError, what was there
    before is still there, and nothing lies beside it. Without one, the content is
    safe from a power cut, and so is its name where the disk can promise that.

    The temporary file is named after the target, with `.tmp`. So a `kill -9` leaves
    one such file at most, and the next write takes it over; one with the number of
    the process in its name would lie there for good. A lock on that file keeps
    processes that write to the same path apart: each waits for its turn.

    Raises:
        OSError: `disk_reason` says in words why.
    """
    if make_folder:
        path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.tmp")
    with held(temporary) as file:
        try:
            file.truncate(0)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            let_go_on_windows(file)
            temporary.replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                let_go_on_windows(file)
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise
    sync_folder(path.parent)


@contextlib.contextmanager
def held(path: Path) -> Iterator[IO[bytes]]:
    """Open a file to append to, while no other process holds it."""
    while True:
        with path.open("ab") as file:
            take_turn(file)
            if has_name(file, path):
                yield file
                return
            # The process before us moved this one to its place: ask for a new one.


def take_turn(file: IO[bytes]) -> None:
    """Wait until no other process has locked the file; closing it frees the lock.

    The system frees it even of a killed process. Where a disk can't lock, as some
    in a network, nobody waits.
    """
    with contextlib.suppress(OSError):
        try:
            import fcntl
        except ModuleNotFoundError:  # Windows, which gives up after ten seconds
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
        else:
            fcntl.flock(file, fcntl.LOCK_EX)


def has_name(file: IO[bytes], path: Path) -> bool:
    """Say whether an open file is still the one at `path`."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def let_go_on_windows(file: IO[bytes]) -> None:
    """Close the file there: Windows neither moves nor deletes an open one."""
    if WINDOWS:
        file.close()


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
