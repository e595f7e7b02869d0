"""bootstrap.py says in one sentence what a machine lacks."""

import ast
import sys
from pathlib import Path

import bootstrap
import pytest


@pytest.fixture
def empty(tmp_path, monkeypatch):
    """A checkout without .venv."""
    for name in bootstrap.SOURCES:
        (tmp_path / name).write_text("")
    monkeypatch.setattr(bootstrap, "ROOT", str(tmp_path))
    monkeypatch.setattr(bootstrap, "VENV", str(tmp_path / ".venv"))
    monkeypatch.setattr(bootstrap, "STAMP", str(tmp_path / ".venv" / "stamp"))
    return tmp_path


def script(path: Path, body: str) -> str:
    path.write_text("#!/bin/sh\n" + body)
    path.chmod(0o755)
    return str(path)


def test_an_old_python_can_read_it():
    source = Path(bootstrap.__file__).read_text()
    ast.parse(source, feature_version=(3, 6))


def test_an_old_python_looks_for_a_new_one(monkeypatch, tmp_path):
    python = script(tmp_path / "python3.12", "echo 3 12")
    monkeypatch.setattr(sys, "version_info", (3, 8, 1))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert bootstrap.find_python() == python


def test_without_a_new_python_the_way_out_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "version_info", (3, 8, 1))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        SystemExit, match=r"Python 3.11 or newer is needed.* 3.8; install"
    ):
        bootstrap.find_python()


def test_a_python_without_venv_is_named(empty):
    python = script(
        empty / "python", 'case "$2" in *ensurepip*) exit 1;; esac; echo 3 12'
    )
    with pytest.raises(
        SystemExit, match=r"no venv module.*apt install python3.12-venv"
    ):
        bootstrap.make_venv(python)
    assert not (empty / ".venv").exists()


def test_a_full_disk_is_named_before_anything_is_made(empty, monkeypatch):
    monkeypatch.setattr(bootstrap, "NEEDED_BYTES", 10**18)
    with pytest.raises(SystemExit, match="about 3 GB of disk are needed"):
        bootstrap.main()
    assert not (empty / ".venv").exists()


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("OSError: [Errno 28] No space left on device", "the disk is full"),
        ("(from versions: none) ... No matching distribution found", "cannot reach"),
        ("ERROR: No matching distribution found for a==9", "lacks a version"),
        ("error: subprocess-exited-with-error", "its message is above"),
    ],
)
def test_a_failed_pip_is_explained(said, sentence):
    assert sentence in bootstrap.explain(said)


def test_a_change_of_requirements_is_noticed(empty):
    python = Path(bootstrap.venv_python())
    python.parent.mkdir(parents=True)
    python.touch()
    assert not bootstrap.is_current()
    Path(bootstrap.STAMP).write_text(bootstrap.wanted_stamp())
    assert bootstrap.is_current()
    (empty / "requirements.txt").write_text("numpy")
    assert not bootstrap.is_current()
