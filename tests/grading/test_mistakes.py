"""The text in which mistakes are written: read as meant, refused in plain words."""

from dataclasses import replace

import pytest
from test_forms import COUNT, task
from typer.testing import CliRunner

from tt_utils.cli import app
from tt_utils.grading import check, tasks
from tt_utils.grading.grade import grade
from tt_utils.grading.judging.known_answers import sources
from tt_utils.grading.judging.task_audit import problems_of_values, table
from tt_utils.grading.tasks.mistakes import edited, read_mistakes

TEXT = """
no scale: / root →
or: * inverse →
    Too sharp. What is done to the
    scores before softmax?

two places: a → b
and: c → d\\n    e
    Two edits make it.
"""


def test_names_hints_and_ways_are_read():
    one, two = read_mistakes(TEXT)
    assert one.name == "no scale"
    assert one.hint == "Too sharp. What is done to the scores before softmax?"
    assert one.ways == (("/ root →",), ("* inverse →",))
    assert two.ways == (("a → b", "c → d\\n    e"),)


def test_an_edit_changes_every_place():
    assert edited("x / root + y / root", ("/ root →",)) == "x  + y "
    assert edited("a + c", ("a → b", "c → d\\n    e")) == "b + d\n    e"
    assert edited("a", ("a → b", "c → d")) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("no hint: a → b", "has no hint"),
        ("a name alone\n    Hint.", "opens no mistake"),
        ("one: a → b\ntwo: c → d\n    Hint.", "comes `or:` or `and:`"),
        ("one: a → b\n    Hint.\nmore: c → d", "opens no mistake"),
        ("one: a → b\n    Hint.\n\none: c → d\n    Hint.", "name them apart"),
    ],
)
def test_what_cannot_be_read_is_named(text, words):
    with pytest.raises(ValueError, match=words):
        read_mistakes(text)


def test_an_edit_that_fits_no_right_answer_is_named():
    toy = task(COUNT.right[0], "odd: nowhere → x\n    Hint?", COUNT.checks)
    with pytest.raises(ValueError, match="'odd': no right answer holds"):
        sources(toy, toy.known[0])


def test_the_table_says_what_catches_a_mistake():
    (line,) = table(COUNT)
    assert (line.name, line.caught_by, line.numbers) == ("a bias counted", 1, "1 of 1")


def test_every_part_s_mistake_is_known_and_one_is_spoken_of():
    result = check("01.1", 119, 56)
    assert result.mistakes == ("sums multiplied", "cosine without norms")
    hints = {one.name: one.hint for one in tasks.find("01.1").known}
    assert result.hints == (hints["sums multiplied"],)
    assert check("01.1", 1234, 56).mistakes == ("cosine without norms",)
    assert check("01.1", 1234, 0.1234).mistakes == ()


def test_a_mistake_in_several_parts_counts_once():
    by_hand = replace(tasks.find("01.1"), mistakes=BOTH)
    result = grade(by_hand, (1, 1))
    assert result.mistakes == ("two ones",)


BOTH = """
one: cosine = 1
    A hint?

two ones: dot = 1
and: cosine = 1
    One hint for both?
"""


def test_a_task_by_hand_is_printed_for_a_person():
    shown = CliRunner().invoke(app, ["mistakes", "01.1"]).stdout
    assert "right: cosine = 0.8615" in shown
    one = "one product only\n    dot = 36\n    dot = 20\n        That is one of the two"
    assert one in shown


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        ("dots = 1", "asks for no dots"),
        ("dot = 56", "values are the right ones"),
        ("cosine = 0.8616", "values are the right ones"),
    ],
)
def test_what_is_wrong_with_a_task_by_hand_is_named(edit, words):
    by_hand = replace(tasks.find("01.1"), mistakes=f"odd: {edit}\n    A hint?")
    (problem,) = problems_of_values(by_hand)
    assert problem.startswith("'odd': ")
    assert words in problem


def test_general_hints_in_a_terminal(tmp_path):
    file = tmp_path / "answer.py"
    file.write_text("def cosine_matrix(A, B):\n    return A @ B.T\n")
    plain = CliRunner().invoke(app, ["check", "01.2", str(file)]).stdout
    hinted = CliRunner().invoke(app, ["check", "01.2", str(file), "--hints"]).stdout
    hints = tasks.find("01.2").hints
    assert not any(hint in plain for hint in hints)
    assert "tt check --hints" in plain
    assert all(hint in hinted for hint in hints)
    assert "More hints" not in hinted
