"""Fetch a file so that it arrives whole, or say in one sentence why it did not."""

import contextlib
import hashlib
import http.client
import os
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from tqdm import tqdm

from tt_utils.atomic_write import DISK_FULL, disk_reason, take_turn

ATTEMPTS = 5
PAUSE = 0.5  # seconds before the second attempt; doubles with each further one
STALL = 30.0  # seconds without a single byte
BLOCK = 1 << 16

BY_HAND = "fetch the file another way and name its folder in TT_DATA"


class DataError(OSError):
    """Data could not be had; the message is one sentence that holds the way out."""


class Interrupted(Exception):
    """The network failed in a way that the next attempt may not meet again."""


@dataclass(frozen=True)
class RemoteFile:
    """Where a file is, and how to know that what arrived is it; size in bytes."""

    url: str
    size: int
    sha256: str

    def equals(self, path: Path) -> bool:
        """Say whether this very file lies at `path`."""
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == self.sha256


def cache_folder() -> Path:
    """Name the folder for what can be fetched again: TT_CACHE, or the system's own."""
    if given := os.environ.get("TT_CACHE"):
        return Path(given).expanduser()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", ""))
        if not base.is_absolute():  # the standard says to ignore it then
            base = Path.home() / ".cache"
    return base / "transformer-textbook"


def fetch(remote: RemoteFile, path: Path) -> None:
    """Make sure that `path` holds the remote file; fetch it only where it does not.

    What arrived before a cut is kept beside it and continued, also by a later call.
    `path` itself appears whole or not at all. Processes take turns.

    Raises:
        DataError: the network, the server or the disk failed; the message says how.
    """
    try:
        if remote.equals(path):
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        with only_one_process(path.parent / ".lock"):
            if not remote.equals(path):
                fetch_alone(remote, path)
    except DataError:
        raise
    except OSError as error:
        raise DataError(disk_sentence(error, path.parent)) from error


def fetch_alone(remote: RemoteFile, path: Path) -> None:
    """Try until the file is whole, with longer and longer pauses, a few times."""
    part = path.with_name(path.name + ".part")
    reason = ""
    for attempt in range(ATTEMPTS):
        if attempt:
            time.sleep(PAUSE * 2 ** (attempt - 1))
        try:
            receive(remote, part)
        except Interrupted as error:
            reason = str(error)
            continue
        except OSError as error:
            if error.errno in DISK_FULL:
                part.unlink()
            raise
        if remote.equals(part):
            os.replace(part, path)
            return
        part.unlink()
        reason = "what arrived is not the file that was asked for (wrong SHA-256)"
    raise DataError(
        f"{remote.url}: {reason}, at the last of {ATTEMPTS} attempts; check the "
        f"connection and run this again to go on from there, or {BY_HAND}."
    )


def receive(remote: RemoteFile, part: Path) -> None:
    """Add to `part` what is missing, or write it anew where that is impossible.

    Raises:
        Interrupted: the connection broke, stalled or ended early.
    """
    have = part.stat().st_size if part.exists() else 0
    if have >= remote.size:
        return  # the checksum decides
    headers = {"User-Agent": "transformer-textbook"}
    if have:
        headers["Range"] = f"bytes={have}-"
    with connect(urllib.request.Request(remote.url, headers=headers)) as response:
        if response.status != http.HTTPStatus.PARTIAL_CONTENT:
            have = 0  # this server sends whole files only
        with (
            part.open("ab" if have else "wb") as file,
            tqdm(
                desc=part.stem,
                initial=have,
                total=remote.size,
                unit="B",
                unit_scale=True,
            ) as progress,
        ):
            while have <= remote.size and (block := next_block(response)):
                file.write(block)
                have += len(block)
                progress.update(len(block))
            file.flush()
            os.fsync(file.fileno())
    if have < remote.size:
        raise Interrupted(f"only {have:,} of {remote.size:,} bytes arrived")


def connect(request: urllib.request.Request) -> http.client.HTTPResponse:
    """Ask the server, and sort refusals into final ones and passing ones."""
    try:
        return urllib.request.urlopen(request, timeout=STALL)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code >= 500 or error.code in (408, 429):
            raise Interrupted(f"the server answered HTTP {error.code}") from error
        raise DataError(
            f"{request.full_url}: the server answered HTTP {error.code} "
            f"({error.reason}); update transformer-textbook, or {BY_HAND}."
        ) from error
    except TimeoutError as error:
        raise Interrupted(f"no answer within {STALL:g} seconds") from error
    except (OSError, http.client.HTTPException) as error:
        host = urlsplit(request.full_url).netloc
        why = getattr(error, "reason", None) or error
        raise Interrupted(f"no connection to {host} ({why})") from error


def next_block(response: http.client.HTTPResponse) -> bytes:
    """Read what has arrived; nothing at the end."""
    try:
        return response.read1(BLOCK)
    except TimeoutError as error:
        raise Interrupted(f"nothing arrived for {STALL:g} seconds") from error
    except (OSError, http.client.HTTPException) as error:
        raise Interrupted(f"the connection broke ({error})") from error


@contextlib.contextmanager
def only_one_process(lock: Path) -> Iterator[None]:
    """Wait for the others; the system frees the lock even of a killed process."""
    with lock.open("ab") as file:
        # Some network disks cannot lock; the checksum still guards the result there.
        take_turn(file)
        yield


def disk_sentence(error: OSError, folder: Path) -> str:
    """Say what the disk refused, and what helps."""
    reason = disk_reason(error)
    if error.errno in DISK_FULL:
        return (
            f"{folder}: {reason}; free some space, or set TT_CACHE to a folder on "
            "another disk."
        )
    return (
        f"{folder}: cannot be used as a cache ({reason}); set TT_CACHE to a folder "
        "that you may write to."
    )
