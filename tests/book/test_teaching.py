"""The courses of the teaching guide add up."""

import re

import nbfiles
import pytest
import reading_time

PAGE = (nbfiles.ROOT / "book" / "teaching.md").read_text(encoding="utf-8")
WEEK = re.compile(r"\| (\d+) \| ([\d, ]+) \| .+? \| ([\d½]+) \|")
LONG, SIX = (WEEK.findall(part) for part in PAGE.split("**Six weeks**"))


def hours(chapter):
    paths = [
        path
        for folder in ("notebooks", "solutions")
        for path in nbfiles.ROOT.glob(f"{folder}/{chapter}_*.ipynb")
    ]
    return sum(reading_time.minutes(path, nbfiles.read(path)) for path in paths) / 60


@pytest.mark.parametrize("week", LONG + SIX)
def test_the_hours_of_a_week(week):
    _, chapters, told = week
    computed = sum(map(hours, chapters.split(", ")))
    assert float(told.replace("½", ".5")) == pytest.approx(computed, abs=0.3)


def test_the_long_course_has_every_chapter_once():
    ready = {path.name[:2] for path in nbfiles.ROOT.glob("notebooks/*.ipynb")}
    listed = [chapter for _, chapters, _ in LONG for chapter in chapters.split(", ")]
    assert sorted(listed) == sorted(ready)
    assert [int(number) for number, *_ in LONG] == list(range(1, 15))
    assert [int(number) for number, *_ in SIX] == list(range(1, 7))
