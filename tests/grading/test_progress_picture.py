"""The picture of a learner's points, in a terminal and in a notebook."""

from bs4 import BeautifulSoup
from typer.testing import CliRunner

from tt_utils.cli import app
from tt_utils.grading import check, progress
from tt_utils.grading.reporting import points
from tt_utils.grading.reporting.progress_picture import bar


def test_a_sign_for_each_task():
    check("01.3", "the", "drank", "black")
    points.save("01.1", 1)
    (line,) = [line for line in repr(progress()).splitlines() if line[:2] == "01"]
    assert line.endswith("◐ ○ ● ○")
    assert " 4 of " in line


def test_a_bar_is_full_only_at_the_end():
    assert bar(0) == "░" * 12
    assert bar(0.999) == "█" * 11 + "░"
    assert bar(1) == "█" * 12


def test_the_notebook_s_picture_has_words_for_every_box():
    points.save("01.2", 3)
    page = BeautifulSoup(progress()._repr_html_(), "html.parser")
    boxes = {box["aria-label"] for box in page.find_all(role="img")}
    assert "01.2 All cosines at once: 3 of 6 points" in boxes
    assert len(boxes) == sum(len(row.parts) for row in progress().rows)
    assert len(page.find_all("tr")) == len(progress().rows) + 1


def test_in_a_terminal():
    shown = CliRunner().invoke(app, ["progress", "1"])
    assert shown.stdout.strip() == repr(progress("01"))
    unknown = CliRunner().invoke(app, ["progress", "77"])
    assert unknown.exit_code == 1
    assert "Chapters that have: 01" in unknown.stderr
