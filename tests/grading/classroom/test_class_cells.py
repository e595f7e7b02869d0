"""Code cells out of any file, and cells that IPython would run."""

import json
import time

import pytest

from tt_utils.grading.classroom.grader import tasks_asked_for
from tt_utils.grading.classroom.handed_in.notebook_cells import (
    NoNotebook,
    code_cells,
    in_words,
    tasks_in,
)
from tt_utils.grading.classroom.student_side.cell_code import compiled, without_magics
from tt_utils.grading.tasks import find


def test_format_4(notebook):
    cells = code_cells(notebook("x = 1", " \n", "y = 2"))
    assert [(n, text) for n, text in cells if n > 1] == [(2, "x = 1"), (4, "y = 2")]


def test_format_3_and_lists_of_lines():
    cells = [
        {"cell_type": "markdown", "source": "text"},
        {"cell_type": "code", "input": ["x = 1\n", "y = 2"]},
    ]
    old = {"nbformat": 3, "worksheets": [{"cells": cells}]}
    assert code_cells(json.dumps(old).encode()) == ((1, "x = 1\ny = 2"),)


@pytest.mark.parametrize("sheets", [None, [{"cells": [{"cell_type": "code"}]}]])
def test_what_jupyter_shows_is_what_is_graded(sheets):
    shown = [{"cell_type": "code", "source": "x = 1"}]
    both = {"nbformat": 4, "cells": shown, "worksheets": sheets}
    assert code_cells(json.dumps(both).encode()) == ((1, "x = 1"),)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b" \n",
        b"\xff\xfe\x00",
        b"{",
        b"[" * 200_000,
        b"null",
        b"[]",
        b'{"cells": 3}',
        b'{"cells": [1, null, "x"]}',
        b'{"cells": [{"cell_type": "code", "source": 7}]}',
        b'{"cells": [{"cell_type": "markdown", "source": "x"}]}',
        b'{"worksheets": {"cells": 1}}',
        b"1" * 5000,
    ],
)
def test_broken_files_get_one_sentence(content):
    if content.endswith(b"7}]}"):
        assert code_cells(content) == ((1, "7"),)
        return
    with pytest.raises(NoNotebook) as caught:
        code_cells(content)
    assert str(caught.value).endswith(".")
    assert str(caught.value).count(". ") == 0


def test_lone_surrogates_are_replaced():
    content = b'{"cells": [{"cell_type": "code", "source": "x = \'\\ud800\'"}]}'
    ((_, text),) = code_cells(content)
    assert text.encode()


def test_the_tasks_of_a_notebook():
    cells = ((1, 'check("05.1", f)\ncheck( 5.2, g)'), (2, "check('11.1', h)"))
    assert tasks_in(cells) == ("05.1", "05.2", "11.1")


def test_a_long_line_of_spaces_or_digits_is_read_at_once():
    started = time.monotonic()
    spaces = " " * 10**6
    cells = (1, f"check({spaces}"), (2, f"check(task_id{spaces}="), (3, "check('01.2")
    assert tasks_in((*cells, (4, f"check('01.{'9' * 5000}'"))) == ("01.2",)
    assert time.monotonic() - started < 5


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("# Mine\n\nimport time\nwhile True:\n    pass", "Cell 4 (`while True:`)"),
        ("x = " + "9" * 99, "Cell 4 (`x = 999999999999999999999999999999999999 …`)"),
        ("import numpy", "Cell 4"),
        ("print(`1`)", "Cell 4 (`print('1')`)"),
        ("\n", "Cell 4"),
    ],
)
def test_a_cell_is_named_so_that_a_teacher_finds_it(source, words):
    assert in_words(4, ((1, "y = 1"), (4, source))) == words
    assert in_words(7, ((4, source),)) == "Cell 7"


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        ("x = 3 % 2", "x = 3 % 2"),
        ("%matplotlib inline\nx = 1", "pass\nx = 1"),
        ("if True:\n    %pip install -q x\ny = 2", "if True:\n    pass\ny = 2"),
        ("!ls -l\nx = 1", "pass\nx = 1"),
        ("%%time\nx = 1", "\nx = 1"),
        ("%%bash\nrm -rf /", ""),
        ('text = """\n%d\n"""', 'text = """\n%d\n"""'),
    ],
)
def test_magics_do_nothing(source, plain):
    assert without_magics(source) == plain


@pytest.mark.parametrize("source", ["files = !ls", "len?", "%time x = 1", "x = %pwd"])
def test_rarer_forms_are_read_as_ipython_reads_them(source):
    compiled(source, 1)


def test_a_cell_that_is_no_python():
    with pytest.raises(SyntaxError):
        compiled("def f(:", 1)


def test_a_cell_goes_on_after_a_line_with_the_book_s_code(grade_cells):
    shown = "from tt_utils.blocks import attention\nattention.attention(1, 1, 1)\n"
    cell = shown + find("01.2").right[0]
    found = grade_cells(cell, 'check("01.2", cosine_matrix)').tasks["01.2"]
    assert found.verdict == "right"


def test_a_cell_may_await_as_in_jupyter(grade_cells):
    begun = "import asyncio\nready = asyncio.ensure_future(asyncio.sleep(0, 3))"
    cells = [
        "async def later():\n    return 3",
        f"{begun}\nassert await later() == 3",
        f"assert await ready == 3\n{find('01.2').right[0]}",
    ]
    found = grade_cells(*cells, 'check("01.2", cosine_matrix)')
    assert found.tasks["01.2"].verdict == "right", found.notes


def test_a_notebook_counts_for_the_tasks_that_it_hands_in():
    cells = ((1, 'check("05.1", f)'), (2, 'check("05.9", g)'), (3, 'check("72.9", h)'))
    assert {n: [*t] for n, t in tasks_asked_for(cells, "").items()} == {"05": ["05.1"]}
    (whole,) = tasks_asked_for(cells, "05").values()
    assert len(whole) == 5
    assert tasks_asked_for(cells[1:], "") == {}
