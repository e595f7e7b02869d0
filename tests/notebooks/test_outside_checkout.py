"""Every notebook runs alone, in an empty folder, with the built wheel.

nbval runs it there once, and compares what it shows with the stored outputs.
"""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import nbfiles
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

SOURCES = (
    *("tt_utils", "benchmarks/results"),
    *("setup.py", "pyproject.toml", "README.md", "LICENSE"),
)
# Added to each notebook as its last cell.
NOTHING_OF_THE_CHECKOUT = """\
import sys
from pathlib import Path

import tt_utils

files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
ours = [Path(file) for file in files if file and Path(file).is_relative_to({root!r})]
ours = [file for file in ours if not file.is_relative_to(sys.prefix)]
assert not ours, f"modules of the checkout: {{ours}}"
assert Path(tt_utils.__file__).is_relative_to({installed!r}), tt_utils.__file__
"""


def pip(*arguments):
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*command, *arguments], check=True)


def build_wheel(folder: Path) -> None:
    """From a copy: setuptools would leave, and later pick up, a build folder."""
    source = folder / "source"
    source.mkdir()
    for name in SOURCES:
        origin = nbfiles.ROOT / name
        if origin.is_dir():
            unwanted = shutil.ignore_patterns("__pycache__")
            shutil.copytree(origin, source / name, ignore=unwanted)
        else:
            shutil.copy(origin, source)
    pip("wheel", "--no-deps", "--no-build-isolation", "-w", str(folder), str(source))
    [wheel] = folder.glob("*.whl")
    pip("install", "--no-deps", "--target", str(folder / "installed"), str(wheel))


@pytest.fixture(scope="session")
def wheel(made_once) -> Path:
    return next(made_once("wheel", build_wheel).glob("*.whl"))


@pytest.fixture
def run_alone(wheel, tmp_path):
    """Runs a notebook with the wheel by nbval; returns its exit code and words."""
    installed = str(wheel.parent / "installed")
    environment = os.environ | {"PYTHONPATH": installed}
    nbfiles.fix_environment(environment)
    settings = nbfiles.ROOT / "pyproject.toml"
    sanitize = nbfiles.ROOT / "tests" / "notebooks" / "sanitize.cfg"
    command = [sys.executable, "-m", "pytest", "-c", settings, "--rootdir", tmp_path]
    command += ["--nbval", f"--nbval-sanitize-with={sanitize}", "-q", "--color=no"]
    check = NOTHING_OF_THE_CHECKOUT.format(root=str(nbfiles.ROOT), installed=installed)

    def run(notebook, name="notebook.ipynb"):
        notebook.cells.append(new_code_cell(check))
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        nbfiles.write(file, notebook)
        result = subprocess.run(
            [*command, file],
            cwd=file.parent,
            env=environment,
            capture_output=True,
            text=True,
        )
        return result.returncode, result.stdout + result.stderr

    return run


@pytest.mark.parametrize(
    "path",
    nbfiles.find(nbfiles.ROOT),
    ids=lambda path: f"{path.parent.name}/{path.stem}",
)
def test_a_notebook_runs_alone_and_shows_what_is_stored(
    path, run_alone, tmp_path, request
):
    name, notebook = path.relative_to(nbfiles.ROOT), nbfiles.read(path)
    if "data" in notebook.metadata.tt:
        request.getfixturevalue("real_multi30k")  # skips where the captions are missing
    if name.parts[0] == "book":  # a page that shows what the benchmarks recorded
        shutil.copytree(nbfiles.ROOT / "benchmarks", tmp_path / "benchmarks")
    code, words = run_alone(notebook, name)
    if code:
        pytest.fail(words, pytrace=False)


def test_a_notebook_that_must_fail_fails(run_alone):
    """A changed output, and files and modules that only the checkout has."""
    tools = str(nbfiles.ROOT / "tools")
    complaints = {
        "print(2)": "Cell outputs differ",
        "open('book/notation.md')": "FileNotFoundError",
        "import nbfiles": "ModuleNotFoundError",
        f"import sys; sys.path.append({tools!r}); import nbfiles": "of the checkout:",
    }
    cells = [new_code_cell(source, execution_count=1) for source in complaints]
    cells[0].outputs = [new_output("stream", text="1\n")]
    code, words = run_alone(new_notebook(cells=cells))
    assert code == 1
    assert "4 failed, 1 passed" in words
    for complaint in complaints.values():
        assert complaint in words


def test_the_wheel_holds_every_file_of_the_package(wheel):
    wanted = {
        (place / path.relative_to(nbfiles.ROOT / folder)).as_posix()
        for folder, place in {
            "tt_utils": Path("tt_utils"),
            "benchmarks/results": Path("tt_utils/results"),
        }.items()
        for path in (nbfiles.ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    missing = wanted - set(zipfile.ZipFile(wheel).namelist())
    assert not missing, f"add {missing} to package-data in pyproject.toml"
