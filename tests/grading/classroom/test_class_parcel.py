"""What is sent into the sandbox holds no right answer, and no way to one."""

import io
import re
import subprocess
import sys
import threading
import zipfile

import numpy as np
import pytest
from quick import ALL, FUNCTIONS

from tt_utils.grading import tasks
from tt_utils.grading.classroom.sandbox import stage as stage_module
from tt_utils.grading.classroom.sandbox.held_back import held_back
from tt_utils.grading.classroom.sandbox.parcel import asked_of, by_value, packed
from tt_utils.grading.classroom.sandbox.stage import files, stage
from tt_utils.grading.judging.known_answers import expected

SEEDS = (1, 2)
SHORT = 16  # letters; shorter lines stand everywhere
by_task = pytest.mark.parametrize("task", FUNCTIONS, ids=lambda task: task.id)


def parcel(task):
    by_value(task)
    asked, _ = held_back({task.id: asked_of(task, SEEDS)})
    return packed(asked[task.id])


def telling_lines(text):
    lines = (line.strip() for line in text.splitlines())
    return {line for line in lines if len(re.sub(r"\W", "", line)) >= SHORT}


@by_task
def test_no_line_of_an_answer_or_a_hint_is_sent(task):
    sent = parcel(task)
    texts = [*task.right, task.truth, *(mistake.hint for mistake in task.known)]
    texts += [task.why, task.section, *task.hints]
    shown = [check.title for check in task.checks]
    for line in set().union(*map(telling_lines, texts)) - {*shown}:
        assert line.encode() not in sent
    assert f"<{task.id}>".encode() not in sent  # nothing compiled from an answer


def arrays_in(inputs):
    """The arrays among the arguments of all checks."""
    return [x for given in inputs for x in given if isinstance(x, np.ndarray)]


def bytes_of(array):
    return array.astype(np.float64).tobytes() if array.dtype.kind == "f" else b""


@by_task
def test_no_right_result_is_sent(task):
    sent = parcel(task)
    for seed in SEEDS:
        # A round trip gives back what went in, and that is no secret.
        given = {bytes_of(x) for x in arrays_in(task.inputs(seed))}
        for number in range(len(task.checks)):
            for value in expected(task, seed, number).values:
                array = value.array
                if array is None or array.dtype.kind != "f" or len(set(array.flat)) < 4:
                    continue
                if bytes_of(array) in given:
                    continue
                for dtype in (np.float64, np.float32):
                    assert array.astype(dtype).tobytes() not in sent


@pytest.mark.parametrize("chapter", tasks.chapters())
def test_it_can_be_opened_where_no_task_is(chapter, tmp_path):
    with zipfile.ZipFile(io.BytesIO(stage(chapter))) as archive:
        assert not [name for name in archive.namelist() if "/tasks" in name]
        archive.extractall(tmp_path / "staged")
    for task in tasks.of_chapter(chapter).values():
        (tmp_path / f"{task.id}.pickle").write_bytes(parcel(task))
    code = f"""
import pickle, sys
from pathlib import Path
sys.path = [{str(tmp_path / "staged")!r}, *[p for p in {sys.path!r} if "-packages" in p
    or "lib/python" in p]]
for path in Path({str(tmp_path)!r}).glob("*.pickle"):
    asked = pickle.loads(path.read_bytes())
    assert asked.rounds
held = [name for name in sys.modules if "tt_utils.grading." in name]
assert not any(".tasks" in name or "judge" in name or "twins" in name for name in held)
"""
    subprocess.run([sys.executable, "-S", "-c", code], check=True)


STAGED = {task.id[:2]: files(tasks.of_chapter(task.id[:2]).values()) for task in ALL}


def test_chapter_05_gets_nothing_of_the_books_own_code():
    ours = [name for name in STAGED["05"] if not name.startswith("tt_utils/grading")]
    assert ours == ["tt_utils/__init__.py"]


@pytest.mark.parametrize(
    ("chapter", "word"),
    [
        ("11", "class Encoder("),
        ("12", "class DecoderLayer"),
        ("13", "class Transformer"),
        ("14", "def pad("),
        ("16", "class Trainer"),
        ("17", "def beam_search"),
        ("18", "def corpus_bleu"),
    ],
)
def test_the_subject_of_a_chapter_is_not_there(chapter, word):
    assert not [name for name, text in STAGED[chapter].items() if word in text]


@pytest.mark.parametrize("chapter", STAGED)
def test_nothing_of_the_graders_own_side_is_there(chapter):
    rooms = {"observing", "classroom"}
    for name in STAGED[chapter]:
        room, _, rest = name.removeprefix("tt_utils/grading/").partition("/")
        if name.startswith("tt_utils/grading/") and rest:
            assert room in rooms, name
            assert room == "observing" or "student_side" in rest or is_empty(name), name


def is_empty(name):
    return all(STAGED[chapter][name] == "" for chapter in STAGED)


def test_only_one_thread_parses_at_a_time():
    with stage_module.parsing:
        other = threading.Thread(target=stage_module.parsed, args=["x = 1"])
        other.start()
        other.join(0.2)
        assert other.is_alive()
    other.join(10)
    assert not other.is_alive()
