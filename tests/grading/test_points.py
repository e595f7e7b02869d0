"""Progress: best points, kept whatever happens to the file."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tt_utils.atomic_write import only_writer
from tt_utils.grading import check, progress, tasks
from tt_utils.grading.reporting import points

RIGHT = ("the", "drank", "black")


def test_nothing_yet(progress_file):
    shown = repr(progress())
    assert "01 Dot product" in shown
    assert " 0 of 987 points" in shown
    assert not progress_file.exists()


def test_the_best_result_counts():
    check("01.3", *RIGHT)
    check("01.3", "the", "the", "black")
    assert progress().total.points == 3
    assert progress("01").total.points == 3
    assert repr(progress(1)) == repr(progress("01"))


def test_the_totals_are_those_of_the_tasks():
    for number in tasks.chapters():
        total = sum(task.points for task in tasks.of_chapter(number).values())
        assert progress(number).total.out_of == total


def test_an_unknown_chapter():
    with pytest.raises(LookupError, match="Chapters that have: 01, 02, 03"):
        progress("77")


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"points": 3}', "\x00", "[" * 200_000],
)
def test_a_damaged_file_is_kept_aside(progress_file, text):
    progress_file.parent.mkdir(parents=True)
    progress_file.write_text(text)
    assert "damaged" in repr(progress())
    result = check("01.3", *RIGHT)
    assert result.points == 3
    assert "damaged" in result.note
    assert progress("01").total.points == 3
    assert progress_file.with_name("progress.json.damaged").read_text() == text


def test_bytes_that_are_no_text(progress_file):
    progress_file.parent.mkdir(parents=True)
    progress_file.write_bytes(b"\xff\xfe\xfa")
    assert "damaged" in repr(progress())


def test_points_beyond_what_exists_do_not_count(progress_file):
    progress_file.parent.mkdir(parents=True)
    progress_file.write_text(json.dumps({"points": {"01.3": 99, "01.1": -5, "x": 7}}))
    assert progress().total.points == 3


def test_a_place_that_cannot_be_written(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("TT_PROGRESS", str(tmp_path / "file" / "progress.json"))
    result = check("01.3", *RIGHT)
    assert result.points == 3
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


def test_the_place_is_the_systems_or_the_users_own(monkeypatch, tmp_path):
    monkeypatch.setenv("TT_PROGRESS", "~/p.json")
    assert points.path() == Path.home() / "p.json"
    monkeypatch.delenv("TT_PROGRESS")
    assert points.path().parts[-2:] == ("transformer-textbook", "progress.json")


def test_a_user_without_a_home(monkeypatch):
    def nowhere(*_, **__):
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("TT_PROGRESS")
    monkeypatch.setattr("platformdirs.user_data_path", nowhere)
    result = check("01.3", *RIGHT)
    assert result
    assert "no home folder" in result.note
    assert "no home folder" in repr(progress())


SAVE = """
import sys
from tt_utils.grading.reporting import points
for number in range(int(sys.argv[2])):
    points.save(f"{sys.argv[1]}.{number}", 1)
"""


def test_two_notebooks_that_save_at_once_lose_nothing(progress_file):
    saves = 40
    writers = [
        subprocess.Popen([sys.executable, "-c", SAVE, name, str(saves)])
        for name in ("71", "72")
    ]
    assert [writer.wait() for writer in writers] == [0, 0]
    assert len(json.loads(progress_file.read_text())["points"]) == 2 * saves


def test_a_file_that_cannot_be_read_is_not_replaced(progress_file, monkeypatch):
    points.save("01.1", 2)
    before = progress_file.read_bytes()

    def refuse(self):
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", refuse)
        result = check("01.3", *RIGHT)
        assert "cannot be read" in result.note
        assert "cannot be read" in repr(progress())
    assert progress_file.read_bytes() == before


def test_one_odd_value_costs_no_other(progress_file):
    progress_file.parent.mkdir(parents=True)
    saved = {"name": "Ada", "points": {"01.1": 2.0, "01.2": "x", "01.4": None}}
    progress_file.write_bytes(b"\xef\xbb\xbf" + json.dumps(saved).encode())
    check("01.3", *RIGHT)
    now = json.loads(progress_file.read_text())
    assert now["name"] == "Ada"
    assert now["points"] == {"01.1": 2, "01.2": "x", "01.3": 3, "01.4": None}


def test_every_damaged_file_is_kept(progress_file):
    progress_file.parent.mkdir(parents=True)
    for text in ("first", "second", "third"):
        progress_file.write_text(text)
        points.save("01.3", 3)
    kept = sorted(progress_file.parent.glob("*.damaged*"))
    assert [path.read_text() for path in kept] == ["first", "second", "third"]


def test_a_lock_that_is_never_freed_stops_nobody(progress_file, monkeypatch):
    monkeypatch.setattr(points, "WAIT", 0.2)
    progress_file.parent.mkdir(parents=True)
    with only_writer(progress_file):
        result = check("01.3", *RIGHT)
    assert result
    assert "keeps" in result.note


@pytest.fixture
def colab(monkeypatch, tmp_path):
    """A machine of Colab's, whose Drive is mounted once its folder is made."""
    monkeypatch.setitem(sys.modules, "google.colab", object())
    monkeypatch.delenv("TT_PROGRESS")
    monkeypatch.setattr(points, "DRIVE", tmp_path / "drive" / "MyDrive")
    monkeypatch.setattr(points, "system_path", lambda: tmp_path / "gone.json")
    return points.DRIVE


def test_colab_says_that_its_files_go(colab):
    assert "Drive" in check("01.3", *RIGHT).note


def test_a_mounted_drive_takes_over_what_was_earned_before(colab):
    check("01.3", *RIGHT)
    points.save("01.1", 1)
    colab.mkdir(parents=True)
    assert progress().total.points == 4
    points.save("01.1", 2)
    saved = json.loads((colab / points.FOLDER / "progress.json").read_text())
    assert saved["points"] == {"01.1": 2, "01.3": 3}
    assert check("01.3", *RIGHT).note == ""


def test_an_older_drive_keeps_its_better_points(colab):
    points.save("01.1", 1)
    file = colab / points.FOLDER / "progress.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"points": {"01.1": 2, "01.2": 4}}))
    points.save("01.3", 1)
    assert json.loads(file.read_text())["points"] == {"01.1": 2, "01.2": 4, "01.3": 1}
