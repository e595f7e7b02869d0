"""What `make` does before any of our own code can run, tried with a Python of straw."""

import os
import shutil
import subprocess

import nbfiles
import pytest

# It can import whatever it is asked for, makes a .venv of itself, installs nothing.
PYTHON = """\
#!/bin/sh
echo "$@" >>asked.txt
case "$1 $2" in "-m venv") mkdir -p .venv/bin && cp "$0" .venv/bin/python;; esac
"""
OLD = PYTHON + 'case "$2" in *"version_info >= (3, 11)"*) exit 1;; esac\n'


@pytest.fixture
def folder(tmp_path):
    """A checkout without .venv, on a machine with one Python."""
    shutil.copy(nbfiles.ROOT / "Makefile", tmp_path)
    for name in ("requirements.txt", "pyproject.toml"):
        (tmp_path / name).touch()
    for name in ("notebooks", "solutions", "exercises", "machine"):
        (tmp_path / name).mkdir()
    for name in ("mkdir", "rmdir", "rm", "cp", "touch", "grep", "sh"):
        (tmp_path / "machine" / name).symlink_to(shutil.which(name))
    install(tmp_path, PYTHON)
    return tmp_path


def install(folder, script, name="python3"):
    path = folder / "machine" / name
    path.write_text(script)
    path.chmod(0o755)


def make(folder, target):
    """Its exit status and all that it says."""
    run = subprocess.run(
        [shutil.which("make"), target],
        cwd=folder,
        env={"PATH": str(folder / "machine")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return run.returncode, run.stdout


def test_the_environment_is_made_once_and_again_when_a_requirement_changes(folder):
    assert make(folder, "venv")[0] == 0
    asked = (folder / "asked.txt").read_text()
    assert asked.count("-m venv .venv") == 1
    assert "-r requirements.txt" in asked
    assert "Nothing to be done" in make(folder, "venv")[1]
    (folder / "asked.txt").unlink()
    stamp = (folder / ".venv" / "stamp").stat().st_mtime
    os.utime(folder / "requirements.txt", (stamp + 9, stamp + 9))
    assert "installing requirements.txt" in make(folder, "venv")[1]
    asked = (folder / "asked.txt").read_text()
    assert "-m venv" not in asked
    assert "-r requirements.txt" in asked


def test_an_old_python_leaves_the_work_to_a_new_one(folder):
    install(folder, OLD)
    install(folder, PYTHON, "python3.12")
    assert make(folder, "venv")[0] == 0


@pytest.mark.parametrize("script", [OLD, None], ids=["old", "missing"])
def test_without_a_new_python_the_way_out_is_named(folder, script):
    (folder / "machine" / "python3").unlink()
    if script:
        install(folder, script)
    code, said = make(folder, "venv")
    assert code
    assert "Python 3.11 or newer with its venv module is needed; install it" in said
    assert not (folder / ".venv.lock").exists()


def test_a_second_make_leaves_the_first_one_alone(folder):
    (folder / ".venv.lock").mkdir()
    code, said = make(folder, "venv")
    assert code
    assert "another make fills .venv" in said
    assert (folder / ".venv.lock").exists()
    assert not (folder / "asked.txt").exists()


def test_a_failed_installation_is_tried_again(folder):
    install(folder, PYTHON + 'case "$*" in *install*) exit 1;; esac\n')
    assert make(folder, "venv")[0]
    assert not (folder / ".venv" / "stamp").exists()
    assert make(folder, "venv")[0]


@pytest.mark.parametrize(
    "line",
    [
        "\"open('/home/ann/book')\"",
        '"/tmp/x.npz\\n"',
        '"at /root/a"',
        r'"File\n/Users/ann/a"',
        r'"C:\\Users"',
    ],
)
def test_a_path_of_one_machine_is_named_with_its_line(folder, line):
    (folder / "solutions" / "01.ipynb").write_text("{\n" + line)
    code, said = make(folder, "paths")
    assert code
    assert "solutions/01.ipynb:2:" in said
    assert "write relative ones" in said


def test_what_only_looks_like_one_passes(folder):
    text = "`/tmp` https://example.org/home/ann ../work/a ~/tmp/b x/root/c"
    (folder / "solutions" / "01.ipynb").write_text(text)
    assert make(folder, "paths")[0] == 0
