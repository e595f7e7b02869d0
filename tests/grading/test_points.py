"""Progress: best points, kept whatever happens to the file."""

import json
import os

import pytest

from tt_utils.grading import check, points, progress, tasks

RIGHT = ("the", "drank", "black")


def test_nothing_yet(progress_file):
    shown = repr(progress())
    assert "Chapter 01 Dot product" in shown
    assert " 0 of 23 points" in shown
    assert not progress_file.exists()


def test_the_best_result_counts():
    check("01.3", *RIGHT)
    check("01.3", "the", "the", "black")
    assert "2 of 10 points" in repr(progress())
    assert "2 of 2 points" in repr(progress("01"))
    assert repr(progress(1)) == repr(progress("01"))


def test_the_totals_are_those_of_the_tasks():
    for number in tasks.chapters():
        total = sum(task.points for task in tasks.of_chapter(number).values())
        assert progress(number).rows[-1].out_of == total


def test_an_unknown_chapter():
    with pytest.raises(LookupError, match="Chapters that have: 01, 05"):
        progress("77")


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"points": 3}', '{"points": {"01.3": "x"}}', "\x00"],
)
def test_a_damaged_file_is_kept_aside(progress_file, text):
    progress_file.parent.mkdir(parents=True)
    progress_file.write_text(text)
    assert "damaged" in repr(progress())
    result = check("01.3", *RIGHT)
    assert result.points == 2
    assert "damaged" in result.note
    assert "2 of 2 points" in repr(progress("01"))
    assert progress_file.with_name("progress.json.damaged").read_text() == text


def test_bytes_that_are_no_text(progress_file):
    progress_file.parent.mkdir(parents=True)
    progress_file.write_bytes(b"\xff\xfe\xfa")
    assert "damaged" in repr(progress())


def test_points_beyond_what_exists_do_not_count(progress_file):
    progress_file.parent.mkdir(parents=True)
    progress_file.write_text(json.dumps({"points": {"01.3": 99, "01.1": -5, "x": 7}}))
    assert "2 of 10 points" in repr(progress())


def test_a_place_that_cannot_be_written(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("TT_PROGRESS", str(tmp_path / "file" / "progress.json"))
    result = check("01.3", *RIGHT)
    assert result.points == 2
    assert "Progress is not saved" in result.note
    assert "TT_PROGRESS" in result.note


def test_a_crash_while_writing_leaves_the_old_file(progress_file, monkeypatch):
    points.save("01.3", 2)
    before = progress_file.read_bytes()

    def crash(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", crash)
    with pytest.raises(points.CannotSave, match="the disk is full"):
        points.save("01.1", 2)
    assert progress_file.read_bytes() == before
    assert [path.name for path in progress_file.parent.iterdir()] == ["progress.json"]


@pytest.mark.parametrize(
    ("platform", "variable", "tail"),
    [
        ("linux", "XDG_DATA_HOME", "transformer-textbook/progress.json"),
        ("win32", "LOCALAPPDATA", "transformer-textbook/progress.json"),
        (
            "darwin",
            None,
            "Library/Application Support/transformer-textbook/progress.json",
        ),
    ],
)
def test_the_place_follows_the_system(monkeypatch, tmp_path, platform, variable, tail):
    monkeypatch.delenv("TT_PROGRESS")
    monkeypatch.setattr(points.sys, "platform", platform)
    if variable:
        monkeypatch.setenv(variable, str(tmp_path))
    assert points.path().as_posix().endswith(tail)
