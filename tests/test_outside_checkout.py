"""Chapters and exercises run alone, in an empty folder, with the built wheel."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import nbclient
import nbfiles
import pytest
from nbformat.v4 import new_code_cell

SOURCES = ("tt_utils", "pyproject.toml", "README.md", "LICENSE")
CELL_TIMEOUT = 600


def pip(*arguments):
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*command, *arguments], check=True)


@pytest.fixture(scope="session")
def wheel(tmp_path_factory) -> Path:
    """Built from a copy: setuptools would leave, and later pick up, a build folder."""
    source = tmp_path_factory.mktemp("source")
    for name in SOURCES:
        origin = nbfiles.ROOT / name
        if origin.is_dir():
            unwanted = shutil.ignore_patterns("__pycache__")
            shutil.copytree(origin, source / name, ignore=unwanted)
        else:
            shutil.copy(origin, source)
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-deps", "--no-build-isolation", "-w", str(folder), str(source))
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="session")
def installed(wheel, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("installed")
    pip("install", "--no-deps", "--target", str(folder), str(wheel))
    return folder


def test_the_wheel_holds_every_file_of_the_package(wheel):
    package = nbfiles.ROOT / "tt_utils"
    wanted = {
        path.relative_to(nbfiles.ROOT).as_posix()
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    missing = wanted - set(zipfile.ZipFile(wheel).namelist())
    assert not missing, f"add {missing} to package-data in pyproject.toml"


@pytest.mark.parametrize(
    "path",
    nbfiles.find(nbfiles.ROOT, ("notebooks", "exercises")),
    ids=lambda path: f"{path.parent.name}/{path.stem}",
)
def test_a_notebook_runs_alone(path, installed, tmp_path):
    notebook = nbfiles.read(path)
    notebook.cells.append(new_code_cell("import tt_utils\n\nprint(tt_utils.__file__)"))
    client = nbclient.NotebookClient(
        notebook,
        timeout=CELL_TIMEOUT,
        kernel_name="python3",
        resources={"metadata": {"path": str(tmp_path)}},
    )
    client.execute(env={**os.environ, "PYTHONPATH": str(installed)})
    used = notebook.cells[-1].outputs[0].text.strip()
    assert Path(used).is_relative_to(installed), f"tt_utils came from {used}"
