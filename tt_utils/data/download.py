"""Fetch a file so that it arrives whole, or say in one sentence why it did not."""

import hashlib
import os
from pathlib import Path
from urllib.parse import urlsplit

import platformdirs

from tt_utils.atomic_write import DISK_FULL, disk_reason

ATTEMPTS = 4
STALL = 30.0  # seconds without a single byte

BY_HAND = "fetch the file another way and name its folder in TT_DATA"


class DataError(OSError):
    """Data could not be had; the message is one sentence that holds the way out."""


def cache_folder() -> Path:
    """Name the folder for what can be fetched again: TT_CACHE, or the system's own."""
    if given := os.environ.get("TT_CACHE"):
        return Path(given).expanduser()
    return platformdirs.user_cache_path("transformer-textbook", appauthor=False)


def locate(path: str, url: str, sha256: str) -> Path:
    """Give where a whole and unchanged file lies; fetch it where it is missing.

    Where the environment variable TT_DATA names a folder, it is `path` there and
    nothing is fetched; otherwise it is in the cache.

    Raises:
        DataError: the file could not be had; the message says why and what helps.
    """
    if not (given := os.environ.get("TT_DATA")):
        cached = cache_folder() / path
        fetch(url, sha256, cached)
        return cached
    found = Path(given).expanduser() / path
    try:
        whole = is_whole(found, sha256)
    except OSError as error:
        raise DataError(
            f"{found}: cannot be read ({error.strerror}); give yourself the right to, "
            "or unset TT_DATA to fetch the file."
        ) from error
    if not whole:
        trouble = (
            "is not the expected file (wrong SHA-256)"
            if found.exists()
            else "is missing"
        )
        raise DataError(
            f"{found} {trouble}, and TT_DATA says to look there; put {url} in "
            "its place, or unset TT_DATA to fetch it."
        )
    return found


def is_whole(path: Path, sha256: str) -> bool:
    """Say whether the file with this checksum lies at `path`."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == sha256


def fetch(url: str, sha256: str, path: Path) -> None:
    """Make sure that `path` holds the file; fetch it only where it does not.

    `path` appears whole or not at all. Processes take turns.

    Raises:
        DataError: the network, the server or the disk failed; the message says how.
    """
    try:
        if not is_whole(path, sha256):
            fetch_in_turn(url, sha256, path)
    except OSError as error:
        raise DataError(disk_sentence(error, path.parent)) from error
    except FetchError as error:
        raise DataError(f"{url}: {error}, or {BY_HAND}.") from error


class FetchError(Exception):
    """The network or the server failed; the message says how, and what may help."""


def fetch_in_turn(url: str, sha256: str, path: Path) -> None:
    """Let one process at a time fetch into a folder; tell its troubles apart."""
    from filelock import FileLock
    from requests import HTTPError, RequestException, Timeout

    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(path.parent / ".lock"):
            for crumb in path.parent.glob("tmp*"):  # of a process that was killed
                crumb.unlink()
            fetch_with_pooch(url, sha256, path)
    except HTTPError as error:
        response = error.response
        assert response is not None  # else it were another RequestException
        answer = f"HTTP {response.status_code} ({response.reason})"
        raise FetchError(
            f"the server answered {answer}; try again later, update "
            "transformer-textbook"
        ) from error
    except Timeout as error:
        raise FetchError(
            f"no answer within {STALL:g} seconds; check the network"
        ) from error
    except RequestException as error:
        host = urlsplit(url).netloc
        raise FetchError(
            f"no connection to {host}, or it broke; check the network"
        ) from error
    except ValueError as error:
        raise FetchError(
            "what arrived is not the file that was asked for (wrong SHA-256); update "
            "transformer-textbook"
        ) from error


def fetch_with_pooch(url: str, sha256: str, path: Path) -> None:
    """Download, check and move the file to its place, with a bar and some patience."""
    import pooch
    from tqdm import tqdm

    pooch.get_logger().setLevel("WARNING")  # the bar says the rest
    files = pooch.create(
        path.parent,
        base_url="",
        registry={path.name: f"sha256:{sha256}"},
        urls={path.name: url},
        retry_if_failed=ATTEMPTS - 1,
    )
    # pooch learns the true total from the server.
    with tqdm(desc=path.name, total=1, unit="B", unit_scale=True) as progress:
        downloader = pooch.HTTPDownloader(
            progressbar=progress,
            timeout=STALL,
            headers={"User-Agent": "transformer-textbook"},
        )
        files.fetch(path.name, downloader=downloader)


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
