"""Notebook files as every tool here reads, names and writes them."""

from __future__ import annotations

import ast
import os
import re
import tempfile
from collections.abc import MutableMapping
from functools import cache
from pathlib import Path

import nbformat
import yaml

ROOT = Path(__file__).resolve().parents[1]
EXECUTED = ("notebooks", "solutions", "book")  # committed with their outputs
EVERY = (*EXECUTED, "exercises")
COMMAND = re.compile(r"^([ \t]*)[%!].*$", re.MULTILINE)  # of IPython
FOLDED = {"hide-input", "hide-cell", "remove-input", "remove-cell"}


def fix_environment(environment: MutableMapping[str, str] = os.environ) -> None:
    """What every kernel started with this environment finds the same.

    One thread, whatever the caller set: other counts add up in another order, which
    shows in the last digits of a long training run. Two notebooks side by side also
    use two cores better than one notebook with two threads.
    Points of the solutions go to a throw-away file, not to the author's own.
    """
    environment["OMP_NUM_THREADS"] = "1"
    points = Path(tempfile.mkdtemp(prefix="tt-points-")) / "progress.json"
    environment["TT_PROGRESS"] = str(points)


def find(root: Path, folders=EVERY) -> list[Path]:
    """All notebooks of these folders, in the order of their names."""
    return [
        path for folder in folders for path in sorted(root.glob(f"{folder}/*.ipynb"))
    ]


def read(path: Path) -> nbformat.NotebookNode:
    return nbformat.read(path, as_version=4)


def text_of(notebook: nbformat.NotebookNode) -> str:
    """The file's text as JupyterLab would write it."""
    return nbformat.writes(notebook).rstrip("\n") + "\n"


def write(path: Path, notebook: nbformat.NotebookNode) -> None:
    """Writes the bytes that JupyterLab would write, and no others."""
    text = text_of(notebook)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def place(root: Path, path: Path, cell: int | None = None) -> str:
    """How a message names a notebook, or one of its cells counted from 0."""
    name = path.relative_to(root).as_posix()
    return name if cell is None else f"{name}, cell {cell}"


def number(stem: str) -> str:
    """Of a chapter or companion, by the name of its file: 05, or 05b."""
    return stem.split("_")[0]


def tags(cell) -> list[str]:
    return cell.metadata.get("tags", [])


def plain(source: str) -> str:
    """A cell's Python: IPython's commands pass, another language's cell is empty."""
    return "" if source.startswith("%%") else COMMAND.sub(r"\1pass", source)


def is_folded(cell) -> bool:
    """Whether the book folds the cell's code, or leaves it out."""
    return not FOLDED.isdisjoint(tags(cell))


def defined_names(node: ast.AST) -> list[str]:
    """What a statement defines: a function, a class, or variables."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if not isinstance(node, ast.Assign | ast.AnnAssign):
        return []
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    parts = [part for target in targets for part in ast.walk(target)]
    return [
        part.id
        for part in parts
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    ]


def settings(root: Path) -> dict:
    """What `_config.yml` says."""
    return parsed((root / "_config.yml").read_text(encoding="utf-8"))


@cache
def parsed(text: str) -> dict:
    """Once for each text: YAML takes 30 ms, and every cell asks for an address."""
    return yaml.safe_load(text)


def repository(root: Path) -> tuple[str, str]:
    """The project's address and branch: `_config.yml` is their only home."""
    found = settings(root)["repository"]
    return found["url"].rstrip("/"), found["branch"]


def holds(path: Path, notebook: nbformat.NotebookNode) -> bool:
    """Is the file there, and this very notebook?"""
    return path.exists() and path.read_text("utf-8") == text_of(notebook)


def published(root: Path) -> str:
    """Where the built book is, with a slash at the end."""
    return settings(root)["html"]["baseurl"].rstrip("/") + "/"


def colab(root: Path) -> str:
    """Where Colab opens the project's files."""
    url, branch = repository(root)
    owner_and_name = url.removeprefix("https://github.com/")
    return f"https://colab.research.google.com/github/{owner_and_name}/blob/{branch}"
