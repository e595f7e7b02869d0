"""Gradescope's container: its files in, results.json in its form out."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbfiles
import pytest

from tt_utils.grading.classroom import gradescope
from tt_utils.grading.classroom.records.record import Record, TaskRecord
from tt_utils.grading.classroom.sandbox import choose
from tt_utils.grading.classroom.sandbox.bubblewrap import packages

RIGHT = 'check("01.1", 56, 56 / 65)'
RECIPE = nbfiles.ROOT / "tools" / "gradescope"


@pytest.fixture
def autograder(tmp_path, notebook):
    """The folder as Gradescope makes it, with one submission."""
    for name in ("submission", "results", "source"):
        (tmp_path / "autograder" / name).mkdir(parents=True)
    content = notebook(RIGHT, 'check("01.3", "the", "?", "?")')
    (tmp_path / "autograder" / "submission" / "hw.ipynb").write_bytes(content)
    return tmp_path / "autograder"


def results_of(autograder):
    return json.loads((autograder / "results" / "results.json").read_text())


def check_results(found):
    assert found["stdout_visibility"] == "hidden"
    assert [test["number"] for test in found["tests"]] == [
        "01.1", "01.2", "01.3", "01.4"
    ]  # fmt: skip
    first, second, *_ = found["tests"]
    assert (first["score"], first["max_score"], first["status"]) == (2, 2, "passed")
    assert (second["score"], second["status"]) == (0, "failed")
    assert found["score"] == sum(test["score"] for test in found["tests"])
    assert all(test["output"] for test in found["tests"])


def test_one_submission(autograder, settings, monkeypatch):
    monkeypatch.setattr(
        sys, "argv", ["x", "--chapter", "1", "--folder", str(autograder)]
    )
    assert gradescope.main() == 0
    check_results(results_of(autograder))


def test_what_a_student_reads_there_names_nothing_of_a_notebook():
    shown = gradescope.as_text(
        TaskRecord("not yet", 1, 2, evidence=(("Inputs, also in .inputs", "x = 1"),))
    )
    assert "Inputs:\nx = 1" in shown


def test_no_notebook(autograder, settings):
    (autograder / "submission" / "hw.ipynb").unlink()
    records = gradescope.graded(autograder / "submission", "01", "")
    found = gradescope.results(records)
    assert found["score"] == 0
    assert "ends in .ipynb" in found["output"]


def test_of_several_notebooks_the_best_counts():
    def record(points):
        return Record("x", tasks={"01.1": TaskRecord("not yet", points, 2)})

    found = gradescope.results([record(1), record(2), record(0)])
    assert found["score"] == 2
    assert len(found["tests"]) == 1


def test_without_a_sandbox_nobody_gets_0(autograder, monkeypatch, capsys):
    monkeypatch.setattr(choose, "why_not", lambda kind, _: "it is not there")
    monkeypatch.setattr(
        sys, "argv", ["x", "--chapter", "01", "--folder", str(autograder)]
    )
    assert gradescope.main() == 1
    assert "Nothing is graded" in capsys.readouterr().err
    assert not (autograder / "results" / "results.json").exists()


def test_the_recipe_calls_what_is_there():
    text = (RECIPE / "run_autograder").read_text()
    assert f"-m {gradescope.__name__}" in text
    for name in ("setup.sh", "run_autograder"):
        assert os.access(RECIPE / name, os.X_OK)
        subprocess.run(["bash", "-n", RECIPE / name], check=True)


SYSTEM = Path("/usr/bin/python3")
SPY = """
import glob, os, socket
found = []
for place in {places!r}:
    try:
        found += os.listdir(place)
    except OSError:
        pass
for place in {writable!r}:
    try:
        open(place + "/x", "w").write("x")
        found.append(place)
    except OSError:
        pass
for pid in filter(str.isdigit, os.listdir("/proc")):
    try:
        open(f"/proc/{{pid}}/mem", "rb")
        if int(pid) != os.getpid():
            found.append(pid)
    except OSError:
        pass
assert not found, found
assert os.getuid() > 1_000_000, os.getuid()
"""


def like_a_container(*places):
    """A root with the system, the packages and `places`; nothing else of a machine."""
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        pytest.skip("needs bubblewrap: apt install bubblewrap")
    system = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc"]
    command = [bwrap, "--cap-add", "ALL", "--unshare-pid", "--proc", "/proc"]
    command += ["--dev", "/dev", "--perms", "1777", "--tmpfs", "/tmp"]
    above = {up for place in (*packages(), *places) for up in Path(place).parents}
    for folder in sorted(above - {Path("/"), Path("/tmp")}):
        command += ["--perms", "0755", "--dir", folder]
    for place in (*system, *packages()):
        command += ["--ro-bind-try", place, place]
    for place in places:
        command += ["--bind", place, place]
    return command


def test_another_user_in_a_container(autograder, tmp_path, notebook):
    """Where bubblewrap may not work, with the system's Python, as in a container."""
    if os.geteuid() != 0:
        pytest.skip("needs root: as in a container")
    version = [SYSTEM, "-c", "import sys; print(sys.version_info[:2])"]
    if not SYSTEM.exists() or subprocess.run(
        version, capture_output=True, text=True
    ).stdout.strip() != str(tuple(sys.version_info[:2])):
        pytest.skip(f"needs the system's Python: this version as {SYSTEM}, open to all")
    private = tmp_path / "private"
    shutil.copytree(
        nbfiles.ROOT / "tt_utils", private / "tt_utils",
        ignore=shutil.ignore_patterns("__pycache__", "static"),
    )  # fmt: skip
    for folder in (tmp_path, *tmp_path.parents):
        if str(folder) != "/tmp" and folder.is_relative_to("/tmp"):
            folder.chmod(0o755)
    (private / "tt_utils").chmod(0o700)
    (autograder / "results").chmod(0o700)
    places = [str(private / "tt_utils"), str(autograder / "results")]
    spy = SPY.format(places=places, writable=[*places, str(autograder / "submission")])
    orphan = "import subprocess\nsubprocess.Popen(['setsid', 'sleep', '77'])"
    content = notebook(spy, orphan, RIGHT)
    (autograder / "submission" / "hw.ipynb").write_bytes(content)
    command = [SYSTEM, "-m", "tt_utils.grading.classroom.gradescope"]
    command += ["--chapter", "01", "--folder", autograder]
    environment = {
        "PATH": "/nowhere",  # no bubblewrap
        "PYTHONPATH": os.pathsep.join([str(private), *packages()]),
    }
    done = subprocess.run(
        [*like_a_container(tmp_path), *command],
        env=environment, cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = results_of(autograder)
    check_results(found)
    assert "Cell" not in found["output"]
