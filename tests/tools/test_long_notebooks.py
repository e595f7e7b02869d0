"""A long notebook counts as changed when anything has that its outputs come from."""

import long_notebooks
import nbfiles
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

NAME = "notebooks/07_long"
FILES = {
    "pyproject.toml": '[project]\ndependencies = ["torch>=2", "numpy"]\n',
    "requirements.txt": "# why\ntorch==2.1\nnumpy==1.9\nruff==0.1\n",
    "tt_utils/__init__.py": "",
    "tt_utils/near.py": "def f():\n    from tt_utils.room import far\n",
    "tt_utils/room/__init__.py": "",
    "tt_utils/room/far.py": "x = 1\n",
    "tt_utils/room/far.json": "{}",
    "tt_utils/room/static/kept.bin": "kept",
    "tt_utils/room/static/drawn.svg": "drawn",
    "tt_utils/other.py": "",
    "tt_utils/recorded.py": "def recorded(name, on=None): ...",
    "benchmarks/results/mine/one.json": "{}",
}


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A long notebook that has just run, and a short one."""
    monkeypatch.delenv("TT_ALL_NOTEBOOKS", raising=False)
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / long_notebooks.RAN).parent.mkdir(parents=True)
    (tmp_path / "notebooks").mkdir()
    write(tmp_path, "%pip install x\nfrom tt_utils.near import f")
    short = new_notebook(metadata={"tt": {"cpu_seconds": long_notebooks.LONG - 1}})
    nbfiles.write(tmp_path / "notebooks" / "01_short.ipynb", short)
    note_all(tmp_path)
    return tmp_path


def write(root, source, text="words", shown="1\n"):
    out = new_output("stream", text=shown)
    cells = [new_markdown_cell(text), new_code_cell(source, outputs=[out])]
    for number, cell in enumerate(cells):
        cell.id = str(number)
    notebook = new_notebook(cells=cells, metadata={"tt": {"cpu_seconds": 60}})
    nbfiles.write(root / f"{NAME}.ipynb", notebook)


def forget():
    """What was read before a file was written anew."""
    long_notebooks.pins.cache_clear()
    long_notebooks.used_by.cache_clear()


def note_all(root):
    forget()
    there = long_notebooks.long(root)
    ran = {name: long_notebooks.digest(root, path) for name, path in there.items()}
    long_notebooks.note(root, ran)


def is_unchanged(root):
    forget()
    return long_notebooks.unchanged(root) == {NAME}


def test_only_long_ones_are_noted(root):
    assert long_notebooks.noted(root).keys() == {NAME}
    assert is_unchanged(root)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("tt_utils/near.py", True),
        ("tt_utils/room/__init__.py", True),
        ("tt_utils/room/far.py", True),
        ("tt_utils/room/far.json", True),
        ("tt_utils/room/static/kept.bin", True),
        ("tt_utils/other.py", False),
        ("tt_utils/room/static/drawn.svg", False),
        ("benchmarks/results/mine/one.json", False),
    ],
)
def test_what_it_reaches_changes_it_and_nothing_else(root, name, changes):
    (root / name).write_text(FILES[name] + " ")
    assert is_unchanged(root) is not changes


@pytest.mark.parametrize(("package", "changes"), [("torch", True), ("ruff", False)])
def test_versions_that_it_runs_with_change_it(root, package, changes):
    file = root / "requirements.txt"
    file.write_text(file.read_text().replace(f"{package}==", f"{package}==9."))
    assert is_unchanged(root) is not changes


def test_code_and_outputs_change_it_and_words_do_not(root):
    source = nbfiles.read(root / f"{NAME}.ipynb").cells[1].source
    write(root, source, text="other words")
    assert is_unchanged(root)
    write(root, source, shown="2\n")
    assert not is_unchanged(root)
    write(root, f"{source}\nf()")
    assert not is_unchanged(root)


@pytest.mark.parametrize(
    ("call", "reads"),
    [
        ('recorded("one")', True),
        ("recorded('one', on=\"cpu\")", True),
        ('recorded(f"o{x}")', True),
        ("recorded(name)", True),
        ('recorded("other")', False),
        ("", False),
    ],
)
def test_recorded_results_change_who_reads_them(root, call, reads):
    write(root, f"from tt_utils.recorded import recorded\n{call}")
    note_all(root)
    (root / "benchmarks" / "results" / "mine" / "one.json").write_text("[]")
    assert is_unchanged(root) != reads


def test_a_module_that_loads_any_other_reaches_all(root):
    (root / "tt_utils" / "near.py").write_text("import importlib\n")
    note_all(root)
    (root / "tt_utils" / "other.py").write_text("y = 2\n")
    assert not is_unchanged(root)


def test_all_can_be_asked_for(root, monkeypatch):
    monkeypatch.setenv("TT_ALL_NOTEBOOKS", "1")
    assert not is_unchanged(root)


def test_a_notebook_that_is_gone_leaves_the_file(root):
    (root / f"{NAME}.ipynb").unlink()
    long_notebooks.note(root, {})
    assert long_notebooks.noted(root) == {}


def test_every_long_notebook_has_run():
    root = nbfiles.ROOT
    assert long_notebooks.noted(root).keys() == long_notebooks.long(root).keys()
