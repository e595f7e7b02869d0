"""Whatever happens to a run, no record is lost, doubled or made up."""

import json
import os

import pytest

from tt_utils.grading.classroom.records import journal as module
from tt_utils.grading.classroom.records.journal import NAME, Busy, opened
from tt_utils.grading.classroom.records.record import Record, TaskRecord

TASK = TaskRecord(
    "not yet",
    points=2,
    out_of=6,
    message="lone \udcff",
    evidence=(("Got", "[1]"),),
    hints=("a hint",),
    mistakes=("no scale",),
    rungs=(("one row", True), ("two", False), ("three", None)),
)


def record(name, sha="s", **more):
    return Record(name, name, sha256=sha, tasks={"01.2": TASK}, **more)


def test_a_record_survives_json():
    one = record("a", notes=("a note",), seconds=1.5)
    assert Record.from_json(json.loads(json.dumps(one.to_json()))) == one
    assert one.to_json()["format"] == 1
    assert (one.points, one.out_of) == (2, 6)


@pytest.mark.parametrize(
    "change", [{"format": 2}, {"tasks": {"01.2": {}}}, {"odd": 1}, {"tasks": 3}]
)
def test_what_is_no_record(change):
    with pytest.raises((ValueError, KeyError, TypeError, AttributeError)):
        Record.from_json(record("a").to_json() | change)


def written(folder, *records, graded_with="x"):
    with opened(folder, graded_with) as journal:
        for one in records:
            journal.add(one)
    return folder / NAME


def done(folder, graded_with="x"):
    with opened(folder, graded_with) as journal:
        return sorted(journal.done)


def test_it_goes_on_where_it_was(tmp_path):
    written(tmp_path, record("a"), record("b"))
    assert done(tmp_path) == ["a", "b"]
    with opened(tmp_path, "x") as journal:
        assert journal.holds("a", "a", "s")
        assert not journal.holds("a", "a", "changed")
        assert not journal.holds("c", "c", "s")


def test_every_place_where_a_write_can_be_cut_off(tmp_path):
    content = written(tmp_path, record("a"), record("b")).read_bytes()
    first = content.index(b"\n") + 1
    for length in [*range(0, first, 7), first - 1, first, first + 1, len(content) - 1]:
        (tmp_path / NAME).write_bytes(content[:length])
        assert done(tmp_path) == (["a"] if length >= first else [])
        written(tmp_path, record("b"))
        assert done(tmp_path) == (["a", "b"] if length >= first else ["b"])


def test_other_tasks_or_limits_grade_again(tmp_path):
    written(tmp_path, record("a"))
    assert done(tmp_path, "y") == []
    assert done(tmp_path, "x") == ["a"]


def test_the_later_record_counts(tmp_path):
    written(tmp_path, record("a", "old"), record("a", "new"))
    with opened(tmp_path, "x") as journal:
        assert journal.done["a"].sha256 == "new"


def test_lines_of_another_make_are_passed_over(tmp_path):
    path = written(tmp_path, record("a"))
    with path.open("ab") as file:
        file.write(b'null\n[]\n{"graded_with": "x"}\n\xff\n{"graded_with": "x", ')
        file.write(b'"record": {"format": 1, "tasks": []}}\n')
    written(tmp_path, record("b"))
    assert done(tmp_path) == ["a", "b"]


def test_two_runs_at_once(tmp_path):
    with opened(tmp_path, "x"), pytest.raises(Busy, match="another --out"):
        written(tmp_path, record("a"))
    assert done(tmp_path) == []


def test_a_full_disk_leaves_whole_lines(tmp_path, monkeypatch):
    def short(descriptor, content):
        return write(descriptor, content[:20])

    write = os.write
    with opened(tmp_path, "x") as journal:
        journal.add(record("a"))
        with monkeypatch.context() as patch:
            patch.setattr(module.os, "write", short)
            with pytest.raises(OSError, match="full"):
                journal.add(record("b"))
        journal.add(record("c"))
    assert done(tmp_path) == ["a", "c"]
    assert (tmp_path / NAME).read_bytes().count(b"\n") == 2


def test_nobody_else_reads_it(tmp_path):
    assert written(tmp_path, record("a")).stat().st_mode & 0o077 == 0
