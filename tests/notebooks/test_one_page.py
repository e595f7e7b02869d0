"""The whole Transformer on one page needs no other page and no package of ours."""

import ast
import re
import sys

import nbfiles
import pytest

MAX_LINES = 300


@pytest.fixture(scope="module")
def notebook():
    return nbfiles.read(nbfiles.ROOT / "notebooks/13c_the_whole_on_one_page.ipynb")


@pytest.fixture(scope="module")
def cells(notebook):
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [cell for cell in code if "setup" not in nbfiles.tags(cell)]


def imported(source):
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (name.name.split(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module.split(".")[0]


def test_nothing_is_folded_and_all_fits(cells):
    assert not [cell.id for cell in cells if nbfiles.is_folded(cell)]
    lines = [line for cell in cells for line in cell.source.splitlines()]
    assert len([line for line in lines if line.strip()]) <= MAX_LINES


def test_only_the_proof_imports_the_package(cells):
    names = [set(imported(cell.source)) for cell in cells]
    [proof] = [i for i, found in enumerate(names) if "tt_utils" in found]
    before = set().union(*names[:proof])
    assert before <= {"torch", *sys.stdlib_module_names}
    assert proof >= len(cells) - 2


def test_it_says_how_many_lines_it_has(notebook, cells):
    def size(some):
        lines = [line.strip() for cell in some for line in cell.source.splitlines()]
        return len([line for line in lines if line and not line.startswith("#")])

    def first(text):
        return next(i for i, cell in enumerate(cells) if text in cell.source)

    begins, ends = first("def attention("), first("def decode(") + 1
    text = "\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")
    said = re.search(
        r"`decode` (\d+) lines, all that stands above \*Proof\* (\d+)", text
    )
    sizes = size(cells[begins:ends]), size(cells[: first("from tt_utils")])
    assert tuple(map(int, said.groups())) == sizes
