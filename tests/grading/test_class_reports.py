"""What an instructor keeps of a class: a table, a page a student, a class page."""

import csv
import re
from dataclasses import replace

import nbfiles
import pytest
from bs4 import BeautifulSoup

from tt_utils.grading import tasks
from tt_utils.grading.classroom import reports
from tt_utils.grading.classroom.records.record import Record, TaskRecord
from tt_utils.grading.classroom.reports import pages, summary
from tt_utils.grading.classroom.reports.grades import safe
from tt_utils.grading.classroom.reports.write import page_names
from tt_utils.grading.judging.judge import read_again

RIGHT = TaskRecord("right", 9, 9, why="The mask comes before softmax.")
MASKED_LATE = TaskRecord(
    "not yet",
    3,
    9,
    "Check 4 of 9 fails: with a `mask`.",
    evidence=(("Expected", "1 < 2 & 3"),),
    hints=("With a mask, your rows no longer sum to 1.",),
    mistakes=("mask after softmax",),
    rungs=(("small", True, True), ("with a mask", False, True), ("large", None, True)),
    section="chapter 05, “In PyTorch”",
)
ODD = replace(MASKED_LATE, mistakes=(), hints=())
EMPTY = TaskRecord("not attempted", 0, 9)


def record(student, task, **more):
    return Record(
        f"{student}.ipynb", student, student.title(), tasks={"05.1": task}, **more
    )


CLASS = [
    record("ada", RIGHT),
    record("bob", MASKED_LATE, notes=("Cell 4 was stopped after 10 s.",)),
    record("cyd", MASKED_LATE),
    record("dan", ODD),
    record("eve", EMPTY),
    Record("fay.ipynb", "fay", problem="The notebook is no JSON; save it again."),
    Record("", "gil", "Gil", problem="Nothing was handed in."),
]


@pytest.fixture
def out(tmp_path):
    reports.write(CLASS, tmp_path, {"bob/<x>.pdf": "Bob"})
    return tmp_path


def page(path):
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def text(soup):
    return " ".join(soup.get_text(" ").split())


def test_the_table_has_a_line_for_everybody(out):
    with open(out / "grades.csv", encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["student"] for row in rows] == [
        "ada",
        "bob",
        "cyd",
        "dan",
        "eve",
        "fay",
        "gil",
    ]
    assert [row["05.1"] for row in rows] == ["9", "3", "3", "3", "0", "", ""]
    assert rows[0]["points"] == rows[0]["out of"] == "9"
    assert rows[-1]["problem"] == "Nothing was handed in."
    assert rows[1]["remarks"] == "Cell 4 was stopped after 10 s."


def test_e_mails_have_a_column_where_a_roster_has_them(tmp_path, out):
    header = (out / "grades.csv").read_text(encoding="utf-8-sig").splitlines()[0]
    assert "email" not in header
    with_one = [replace(CLASS[0], email="ada@example.org"), CLASS[1]]
    reports.write(with_one, tmp_path / "mails", {})
    with open(tmp_path / "mails" / "grades.csv", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    assert [row["email"] for row in rows] == ["ada@example.org", ""]
    assert rows[0]["05.1"] == "9"


def test_two_notebooks_of_one_student_are_told_apart(tmp_path):
    two = [replace(CLASS[0], submission=f"x/{name}.ipynb") for name in ("draft", "end")]
    reports.write([*two, CLASS[1]], tmp_path, {})
    shown = text(page(tmp_path / "class.html"))
    assert "Ada draft.ipynb" in shown
    assert "Ada end.ipynb" in shown
    assert "bob.ipynb" not in shown


def test_who_is_on_no_roster_is_marked(tmp_path, out):
    rows = [text(row) for row in page(out / "class.html").find_all("tr")]
    marked = [row.split()[0] for row in rows if "nobody on the roster" in row]
    assert marked == ["fay"]
    without = [replace(one, name="") for one in CLASS[:-1]]
    reports.write(without, tmp_path / "none", {})
    assert "roster" not in text(page(tmp_path / "none" / "class.html"))


def test_what_was_not_taken_is_listed(tmp_path, out):
    shown = text(page(out / "class.html"))
    assert "1 that is no notebook" in shown
    assert "bob/<x>.pdf · Bob" in shown
    reports.write(CLASS, tmp_path / "none", {})
    assert "Not taken" not in text(page(tmp_path / "none" / "class.html"))


def test_who_is_graded_for_other_tasks_than_most_is_found():
    usual = [Record(f"{n}.ipynb", f"{n}", tasks={"05.1": RIGHT}) for n in range(3)]
    more = Record("x.ipynb", "x", tasks={"05.1": RIGHT, "03.2": RIGHT})
    nothing = Record("y.ipynb", "y", problem="The notebook is empty.")
    assert summary.summary([*usual, more, nothing]).with_other_tasks == (more,)
    assert summary.summary([nothing]).with_other_tasks == ()


def test_no_cell_is_a_formula():
    assert safe("=HYPERLINK(1)") == "'=HYPERLINK(1)"
    assert safe("@x")[0] == safe("+1")[0] == safe("-1")[0] == "'"
    assert safe(" =1+1")[0] == safe("＝cmd")[0] == safe("\u3000＋1")[0] == "'"
    assert safe("Ada-Lovelace") == "Ada-Lovelace"


def test_the_class_page_counts_mistakes_in_words(out):
    shown = text(page(out / "class.html"))
    assert "mask after softmax" in shown
    assert "2 of 4 05.1" in shown  # four handed in an answer to it
    assert "1 of 4" in shown  # were right
    hints = {m.name: m.hint for m in tasks.find("05.1").known}
    assert hints["mask after softmax"] in shown
    assert "7 rows, 5 graded, 2 with a problem" in shown


def test_mistakes_that_are_not_listed_are_counted():
    (task,) = summary.summary(CLASS).tasks
    assert (task.right, task.tried, task.wrong, task.unknown) == (1, 4, 3, 1)
    assert task.mean == pytest.approx((9 + 3 + 3 + 3) / 4)
    assert summary.summary(CLASS).bins == (1, 0, 0, 3, 0, 0, 0, 0, 0, 1)


def test_all_points_are_those_of_the_tasks_that_one_handed_in():
    both = Record("x", "x", tasks={"05.1": RIGHT, "03.2": RIGHT})
    assert summary.summary([record("ada", RIGHT), both]).bins[-1] == 2


def test_a_bar_is_as_long_as_the_share_beside_it(out):
    (row,) = (r for r in page(out / "class.html").select("tr") if "2 of 4" in text(r))
    assert "width:50.0%" in str(row.select_one(".bar.wrong"))


def test_a_bug_that_is_still_there_is_called_so():
    left = replace(MASKED_LATE, mistakes=("as planted",))
    records = [Record("x", "x", tasks={"05.3": left})]
    (task,) = summary.summary(records).tasks
    assert task.misconceptions[0].name == "the planted bug is still there"
    assert task.misconceptions[0].hint


def test_a_student_s_page_says_why(out):
    shown = text(page(out / "students" / "bob.html"))
    for part in (
        "3 of 9 points",
        "Cell 4 was stopped",
        "1 < 2 & 3",
        "rows no longer sum",
    ):
        assert part in shown
    assert "Ada" not in shown
    assert "1 of 3 checks pass" in shown
    assert "large (not run)" in shown
    assert "no JSON" in text(page(out / "students" / "fay.html"))


def test_links_lead_to_the_section(monkeypatch):
    monkeypatch.setattr(pages, "book_address", lambda: "https://book.example/")
    link = "https://book.example/notebooks/05_scaled_dot_product.html#in-pytorch"
    assert pages.link("chapter 05, “In PyTorch”") == link
    assert link in pages.student(CLASS[1], ["05.1"])
    deeper = "notebooks/18b_does_attention_say_why.html#every-head-against-the-gold"
    again = read_again(tasks.find("18.3"))
    assert pages.link(again) == f"https://book.example/{deeper}"
    for other in ("", "chapter 71, “Own”", "chapter 05z, “In PyTorch”", "nonsense"):
        assert pages.link(other) == ""


HOSTILE = '<script>alert(1)</script>" onload="x'


def test_what_students_write_is_text(tmp_path):
    task = replace(
        MASKED_LATE, message=HOSTILE, evidence=((HOSTILE, HOSTILE),), hints=(HOSTILE,)
    )
    hostile = Record(*[HOSTILE] * 4, notes=(HOSTILE,), tasks={"05.1": task})
    reports.write(
        [hostile, Record("x", "x", problem=HOSTILE)], tmp_path, {HOSTILE: HOSTILE}
    )
    for file in tmp_path.rglob("*.html"):
        found = page(file)
        assert not found.find_all("script")
        assert not [tag for tag in found.find_all(True) if tag.has_attr("onload")]


def test_half_a_character_does_not_stop_the_report(tmp_path):
    half = "x\ud800"
    task = replace(MASKED_LATE, message=half)
    odd = Record(half, half, half, half, notes=(half,), tasks={"05.1": task})
    reports.write([odd, Record("y", "y")], tmp_path, {half: half})
    assert {"class.html", "grades.csv"} <= {file.name for file in tmp_path.iterdir()}


def test_pages_have_plain_names_and_no_two_the_same():
    names = ["../../etc/passwd", "Ada L.", "ada l", "Ёж", "", "x" * 400]
    pages = page_names([Record(name, name) for name in names])
    assert pages[:3] == ["etc-passwd.html", "ada-l.html", "ada-l-2.html"]
    assert len(set(pages)) == len(names)
    assert all(re.fullmatch(r"[a-z0-9-]{1,70}\.html", name) for name in pages)


def test_a_second_run_leaves_no_page_of_before(out):
    reports.write(CLASS[:1], out, {})
    assert [path.name for path in (out / "students").iterdir()] == ["ada.html"]


def test_a_class_of_nobody(tmp_path):
    reports.write([], tmp_path, {})
    assert "No submission shows a known mistake" in text(page(tmp_path / "class.html"))


def test_colours_are_the_book_s():
    def colours(css):
        return set(re.findall(r"(--tt-[\w-]+: #[0-9a-f]{6})", css))

    book = (nbfiles.ROOT / "book/_static/textbook.css").read_text(encoding="utf-8")
    assert colours(pages.css()) <= colours(book)
    assert len(colours(pages.css())) > 12
