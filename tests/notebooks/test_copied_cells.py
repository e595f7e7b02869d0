"""What a companion repeats of its chapter is the chapter's, letter by letter."""

import nbfiles
import pytest

COPIES = [
    ("04_why_attention", "04c_inside_the_race", "class Reverser"),
    ("04_why_attention", "04c_inside_the_race", "def sentences"),
]


def cell(stem, beginning):
    notebook = nbfiles.read(nbfiles.ROOT / f"notebooks/{stem}.ipynb")
    [found] = [c.source for c in notebook.cells if c.source.startswith(beginning)]
    return found


@pytest.mark.parametrize(("chapter", "companion", "beginning"), COPIES)
def test_a_repeated_cell_is_as_in_its_chapter(chapter, companion, beginning):
    assert cell(companion, beginning) == cell(chapter, beginning)
