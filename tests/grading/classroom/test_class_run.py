"""A whole class through `tt grade`: stopped, killed, resumed, and on a cluster."""

import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path

import nbfiles
import pytest
from typer.testing import CliRunner

from tt_utils.cli import app
from tt_utils.grading.classroom import grader, run, workers
from tt_utils.grading.classroom.grader import NotGraded
from tt_utils.grading.classroom.handed_in.submission import Submission
from tt_utils.grading.classroom.records.journal import NAME, opened
from tt_utils.grading.classroom.records.record import Record
from tt_utils.grading.classroom.settings import Settings
from tt_utils.grading.tasks import own_tasks

pytestmark = pytest.mark.slow
RIGHT, WRONG = 'check("01.1", 56, 56 / 65)', 'check("01.1", 56, 0.5)'
ROSTER = "id,name\nada,Ada Lovelace\nbob,Bob\n"


@pytest.fixture
def classroom(folder, notebook, settings):
    """Eight notebooks: every other one is right. With what else lies in a folder."""
    for number in range(8):
        content = notebook(WRONG if number % 2 else RIGHT)
        (folder / f"s{number}.ipynb").write_bytes(content)
    (folder / "ada").mkdir()
    (folder / "ada" / "mine.ipynb").write_bytes(notebook(RIGHT))
    (folder / "broken.ipynb").write_text("{")
    (folder / "empty.ipynb").touch()
    with (folder / "large.ipynb").open("wb") as file:
        file.truncate(50 * 2**20)
    (folder / "link.ipynb").symlink_to("/etc/passwd")
    (folder.parent / "roster.csv").write_text(ROSTER)
    return folder


def command(classroom, *more):
    start = [sys.executable, "-m", "tt_utils", "grade", str(classroom)]
    return [*start, "--out", str(classroom.parent / "report"), *map(str, more)]


def popen(classroom, *more):
    return subprocess.Popen(
        command(classroom, "--workers", 2, *more),
        env=os.environ | {"PYTHONPATH": str(nbfiles.ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=hears_ctrl_c,
    )


def hears_ctrl_c():
    """A shell lets what it runs in the background ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def finished(classroom, *more):
    process = popen(classroom, *more)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return out


def journaled(classroom):
    content = (classroom.parent / "report" / NAME).read_bytes()
    lines = content[: content.rfind(b"\n") + 1].splitlines()
    return [Record.from_json(json.loads(line)["record"]) for line in lines]


def check_journal(classroom):
    records = journaled(classroom)
    names = sorted(record.submission for record in records)
    assert names == sorted(["ada/mine.ipynb", "broken.ipynb", "empty.ipynb",
                            *(f"s{n}.ipynb" for n in range(8))])  # fmt: skip
    for record in records:
        if record.submission.startswith("s"):
            is_right = int(record.submission[1]) % 2 == 0
            assert (record.tasks["01.1"].verdict == "right") == is_right


def test_a_class(classroom):
    out = finished(classroom, "--roster", classroom.parent / "roster.csv")
    assert "9 of 14 submissions graded" in out
    for line in (
        "broken.ipynb: The file is no notebook",
        "empty.ipynb: The file is empty.",
        "large.ipynb: The file is larger than 20 MB",
        "link.ipynb: The file is a link",
        "s1.ipynb: nobody on the roster fits this name",
        "Bob: Nothing was handed in.",
    ):
        assert line in out
    check_journal(classroom)
    (ada,) = (one for one in journaled(classroom) if one.student == "ada")
    assert ada.name == "Ada Lovelace"
    # A second time nothing is run; a changed notebook is.
    started = time.monotonic()
    finished(classroom)
    assert len(journaled(classroom)) == 11
    assert time.monotonic() - started < 60
    (classroom / "s1.ipynb").write_bytes((classroom / "s0.ipynb").read_bytes())
    finished(classroom)
    *before, last = journaled(classroom)
    assert (len(before), last.submission) == (11, "s1.ipynb")
    assert last.tasks["01.1"].verdict == "right"


def test_killed_at_random_moments(classroom):
    dice = random.Random(5)
    for _ in range(3):
        process = popen(classroom)
        time.sleep(dice.uniform(2, 6))
        process.kill()
        process.communicate()
    finished(classroom)
    check_journal(classroom)
    deadline = time.monotonic() + 5
    while sandboxes(classroom):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def sandboxes(classroom):
    """Processes of a run that is gone: its workers, and what runs in bubblewrap."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parent = (path / "stat").read_text().rpartition(")")[2].split()[1]
            words = (path / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        mine = str(classroom).encode() in words
        orphan = parent == "1" and (b"bwrap" in words[0] or b"spawn_main" in words)
        found += [path] if mine or orphan else []
    return found


def test_ctrl_c_is_one_sentence_and_goes_on(classroom, notebook):
    slow = notebook("import time\ntime.sleep(4)", RIGHT)
    (classroom / "s0.ipynb").write_bytes(slow)
    process = popen(classroom)
    while not (classroom.parent / "report" / NAME).exists():
        time.sleep(0.05)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert err.strip().endswith("tt: stopped; the same command goes on where it was.")
    finished(classroom)
    check_journal(classroom)


def test_a_dry_run_runs_and_writes_nothing(folder, notebook, tmp_path, monkeypatch):
    monkeypatch.setattr(grader, "start", None)
    (folder / "ada.ipynb").write_bytes(notebook(RIGHT))
    (folder / "s1.ipynb").write_bytes(notebook('check("05.1", f)\ncheck("05.4", g)'))
    (folder / "broken.ipynb").write_text("{")
    (folder / "bob.pdf").touch()
    roster = tmp_path / "roster.csv"
    roster.write_text(ROSTER)
    line = ["grade", str(folder), "--out", str(tmp_path / "out"), "--dry-run"]
    out = CliRunner().invoke(app, [*line, "--roster", str(roster)]).stdout
    assert out.splitlines() == [
        "ada.ipynb (Ada Lovelace): 01.1",
        "broken.ipynb (nobody on the roster): The file is no notebook: it is not valid "
        "JSON.",
        "s1.ipynb (nobody on the roster): 05.1, 05.4",
        "Bob: No notebook was handed in, but bob.pdf.",
        "2 of 4 submissions would be graded",
        "tasks: 01.1, 05.1, 05.4; 23 points",
        "not taken, since no notebook: 1 × .pdf",
    ]
    out = CliRunner().invoke(app, [*line, "--chapter", "1"]).stdout
    assert (
        "ada.ipynb (ada): 01.1, 01.2, 01.3, 01.4 (no call of `check` for 01.2, "
        "01.3, 01.4)" in out
    )
    assert "s1.ipynb (s1): 01.1" in out
    assert "(not counted: 05.1, 05.4)" in out
    assert not (tmp_path / "out").exists()


def test_tasks_of_ones_own_are_told(folder, notebook, tmp_path, monkeypatch):
    monkeypatch.setattr(own_tasks, "_added", [])
    monkeypatch.setenv("TT_TASKS", str(nbfiles.ROOT / "book" / "own_tasks"))
    (folder / "ada.ipynb").write_bytes(notebook(RIGHT))
    line = ["grade", str(folder), "--out", str(tmp_path / "out"), "--dry-run"]
    assert "tasks of your own: 71.1" in CliRunner().invoke(app, line).stdout


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["nothing"], "There is no"),
        ([""], "holds no notebook"),
        (["", "--chapter", "99"], "no graded tasks"),
        (["", "--roster", "nothing"], "cannot be read"),
    ],
)
def test_errors_are_one_sentence(tmp_path, more, words, monkeypatch):
    monkeypatch.chdir(tmp_path)
    place, *options = more
    done = CliRunner().invoke(app, ["grade", f"./{place}", "--out", "out", *options])
    assert done.exit_code == 1
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1


# What kills a worker


SETTINGS = Settings("bwrap", (1, 2))


def fake_work(submission, settings):
    if submission.path.startswith("killer"):
        os.kill(os.getpid(), signal.SIGKILL)
    if submission.path.startswith("failing"):
        raise NotGraded("The sandbox did not start.")
    return Record(submission.path, sha256="s").to_json()


@pytest.mark.filterwarnings("ignore")  # of forks; they are quick
def test_a_worker_that_dies_costs_one_record(monkeypatch, tmp_path):
    monkeypatch.setattr(run, "work", fake_work)
    context = multiprocessing.get_context("fork")
    names = ["a", "b", "killer", "c", "failing", "d"]
    todo = deque(Submission(name, content=b"x") for name in names)
    with opened(tmp_path, "x") as journal:
        records = run.grade_class(
            todo,
            SETTINGS,
            journal,
            lambda: ProcessPoolExecutor(2, context),
            2,
            show_progress=False,
        )
        assert sorted(journal.done) == ["a", "b", "c", "d"]
    assert [record.submission for record in records] == names
    problems = {one.submission: one.problem for one in records if one.problem}
    assert sorted(problems) == ["failing", "killer"]
    assert "The sandbox did not start" in problems["failing"]
    assert all("run the same command again" in text for text in problems.values())


def test_a_worker_that_holds_other_tasks_refuses(monkeypatch, tmp_path):
    monkeypatch.setattr(workers, "grade", lambda one, settings: Record(one.path))
    file = tmp_path / "t1_mine.py"
    file.write_text("as first read")
    one, settings = Submission("a", content=b"x"), replace(SETTINGS, chapter="01")
    same = replace(settings, digest=run.graded_with(settings))
    assert workers.work(one, same)["submission"] == "a"
    with pytest.raises(NotGraded, match="restart the Dask workers"):
        workers.work(one, replace(settings, digest="another"))
    before = workers.as_loaded(file)
    file.write_text("changed since")
    assert workers.as_loaded(file) == before


def test_a_pool_that_breaks_before_the_next_is_sent(monkeypatch, tmp_path):
    class Pool:
        made = 0

        def __init__(self):
            Pool.made += 1
            self.count = 0

        def submit(self, function, *arguments):
            self.count += 1
            if Pool.made < 3 and self.count > 1:
                raise BrokenProcessPool
            future = Future()
            future.set_result(fake_work(*arguments))
            return future

        def shutdown(self, wait):
            pass

    monkeypatch.setattr(run, "work", fake_work)
    todo = [Submission(name, content=b"x") for name in "abcde"]
    with opened(tmp_path, "x") as journal:
        records = run.grade_class(todo, SETTINGS, journal, Pool, 2)
    assert [record.submission for record in records] == [*"abcde"]
    assert not any(record.problem for record in records)
    content = (tmp_path / NAME).read_bytes()
    assert content.count(b"\n") == 5


def test_a_new_name_on_the_roster_needs_no_new_run(tmp_path):
    one = Submission("a", "a", sha256="s", content=b"x")
    with opened(tmp_path, "x") as journal:
        journal.add(Record("a", "a", sha256="s"))
        (record,) = run.grade_class(
            [replace(one, student="7", name="Ada", email="a@b.c")],
            SETTINGS,
            journal,
            no_executor,
            1,
        )
    assert (record.student, record.name, record.email) == ("7", "Ada", "a@b.c")


def no_executor():
    class Nothing:
        def shutdown(self, wait):
            pass

    return Nothing()


def test_a_cluster_whose_workers_differ_is_refused():
    class Client:
        def run(self, function, *arguments):
            return {"a": function(*arguments), "b": "docker"}

    with pytest.raises(workers.NoCluster, match=r"bwrap at a, docker at b.*--sandbox"):
        workers.Cluster(Client()).one_answer(lambda: "bwrap")


def test_on_a_dask_cluster_of_two_workers(classroom):
    code = """
import sys, time
from distributed import LocalCluster
if __name__ == "__main__":
    cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    print(cluster.scheduler_address, flush=True)
    sys.stdin.read()
"""
    script = classroom.parent / "cluster.py"
    script.write_text(code)
    with subprocess.Popen(
        [sys.executable, script],
        env=os.environ | {"PYTHONPATH": str(nbfiles.ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as cluster:
        address = cluster.stdout.readline().strip()
        finished(classroom, "--dask", address)
        cluster.stdin.close()
    check_journal(classroom)
