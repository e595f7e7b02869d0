"""execute.py stores outputs that a second run, and nbval, find again."""

import platform
import subprocess
import sys

import execute
import nbclient
import nbfiles
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

PICTURE = "display({'image/svg+xml': '<svg>%s</svg>'}, raw=True)"


@pytest.fixture
def notebook_at(tmp_path):
    """Writes a notebook of these code cells and returns its path."""

    def make(*sources, tags=()):
        cells = [
            new_code_cell(source, metadata={"tags": [*tags]}) for source in sources
        ]
        for index, cell in enumerate(cells):
            cell.id = f"cell-{index}"
        notebook = new_notebook(cells=[new_markdown_cell("# A", id="title"), *cells])
        path = tmp_path / "notebooks" / "01_demo.ipynb"
        path.parent.mkdir()
        nbfiles.write(path, notebook)
        return path

    return make


def run(path):
    execute.execute(path)


def nbval(path):
    settings = nbfiles.ROOT / "pyproject.toml"
    command = [sys.executable, "-m", "pytest", "-c", settings, "--nbval", path]
    result = subprocess.run(command, cwd=nbfiles.ROOT, capture_output=True, text=True)
    return result.returncode, result.stdout


def test_outputs_are_the_same_each_time_and_pass_nbval(notebook_at):
    path = notebook_at(
        "import os, sys\n\nprint(os.environ['OMP_NUM_THREADS'])",
        "print('a', file=sys.stderr)\nprint('b')",
        PICTURE % "one",
    )
    run(path)
    first = path.read_bytes()
    run(path)
    assert path.read_bytes() == first
    notebook = nbfiles.read(path)
    assert [cell.get("execution_count") for cell in notebook.cells] == [None, 1, 2, 3]
    assert [cell.id for cell in notebook.cells] == [
        "title",
        "cell-0",
        "cell-1",
        "cell-2",
    ]
    assert all("execution" not in cell.metadata for cell in notebook.cells)
    assert nbval(path)[0] == 0


def test_what_shows_nothing_without_its_kernel_is_dropped():
    blank = new_output("stream", text="\r    \n")
    view = new_output("display_data", data={execute.WIDGET_VIEW: {"model_id": "a"}})
    said = new_output("stream", text="a\n")
    picture = new_output("display_data", data={"image/svg+xml": "<svg/>"})
    kept = [one for one in (blank, view, said, picture) if execute.is_kept(one)]
    assert kept == [said, picture]


def test_a_failing_cell_leaves_the_file_as_it_was(notebook_at):
    path = notebook_at("1 / 0")
    before = path.read_bytes()
    with pytest.raises(
        nbclient.exceptions.CellExecutionError, match="ZeroDivisionError"
    ):
        run(path)
    assert path.read_bytes() == before


def test_a_wanted_error_is_stored_without_folders_of_this_machine(notebook_at):
    path = notebook_at("import wrong", tags=["raises-exception"])
    (path.parent / "wrong.py").write_text("raise ValueError('no')\n")
    run(path)
    cell = nbfiles.read(path).cells[1]
    assert cell.metadata.tags == ["raises-exception"]
    assert cell.outputs[0].ename == "ValueError"
    assert str(path.parent) not in path.read_text()
    assert "wrong.py" in path.read_text()


def test_the_metadata_is_what_jupyterlab_would_write(notebook_at):
    """Else it would, on opening, and ask to save what nobody changed."""
    path = notebook_at("1 + 1")
    run(path)
    metadata = nbfiles.read(path).metadata
    assert metadata.kernelspec.display_name == "Python 3 (ipykernel)"
    assert metadata.language_info.pygments_lexer == "ipython3"
    assert metadata.language_info.version == platform.python_version()


@pytest.mark.parametrize(
    ("stored", "edited", "line"),
    [
        ("b\\n", "c\\n", "Cell outputs differ"),
        ("image/svg+xml", "text/html", "Missing output fields"),
    ],
)
def test_nbval_finds_an_edited_output(notebook_at, stored, edited, line):
    path = notebook_at("print('b')", PICTURE % "one")
    run(path)
    text = path.read_text()
    assert text.count(f'"{stored}"') == 1
    path.write_text(text.replace(f'"{stored}"', f'"{edited}"'))
    code, out = nbval(path)
    assert code == 1
    assert line in out


def test_nbval_compares_no_bytes_of_pictures(notebook_at):
    path = notebook_at(PICTURE % "one")
    run(path)
    path.write_text(path.read_text().replace("<svg>one<", "<svg>two<"))
    assert nbval(path)[0] == 0
