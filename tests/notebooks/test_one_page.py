"""The whole Transformer on one page needs no other page and no package of ours."""

import ast
import sys

import nbfiles
import pytest

MAX_LINES = 300


@pytest.fixture(scope="module")
def cells():
    notebook = nbfiles.read(nbfiles.ROOT / "notebooks/13c_the_whole_on_one_page.ipynb")
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
