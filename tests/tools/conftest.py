"""A small project in a temporary folder, in step and clean, for tests to break."""

from pathlib import Path
from typing import NamedTuple

import check_notebooks
import nbformat
import pytest
import sync
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

CONFIG = """\
repository:
  url: https://example.org/someone/book
  branch: main
html:
  baseurl: https://example.org/pages/
"""
MODULE = '''\
from functools import cache

WORDS = ["la", "casa"]


@cache
def double(x):
    """Twice x."""
    return 2 * x


class Pair:
    first: int
'''
PICTURE = "<svg><text>attention</text></svg>"
FACTS = {"minutes": 5, "cpu_seconds": 1, "gpu": "not needed", "needs": []}


class Result(NamedTuple):
    returncode: int
    stdout: str


class Project:
    """The folder, its one chapter, and ways to run the tools on it."""

    def __init__(self, root: Path, capsys):
        self.root = root
        self.capsys = capsys
        self.chapter = root / "notebooks" / "01_demo.ipynb"

    def read(self):
        return nbformat.read(self.chapter, as_version=4)

    def write(self, notebook):
        nbformat.write(notebook, self.chapter)

    def edit(self, change):
        """Applies `change` to the chapter's notebook."""
        notebook = self.read()
        change(notebook)
        self.write(notebook)

    def sync(self, *arguments):
        code = sync.main([*arguments], self.root)
        return Result(code, self.capsys.readouterr().out)

    def check(self):
        code = check_notebooks.main([], self.root)
        return Result(code, self.capsys.readouterr().out)


def shown(**bundle):
    return new_output("display_data", data=bundle)


def make_cells():
    cells = [
        new_markdown_cell("# 01 · Demo\n\nWhat is twice two?"),
        new_code_cell(metadata={"mirror": "tt_utils.demo:double"}),
        new_code_cell(
            "tell(answer=str(double(2)))",
            outputs=[shown(**{"application/vnd.tt-values+json": {"answer": "4"}})],
        ),
        new_markdown_cell('Twice two is <span data-value="answer"></span>.'),
        new_code_cell(
            "draw()",
            metadata={
                "mystnb": {"image": {"alt": "one word"}},
                "caption": "A word.",
                "label": "word",
            },
            outputs=[shown(**{"image/svg+xml": PICTURE, "image/png": "aGk="})],
        ),
    ]
    for index, cell in enumerate(cells):
        cell.id = f"cell-{index}"
    return cells


@pytest.fixture
def project(tmp_path, capsys):
    for folder in ("notebooks", "solutions", "exercises", "tt_utils"):
        (tmp_path / folder).mkdir()
    (tmp_path / "_config.yml").write_text(CONFIG)
    (tmp_path / "tt_utils" / "demo.py").write_text(MODULE)
    project = Project(tmp_path, capsys)
    project.write(new_notebook(cells=make_cells(), metadata={"tt": dict(FACTS)}))
    assert project.sync().returncode == 0

    def number_runs(notebook):
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        for count, cell in enumerate(code, start=1):
            cell.execution_count = count

    project.edit(number_runs)
    return project
