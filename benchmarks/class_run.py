"""Grading a class: how long it takes, and is every verdict the known one?

Makes notebooks of one chapter out of the answers that the tests have collected, right
and wrong ones at random, and grades them with `tt grade`. One in twenty hangs: in a
cell that computes or sleeps for ever, or in an answer. `--kill 20` ends the grader
twenty times at random moments (SIGKILL) and starts it again; `--dask` grades on a Dask
cluster of two workers on this machine.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from record import ROOT, save

from tt_utils.grading import tasks
from tt_utils.grading.tasks.spec import FunctionTask, Task

sys.path.insert(0, str(ROOT / "tests" / "grading"))
HANGING = 20  # one in so many
WORKERS = 2
HANGS = {
    "a cell computes": "while True:\n    pass",
    "a cell sleeps": "import time\n\ntime.sleep(10_000)",
    "an answer": "def {name}(*_, **__):\n    while True:\n        pass",
}


def main() -> None:
    """Make a class, grade it, compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--submissions", type=int, default=300)
    parser.add_argument("--chapter", default="05")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kill", type=int, default=0, help="so many times")
    parser.add_argument("--dask", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        handed_in, out = Path(folder) / "handed in", Path(folder) / "report"
        truth = make_class(handed_in, given.chapter, given.submissions, given.seed)
        command = [sys.executable, "-m", "tt_utils", "grade", str(handed_in)]
        command += ["--out", str(out), "--workers", str(WORKERS)]
        started = time.monotonic()
        if given.dask:
            with local_cluster() as cluster:
                address = cluster.scheduler_address
                run([*command, "--dask", address], out, given.kill, given.seed)
        else:
            run(command, out, given.kill, given.seed)
        seconds = time.monotonic() - started
        result = vars(given) | {"seconds": round(seconds)} | compare(truth, out)
    print(json.dumps(result, indent=1))
    save(name_of(given), result)


def name_of(given: argparse.Namespace) -> str:
    return "class_run" + "_dask" * given.dask + "_killed" * bool(given.kill)


# The class


def make_class(
    folder: Path, chapter: str, size: int, seed: int
) -> dict[str, dict[str, bool]]:
    """Writes the notebooks; says by file and task which answers are right."""
    folder.mkdir()
    dice = random.Random(seed)
    found = list(tasks.of_chapter(chapter).values())
    truth = {}
    for number in range(size):
        hang = list(HANGS)[number // HANGING % 3] if number % HANGING == 0 else ""
        name = f"student{number:03}.ipynb"
        cells, truth[name] = notebook(found, dice, hang)
        (folder / name).write_text(json.dumps(as_notebook(cells)))
    return truth


def notebook(
    found: list[Task], dice: random.Random, hang: str
) -> tuple[list[str], dict[str, bool]]:
    from answers import NAMES, collected

    with_torch = any(getattr(task, "arrays", "") == "torch" for task in found)
    more = "from torch import nn\nimport torch.nn.functional as F" if with_torch else ""
    names = NAMES if with_torch else NAMES.replace("import torch\n", "")
    cells = [f"from tt_utils.grading import check\n{names}\n{more}"]
    truth = {}
    for task in found:
        answers = collected(task.id)
        is_right = dice.random() < 0.6
        pool = answers.RIGHT if is_right else answers.WRONG | spellings(answers)
        sources = [text for text in pool.values() if with_torch or "torch" not in text]
        source = dice.choice(sources)
        if isinstance(task, FunctionTask):
            cells += [source, f'check("{task.id}", {", ".join(task.answers)})']
        else:
            cells += [f"answer = {source.strip()}", handing_in(task)]
        truth[task.id] = is_right
    if hang == "an answer":
        task = dice.choice([one for one in found if isinstance(one, FunctionTask)])
        cells[1 + 2 * found.index(task)] = "\n".join(
            HANGS[hang].format(name=name) for name in task.answers
        )
        truth[task.id] = False
    elif hang:
        cells.insert(dice.randrange(len(cells)), HANGS[hang])
    return cells, truth


def handing_in(task: Task) -> str:
    several = "answer if isinstance(answer, tuple) else (answer,)"
    return f'check("{task.id}", *({several}))'


def spellings(answers: Any) -> dict[str, str]:
    return {
        f"{name} {number}": source
        for name, sources in answers.SPELLINGS.items()
        for number, source in enumerate(sources)
    }


def as_notebook(cells: list[str]) -> dict[str, Any]:
    blank = {
        "cell_type": "code",
        "metadata": {},
        "outputs": [],
        "execution_count": None,
    }
    found = [blank | {"id": str(n), "source": text} for n, text in enumerate(cells)]
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": found}


# The run


def local_cluster():
    from distributed import LocalCluster

    return LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address=None)


def run(command: list[str], out: Path, kills: int, seed: int) -> None:
    """To the end; before that it is killed so many times, while it grades."""
    dice = random.Random(seed)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    for _ in range(kills):
        before = size(out)
        process = subprocess.Popen(command, env=environment)
        while size(out) == before and process.poll() is None:
            time.sleep(0.05)
        try:
            process.wait(dice.uniform(0, 8))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
    subprocess.run(command, env=environment, check=True)


def size(out: Path) -> int:
    journal = out / "journal.jsonl"
    return journal.stat().st_size if journal.exists() else 0


def compare(truth: dict[str, dict[str, bool]], out: Path) -> dict[str, Any]:
    """Verdicts against the truth; records that are missing or there twice."""
    records: dict[str, Any] = {}
    times: Counter[str] = Counter()
    for line in (out / "journal.jsonl").read_bytes().splitlines():
        record = json.loads(line)["record"]
        records[record["submission"]] = record
        times[record["submission"]] += 1
    wrong = [
        f"{name} {task}"
        for name, tasks_of_one in truth.items()
        for task, is_right in tasks_of_one.items()
        if name in records
        and (records[name]["tasks"].get(task, {}).get("verdict") == "right") != is_right
    ]
    return {
        "graded": len(records),
        "verdicts": sum(map(len, truth.values())),
        "right": sum(sum(one.values()) for one in truth.values()),
        "wrong verdicts": wrong,
        "lost": sorted(truth.keys() - records.keys()),
        "doubled": [name for name, count in times.items() if count > 1],
    }


if __name__ == "__main__":
    main()
