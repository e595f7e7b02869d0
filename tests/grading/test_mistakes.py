"""The text in which mistakes are written: read as meant, refused in plain words."""

import pytest
from test_forms import COUNT, task

from tt_utils.grading.mistakes import edited, read_mistakes
from tt_utils.grading.table import table
from tt_utils.grading.twins import sources

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
