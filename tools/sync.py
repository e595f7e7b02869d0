"""Writes what notebooks hold but do not own; `--check` only compares.

| in the notebook            | its home                                       |
|----------------------------|------------------------------------------------|
| the setup cell             | this file, with the address in `_config.yml`   |
| the facts under the title  | the notebook's `metadata.tt`, `_config.yml`    |
| a cell with `mirror`       | the object of `tt_utils` that the cell names   |
| `<span data-value="n">`    | the stored output of `tell(n=...)`             |

And the other way round: a cell with `picture` in its metadata names the file that its
stored SVG is also kept in, for pages outside the book.

Exercises are generated from the masters in `solutions/`, so they get all of it there.
"""

from __future__ import annotations

import argparse
import ast
import html
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import nbfiles
import nbformat

from tt_utils.runtime import VALUES_MIME

SETUP_TAGS = ["setup", "remove-cell"]
SETUP = """\
# Where tt_utils is missing, as on Colab, this installs it. Elsewhere it does nothing.
import importlib.util

if importlib.util.find_spec("tt_utils") is None:
    repository = "{url}"
    %pip install -q git+{{repository}}@{branch}"""

FACTS_NEEDED = ("minutes", "cpu_seconds", "gpu", "needs")
FACTS = re.compile(r'\n*<p class="tt-facts">.*?</p>\s*\Z', re.DOTALL)
VALUE = re.compile(r'<span data-value="([^"]*)">([^<]*)</span>')


class Stale(Exception):
    """A notebook names something that does not exist: only its author can mend it."""


def setup_cell(root: Path) -> str:
    url, branch = nbfiles.repository(root)
    return SETUP.format(url=url, branch=branch)


def facts_line(root: Path, path: Path, facts: dict) -> str:
    """What a reader wants to know before starting, with the link that starts it."""
    lacking = [name for name in FACTS_NEEDED if name not in facts]
    if lacking:
        raise Stale(f"metadata.tt lacks {', '.join(lacking)}; add it to the notebook")
    url, branch = nbfiles.repository(root)
    # A master becomes the exercise of the same name, and that is what readers open.
    folder = "exercises" if path.parent.name == "solutions" else path.parent.name
    up = "" if folder == "notebooks" else "../notebooks/"
    needs = [
        f'<a href="{up}{stem}.ipynb">chapter {stem[:2]}</a>' for stem in facts["needs"]
    ]
    seconds = facts["cpu_seconds"]
    run_time = f"{seconds} s" if seconds < 120 else f"{round(seconds / 60)} min"
    colab = (
        "https://colab.research.google.com/github/"
        f"{url.removeprefix('https://github.com/')}/blob/{branch}/{folder}/{path.name}"
    )
    parts = [
        f"Reading time {facts['minutes']} min",
        f"runs in about {run_time} on two CPU cores",
        f"GPU {facts['gpu']}",
        f"needs {', '.join(needs)}" if needs else "needs no other chapter",
        f'<a href="{colab}">Open in Colab</a>',
    ]
    return f'<p class="tt-facts">{" · ".join(parts)}</p>'


def mirrored_source(root: Path, target: str) -> str:
    """The source of `"tt_utils.module:name,other"`, read without importing it."""
    module, _, names = target.partition(":")
    base = root.joinpath(*module.split("."))
    candidates = (base.with_suffix(".py"), base / "__init__.py")
    file = next((path for path in candidates if path.is_file()), None)
    if not module.startswith("tt_utils") or file is None:
        raise Stale(f"mirrors {target}, but there is no module {module}")
    text = file.read_text(encoding="utf-8")
    lines = text.splitlines()
    spans = {}
    for node in ast.parse(text).body:
        first = min([node.lineno, *(d.lineno for d in decorators(node))])
        for name in defined_names(node):
            spans[name] = (first - 1, node.end_lineno)
    pieces = []
    for name in names.split(","):
        if name.strip() not in spans:
            raise Stale(
                f"mirrors {target}, but {module} defines no {name.strip() or 'object'};"
                " write the name that it has now into the cell's metadata.mirror"
            )
        first, last = spans[name.strip()]
        pieces.append("\n".join(lines[first:last]))
    return "\n\n\n".join(pieces)


def decorators(node: ast.stmt) -> list[ast.expr]:
    return getattr(node, "decorator_list", [])


def defined_names(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Assign):
        return [target.id for target in node.targets if isinstance(target, ast.Name)]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return [node.target.id]
    return []


def told_values(notebook: nbformat.NotebookNode) -> dict[str, str]:
    """Every name that a stored output tells, with its text."""
    values = {}
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            for name, text in output.get("data", {}).get(VALUES_MIME, {}).items():
                if values.setdefault(name, text) != text:
                    raise Stale(f"tells {name} twice, as {values[name]} and as {text}")
    return values


def with_values(source: str, values: dict[str, str]) -> str:
    """The text with each `<span data-value>` holding what the outputs tell."""
    if source.count("data-value") != len(VALUE.findall(source)):
        raise Stale(
            'has a data-value that is not written <span data-value="name">text</span>'
        )

    def fill(match: re.Match) -> str:
        name = match[1]
        if name not in values:
            raise Stale(
                f"shows the value {name}, but no stored output tells it;"
                f" call tell({name}=...) in a code cell and run make execute"
            )
        return (
            f'<span data-value="{name}">{html.escape(values[name], quote=False)}</span>'
        )

    return VALUE.sub(fill, source)


@dataclass
class Draft:
    """A notebook being brought up to date, and what there is to say about it."""

    root: Path
    path: Path
    notebook: nbformat.NotebookNode
    changed: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    pictures: dict[Path, str] = field(default_factory=dict)

    def note(self, index: int, what: str) -> None:
        self.changed.append(f"{nbfiles.place(self.root, self.path, index)}: {what}")

    def put(self, index: int, source: str, what: str) -> None:
        if self.notebook.cells[index].source != source:
            self.notebook.cells[index].source = source
            self.note(index, what)

    @contextmanager
    def collect_stale(self, index: int | None = None) -> Iterator[None]:
        """So that one run names everything that the author has to mend."""
        try:
            yield
        except Stale as error:
            self.stale.append(f"{nbfiles.place(self.root, self.path, index)}: {error}")


def write_facts(draft: Draft) -> None:
    with draft.collect_stale(0):
        facts = facts_line(
            draft.root, draft.path, draft.notebook.metadata.get("tt", {})
        )
        text = FACTS.sub("", draft.notebook.cells[0].source) + "\n\n" + facts
        what = "the facts line is not what metadata.tt and _config.yml say"
        draft.put(0, text, what)


def write_setup(draft: Draft) -> None:
    cells = draft.notebook.cells
    if "setup" not in [tag for cell in cells[1:2] for tag in nbfiles.tags(cell)]:
        cells.insert(1, nbformat.v4.new_code_cell(id="setup"))
    source = setup_cell(draft.root)
    draft.put(1, source, "the setup cell is not the one of tools/sync.py")
    if nbfiles.tags(cells[1]) != SETUP_TAGS:
        cells[1].metadata["tags"] = list(SETUP_TAGS)
        draft.note(1, f"the setup cell's tags are not {SETUP_TAGS}")


def write_mirrors(draft: Draft) -> None:
    for index, cell in enumerate(draft.notebook.cells):
        target = cell.metadata.get("mirror")
        if target is not None:
            with draft.collect_stale(index):
                source = mirrored_source(draft.root, target)
                draft.put(index, source, f"the mirrored cell differs from {target}")


def write_values(draft: Draft) -> None:
    values = {}
    with draft.collect_stale():
        values = told_values(draft.notebook)
    for index, cell in enumerate(draft.notebook.cells):
        if cell.cell_type == "markdown":
            with draft.collect_stale(index):
                source = with_values(cell.source, values)
                draft.put(
                    index, source, "a number differs from the output that tells it"
                )


def collect_pictures(draft: Draft) -> None:
    for index, cell in enumerate(draft.notebook.cells):
        for output in cell.get("outputs", []) if "picture" in cell.metadata else []:
            svg = output.get("data", {}).get("image/svg+xml")
            file = draft.root / cell.metadata["picture"]
            if svg and not (file.is_file() and file.read_text(encoding="utf-8") == svg):
                draft.pictures[file] = svg
                draft.note(index, f"{cell.metadata['picture']} is not its picture")


def bring_up_to_date(root: Path, path: Path) -> Draft:
    draft = Draft(root, path, nbfiles.read(path))
    write_setup(draft)
    write_facts(draft)
    write_mirrors(draft)
    write_values(draft)
    collect_pictures(draft)
    return draft


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument(
        "--root", type=Path, default=nbfiles.ROOT, help=argparse.SUPPRESS
    )
    options = parser.parse_args(arguments)
    root = options.root.resolve()
    problems = 0
    paths = nbfiles.find(root, nbfiles.EXECUTED)
    for path in paths:
        draft = bring_up_to_date(root, path)
        for line in draft.stale:
            print(line)
        for line in draft.changed:
            print(
                f"{line}; run make sync" if options.check else f"{line}; written anew"
            )
        problems += len(draft.stale) + (len(draft.changed) if options.check else 0)
        if not options.check:
            nbfiles.write(path, draft.notebook)
            for file, svg in draft.pictures.items():
                file.write_text(svg, encoding="utf-8")
    state = "in step" if not problems else f"{problems} to mend"
    print(f"sync: {len(paths)} notebooks, {state}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
