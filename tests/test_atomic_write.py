"""Files are whole or not there, whoever fails, is killed or writes at the same time."""

import contextlib
import errno
import fcntl
import os
import resource
import signal
import stat
import subprocess
import sys
import threading

import pytest

from tt_utils.atomic_write import disk_reason, only_writer, write_atomically

NAME, CRUMB, LOCK = "a.json", "a.json.tmp", "a.json.lock"
OLD, NEW = b"old" * 101, b"new" * 70_001


@pytest.fixture
def path(tmp_path):
    """A file with content, alone in its folder."""
    (tmp_path / NAME).write_bytes(OLD)
    return tmp_path / NAME


def names(path):
    return sorted(os.listdir(path.parent))


def assert_untouched(path):
    assert names(path) == [NAME]
    assert path.read_bytes() == OLD


def fail_with(error):
    def fail(*_, **__):
        raise error

    return fail


# What is written is there


@pytest.mark.parametrize("content", [NEW, b"short", b""], ids=len)
def test_the_content_replaces_what_was_there(path, content):
    write_atomically(path, content)
    assert path.read_bytes() == content
    assert names(path) == [NAME]


def test_missing_folders_are_made(tmp_path):
    path = tmp_path / "new" / "run" / NAME
    write_atomically(path, NEW)
    assert path.read_bytes() == NEW
    assert names(path) == [NAME]


@pytest.mark.parametrize("content", [NEW, b"short"], ids=len)
def test_all_is_on_the_disk_before_the_move_and_the_name_after_it(
    path, monkeypatch, content
):
    steps = []
    fsync, replace = os.fsync, os.replace

    def note_fsync(handle):
        found = os.fstat(handle)
        is_folder = stat.S_ISDIR(found.st_mode)
        steps.append("folder" if is_folder else f"{found.st_size} bytes")
        fsync(handle)

    def note_replace(source, target):
        steps.append("move")
        replace(source, target)

    monkeypatch.setattr(os, "fsync", note_fsync)
    monkeypatch.setattr(os, "replace", note_replace)
    write_atomically(path, content)
    assert steps == [f"{len(content)} bytes", "move", "folder"]


def test_a_disk_that_cannot_sync_folders_is_good_enough(path, monkeypatch):
    fsync = os.fsync

    def refuse_folders(handle):
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        fsync(handle)

    monkeypatch.setattr(os, "fsync", refuse_folders)
    write_atomically(path, NEW)
    assert path.read_bytes() == NEW


# Failures


def test_a_full_disk_leaves_the_file_before_and_no_crumbs(path):
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(NEW) // 2, limits[1]))
    try:
        with pytest.raises(OSError, match="File too large") as caught:
            write_atomically(path, NEW)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert disk_reason(caught.value) == "the disk is full"
    assert_untouched(path)


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize(
    "error", [OSError(errno.EIO, "broken"), KeyboardInterrupt()], ids=["disk", "Ctrl-C"]
)
def test_a_failure_at_any_step_leaves_the_file_before_and_no_crumbs(
    path, monkeypatch, step, error
):
    monkeypatch.setattr(os, step, fail_with(error))
    with pytest.raises(type(error)):
        write_atomically(path, NEW)
    monkeypatch.undo()
    assert_untouched(path)
    write_atomically(path, NEW)
    assert path.read_bytes() == NEW


@contextlib.contextmanager
def without_rights(folder):
    """Read only, also for the superuser, who is somebody else for a while."""
    me = os.geteuid()
    folder.chmod(0o555)
    if me == 0:
        os.seteuid(65_534)
    try:
        yield
    finally:
        if me == 0:
            os.seteuid(me)
        folder.chmod(0o755)


def test_missing_rights_are_said_and_change_nothing(path):
    with without_rights(path.parent), pytest.raises(PermissionError) as caught:
        write_atomically(path, NEW)
    assert disk_reason(caught.value) == "Permission denied"
    assert_untouched(path)


def test_a_folder_in_the_place_of_the_file_stays(tmp_path):
    (tmp_path / NAME).mkdir()
    with pytest.raises(IsADirectoryError):
        write_atomically(tmp_path / NAME, NEW)
    assert os.listdir(tmp_path) == [NAME]


# kill -9

WRITE = """
import os, signal, sys
from pathlib import Path
from tt_utils.atomic_write import write_atomically

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

path, step = sys.argv[1:]
setattr(os, step, die)
write_atomically(Path(path), b"half" * 90_001)
"""


def elsewhere(code, *words):
    command = [sys.executable, "-c", code, *map(str, words)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_killed_process_leaves_one_crumb_that_the_next_write_takes_over(path, step):
    for _ in range(2):
        with elsewhere(WRITE, path, step) as process:
            _, said = process.communicate(timeout=60)
        assert process.returncode == -signal.SIGKILL, said
        assert names(path) == [NAME, LOCK, CRUMB]
        assert path.read_bytes() == OLD
    assert path.with_name(CRUMB).stat().st_size > len(NEW), "it must not shine through"
    write_atomically(path, NEW)
    assert path.read_bytes() == NEW
    assert names(path) == [NAME]


# Several writers

WRITE_OFTEN = """
import sys
from pathlib import Path
from tt_utils.atomic_write import write_atomically

path, letter, size = sys.argv[1:]
for _ in range(150):
    write_atomically(Path(path), letter.encode() * int(size))
"""
SIZES = {"a": 300_007, "b": 500_009, "c": 100_003}


def test_writers_at_the_same_time_never_mix_nor_fail(path):
    whole = {letter.encode() * size for letter, size in SIZES.items()}
    processes = [elsewhere(WRITE_OFTEN, path, *item) for item in SIZES.items()]
    seen = set()
    while any(process.poll() is None for process in processes):
        seen.add(path.read_bytes())
    for process in processes:
        _, said = process.communicate()
        assert process.returncode == 0, said
    seen.add(path.read_bytes())
    assert seen <= whole | {OLD}
    assert len(seen) > 2, "the writers should take turns"
    assert names(path) == [NAME]


def in_a_thread(path):
    thread = threading.Thread(target=write_atomically, args=(path, NEW), daemon=True)
    thread.start()
    return thread


def test_a_writer_waits_for_the_one_before_and_leaves_nothing(path):
    with only_writer(path):
        threads = [in_a_thread(path), in_a_thread(path)]
        threads[0].join(0.2)
        assert all(thread.is_alive() for thread in threads)
        assert path.read_bytes() == OLD
        assert names(path) == [NAME, LOCK]
    for thread in threads:
        thread.join(60)
    assert path.read_bytes() == NEW
    assert names(path) == [NAME]


def test_two_paths_in_one_folder_do_not_wait_for_each_other(path):
    with only_writer(path.with_name("b.json")):
        thread = in_a_thread(path)
        thread.join(60)
        assert path.read_bytes() == NEW


def test_a_disk_that_cannot_lock_is_good_enough(path, monkeypatch):
    refusal = OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))
    monkeypatch.setattr(fcntl, "flock", fail_with(refusal))
    write_atomically(path, NEW)
    assert path.read_bytes() == NEW
    assert names(path) == [NAME, LOCK]


# Words


@pytest.mark.parametrize("code", ["ENOSPC", "EDQUOT", "EFBIG"])
def test_every_kind_of_full_disk_is_called_full(code):
    error = OSError(getattr(errno, code), "whatever the system says")
    assert disk_reason(error) == "the disk is full"
    assert disk_reason(error, 1_234_567) == "the disk is full (1,234,567 bytes needed)"


def test_other_reasons_are_the_systems_words_else_the_errors_own():
    assert disk_reason(OSError(errno.EIO, "Input/output error"), 7) == (
        "Input/output error"
    )
    assert disk_reason(OSError("no number at all")) == "no number at all"
