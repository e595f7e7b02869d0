"""A cell in view may use nothing that a reader can't see defined."""

import names_in_view
import pytest
from nbformat.v4 import new_code_cell, new_notebook


def found(*cells):
    """The problems; a source that begins with "folded:" is of a folded cell."""
    made = []
    for source in cells:
        tags = ["hide-cell"] if source.startswith("folded:") else []
        made.append(
            new_code_cell(source.removeprefix("folded:"), metadata={"tags": tags})
        )
    return list(names_in_view.problems(new_notebook(cells=made)))


@pytest.mark.parametrize(
    "cells",
    [
        ("x = 2", "print(x)"),
        ("folded:import math\nfrom a import b as c", "print(math.pi, c)"),
        ("x = 2", "folded:y = x + 1\nassert y == 3"),
        ("x = 2", "folded:x = 3", "print(x)"),
        ("folded:x = 1", "x = 2\nprint(x)"),
        ("folded:x = 1", "def f(x):\n    return x", "print([f(x) for x in [1]])"),
        ("folded:x = 1", "%matplotlib inline\n!pip install x"),
        ("folded:x = 1", "%%writefile -a file.py\n    def f(self):\n        x"),
    ],
)
def test_what_can_be_followed_passes(cells):
    assert found(*cells) == []


@pytest.mark.parametrize(
    ("cells", "cell", "hidden"),
    [
        (("folded:x = 2", "print(x)"), 1, "x"),
        (("folded:def f(): pass", "y = f()"), 1, "f"),
        (("folded:class A: pass", "for a in [A()]: print(a)"), 1, "A"),
        (("folded:x, (y, z) = 1, (2, 3)", "print(1)", "x + z"), 2, "x, z"),
    ],
)
def test_what_is_out_of_sight_is_named(cells, cell, hidden):
    [(index, message)] = found(*cells)
    assert index == cell
    assert f"uses {hidden}, which" in message
