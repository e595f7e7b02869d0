"""Runs the long notebooks that something has changed for, and notes what they ran with.

A notebook that takes 40 seconds or more is tested again when anything has changed that
its outputs come from: its code, a module of the package that it reaches, the files
beside that, recorded results, the pinned versions. `tests/notebooks/ran.json` keeps a
digest of all that for each, from the last time it showed what is stored. With
`TT_ALL_NOTEBOOKS=1` every one counts as changed, as each week in CI.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import nbfiles
import pytest
from quick_tests import ALONE

LONG = 40  # seconds, as a notebook's facts say
RAN = Path("tests/notebooks/ran.json")
# Code that loads modules by names which stand in no import statement.
LOADS_ANY = "importlib"
# Beside a module, what no output comes from: a widget's script and its still picture.
NOT_READ = (".mjs", ".svg", ".pyc")
# A call of `recorded`, and the name in it, "" if that stands in no literal.
ASKED = re.compile(r"""(?<!def )\brecorded\((?:f?["']([\w{}]+)["'])?""")
DISTRIBUTION = re.compile(r"[\w-]+")


def name_of(root: Path, path: Path) -> str:
    return path.relative_to(root).with_suffix("").as_posix()


def is_long(path: Path) -> bool:
    return nbfiles.read(path).metadata.tt["cpu_seconds"] >= LONG


def long(root: Path) -> dict[str, Path]:
    return {name_of(root, path): path for path in nbfiles.find(root) if is_long(path)}


def unchanged(root: Path) -> set[str]:
    """The long notebooks that ran with just what is there now."""
    if os.environ.get("TT_ALL_NOTEBOOKS", "0") != "0":
        return set()
    ran, there = noted(root), long(root)
    return {
        name for name in ran.keys() & there if ran[name] == digest(root, there[name])
    }


def noted(root: Path) -> dict[str, str]:
    """The digests that stand in the file; none where there is no file yet."""
    file = root / RAN
    return json.loads(file.read_text("utf-8")) if file.exists() else {}


def note(root: Path, ran: dict[str, str]) -> None:
    """Add digests to the file; notebooks that are gone or no longer long leave it."""
    there = long(root)
    kept = {name: one for name, one in (noted(root) | ran).items() if name in there}
    (root / RAN).write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", "utf-8")


def digest(root: Path, path: Path) -> str:
    """A notebook's code, its stored outputs, and all that it runs with."""
    notebook = nbfiles.read(path)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    sources = [cell.source for cell in code if "setup" not in nbfiles.tags(cell)]
    found = hashlib.sha256(json.dumps([code, pins(root)]).encode())
    for file in sorted(reached(root, sources)):
        found.update(f"\n{file.relative_to(root).as_posix()}\n".encode())
        found.update(file.read_bytes())
    return found.hexdigest()[:16]


@cache
def pins(root: Path) -> list[str]:
    """The pinned versions of what the package itself asks for."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    asked = {named(line) for line in project["dependencies"]}
    lines = (root / "requirements.txt").read_text("utf-8").splitlines()
    return [line for line in lines if named(line) in asked]


def named(line: str) -> str:
    """The distribution that a requirement begins with, "" for another line."""
    found = DISTRIBUTION.match(line)
    return found[0] if found else ""


def reached(root: Path, sources: Iterable[str]) -> set[Path]:
    """Files of the package that code uses, directly or through other modules."""
    found: set[Path] = set()
    waiting = {module for source in sources for module in imported(root, source)}
    while waiting:
        found |= waiting
        waiting = {other for one in waiting for other in used_by(root, one)} - found
    texts = [file.read_text("utf-8") for file in found if file.suffix == ".py"]
    folders = {file.parent for file in found}
    return found.union(results(root, [*sources, *texts]), *map(beside, folders))


def results(root: Path, texts: Iterable[str]) -> set[Path]:
    """The recorded results that code asks for; all, where it doesn't say by name."""
    asked = [name for text in texts for name in ASKED.findall(text)]
    patterns = {re.sub(r"{.*?}", "*", name) or "*" for name in asked}
    folder = root / "benchmarks" / "results"
    return {file for name in patterns for file in folder.glob(f"*/{name}.json")}


@cache
def used_by(root: Path, module: Path) -> set[Path]:
    if module.suffix != ".py":
        return set()
    text = module.read_text("utf-8")
    if LOADS_ANY in text:
        modules = (root / "tt_utils").rglob("*.py")
        return {file for file in modules if "grading" not in file.parts}
    return set(imported(root, text))


def imported(root: Path, source: str) -> Iterator[Path]:
    """Modules of the package that a text imports anywhere, with their packages."""
    for node in ast.walk(ast.parse(nbfiles.plain(source))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{a.name}" for a in node.names)]
        for name in names:
            parts = name.split(".")
            if parts[0] == "tt_utils":
                yield from files_of(root, parts)


def files_of(root: Path, parts: list[str]) -> Iterator[Path]:
    for end in range(1, len(parts) + 1):
        place = root.joinpath(*parts[:end])
        for file in (place / "__init__.py", place.with_suffix(".py")):
            if file.is_file():
                yield file


def beside(folder: Path) -> Iterator[Path]:
    """Data that modules of a folder may read: what lies there and below it."""
    for file in folder.iterdir():
        if file.is_dir() and not (file / "__init__.py").exists():
            yield from beside(file)
        elif file.is_file() and file.suffix not in (".py", *NOT_READ):
            yield file


class Noting:
    """Remembers which notebooks passed."""

    def __init__(self) -> None:
        self.passed: list[str] = []

    def pytest_runtest_logreport(self, report) -> None:
        if report.when == "call" and report.passed and "[" in report.nodeid:
            self.passed.append(report.nodeid.split("[")[1].rstrip("]"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", action="store_true", help="only say how many")
    given, root = parser.parse_args(), nbfiles.ROOT
    there = long(root)
    waiting = sorted(there.keys() - unchanged(root))
    print(f"long_notebooks: {len(waiting)} of {len(there)} have to run")
    if given.count or not waiting:
        return 0
    noting = Noting()
    tests = [ALONE.format(name) for name in waiting]
    code = pytest.main(["-n", "2", "-q", *tests], plugins=[noting])
    note(root, {name: digest(root, there[name]) for name in noting.passed})
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
