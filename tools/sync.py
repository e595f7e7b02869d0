"""Writes what notebooks hold but do not own; `--check` only compares.

| in the notebook            | its home                                       |
|----------------------------|------------------------------------------------|
| the setup cell             | this file, with the address in `_config.yml`   |
| the facts under the title  | the notebook's `metadata.tt`, `_config.yml`    |
| a cell with `mirror`       | the object of `tt_utils` that the cell names   |
| `<span data-value="n">`    | the stored output of `tell(n=...)`             |
| what JupyterLab folds      | the cell's tags, the *Predict first* above it  |

And the other way round: a cell with `picture` in its metadata names the file that its
stored SVG is also kept in, for pages outside the book.

Exercises are generated from the masters in `solutions/`, so they get all of it there.
Values are spans and not myst-nb's `glue`: a span is plain Markdown, which JupyterLab
and Colab show too, where a glued number would be the bare name of its role.
"""

from __future__ import annotations

import argparse
import ast
import html
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import nbfiles
import nbformat
import predictions
import reading_time

from tt_utils.runtime import VALUES_MIME

SETUP_TAGS = ["setup", "remove-cell"]
SETUP = """\
# Where tt_utils is missing, as on Colab, this installs it. Elsewhere it does nothing.
import importlib.util

if importlib.util.find_spec("tt_utils") is None:
    repository = "{url}"
    %pip install -q git+{{repository}}@{branch}"""

FACTS_NEEDED = ("cpu_seconds", "gpu", "needs")
DOWNLOADS = {
    "multi30k": "downloads 1.3 MB once",
    "captions": "downloads 0.6 MB once",  # its English half
}
FOLD_KEYS = ("cellView", "jupyter")
VALUE = re.compile(r'(<span data-value="([^"]*)">)[^<]*</span>')


class Stale(Exception):
    """A notebook names something that does not exist: only its author can mend it."""


def setup_cell(root: Path) -> str:
    url, branch = nbfiles.repository(root)
    return SETUP.format(url=url, branch=branch)


def with_facts(root: Path, path: Path, notebook) -> str:
    """The title, and what a reader wants to know before starting."""
    title, facts = notebook.cells[0].source, notebook.metadata.get("tt", {})
    wanted = [*FACTS_NEEDED, *["minutes"] * (not reading_time.is_counted(path))]
    if lacking := [name for name in wanted if name not in facts]:
        raise Stale(f"metadata.tt lacks {', '.join(lacking)}; add it to the notebook")
    # A master becomes the exercise of the same name, and that is what readers open.
    folder = "exercises" if path.parent.name == "solutions" else path.parent.name
    up = "" if folder == "notebooks" else "../notebooks/"
    needs = [
        f'<a href="{up}{stem}.ipynb">chapter {nbfiles.number(stem)}</a>'
        for stem in facts["needs"]
    ]
    seconds = facts["cpu_seconds"]
    run_time = f"{seconds} s" if seconds < 120 else f"{round(seconds / 60)} min"
    colab = f"{nbfiles.colab(root)}/{folder}/{path.name}"
    parts = [
        f"Reading time {reading_time.minutes(path, notebook)} min",
        f"runs in about {run_time} on two CPU cores",
        f"GPU {facts['gpu']}",
        *([DOWNLOADS[facts["data"]]] if "data" in facts else []),
        f"needs {', '.join(needs) or 'no other chapter'}",
        f'<a href="{colab}">Open in Colab</a>',
    ]
    title = reading_time.FACTS.sub("", title)
    return f'{title}\n\n<p class="tt-facts">{" · ".join(parts)}</p>'


def mirrored_source(root: Path, target: str) -> str:
    """The source of `"tt_utils.module:name,other"`, read without importing it."""
    module, _, names = target.partition(":")
    base = root.joinpath(*module.split("."))
    files = [base.with_suffix(".py"), base / "__init__.py"]
    text = next((file.read_text("utf-8") for file in files if file.is_file()), None)
    if not module.startswith("tt_utils") or text is None:
        raise Stale(f"mirrors {target}, but there is no module {module}")
    sources = {}
    for node in ast.parse(text).body:
        parts = (node, *getattr(node, "decorator_list", ()))
        first = min(part.lineno for part in parts)
        for name in nbfiles.defined_names(node):
            lines = text.splitlines()[first - 1 : node.end_lineno]
            sources[name] = "\n".join(lines)
    wanted = [name.strip() for name in names.split(",")]
    for name in wanted:
        if name not in sources:
            raise Stale(
                f"mirrors {target}, but {module} defines no {name or 'object'};"
                " write the name that it has now into the cell's metadata.mirror"
            )
    return "\n\n\n".join(sources[name] for name in wanted)


def told_values(notebook: nbformat.NotebookNode) -> dict[str, set[str]]:
    """Every name that a stored output tells, with its texts: one, if all is well."""
    values = {}
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            for name, text in output.get("data", {}).get(VALUES_MIME, {}).items():
                values.setdefault(name, set()).add(text)
    return values


def with_values(source: str, values: dict[str, set[str]]) -> str:
    """The text with each `<span data-value>` holding what the outputs tell."""
    if source.count("data-value") != len(VALUE.findall(source)):
        raise Stale(
            'has a data-value that is not written <span data-value="name">text</span>'
        )

    def fill(match: re.Match) -> str:
        span, name = match.groups()
        texts = sorted(values.get(name, []))
        if not texts:
            raise Stale(
                f"shows the value {name}, but no stored output tells it;"
                f" call tell({name}=...) in a code cell and run make execute"
            )
        if len(texts) > 1:
            raise Stale(
                f"shows {name}, but outputs tell it as {' and as '.join(texts)}"
            )
        return f"{span}{html.escape(texts[0], quote=False)}</span>"

    return VALUE.sub(fill, source)


def homes(
    root: Path, path: Path, notebook
) -> Iterator[tuple[int, str, Callable[[], str]]]:
    """Each cell with another home: how to say that it differs, how to get its text."""
    yield 1, "the setup cell is not the one of tools/sync.py", partial(setup_cell, root)
    values = told_values(notebook)
    for index, cell in enumerate(notebook.cells):
        if target := cell.metadata.get("mirror"):
            what = f"the mirrored cell differs from {target}"
            yield index, what, partial(mirrored_source, root, target)
        elif cell.cell_type == "markdown":
            what = "a number differs from the output that tells it"
            yield index, what, partial(with_values, cell.source, values)
    # Last: the minutes depend on all other cells.
    what = "the facts line is not what metadata.tt and _config.yml say"
    yield 0, what, partial(with_facts, root, path, notebook)


def pictures(root: Path, notebook) -> Iterator[tuple[int, Path, str]]:
    """Cells whose stored SVG has a file too, which differs from it."""
    for index, cell in enumerate(notebook.cells):
        for output in cell.get("outputs", []) if "picture" in cell.metadata else []:
            file = root / cell.metadata["picture"]
            svg = output.get("data", {}).get("image/svg+xml")
            if svg and not (file.is_file() and file.read_text("utf-8") == svg):
                yield index, file, svg


def folds(notebook) -> Iterator[tuple[int, dict]]:
    """Each code cell with the metadata that folds it in JupyterLab and on Colab."""
    answering = predictions.answering(notebook)
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type != "code":
            continue
        wanted = {}
        if nbfiles.is_folded(cell):
            wanted = {"cellView": "form", "jupyter": {"source_hidden": True}}
        if index in answering:
            wanted.setdefault("jupyter", {})["outputs_hidden"] = True
        yield index, wanted


def mend(root: Path, path: Path, notebook: nbformat.NotebookNode):
    """Brings a notebook up to date.

    Returns what differed, and what only the author can mend, each with its cell.
    """
    cells, changed, stale = notebook.cells, [], []
    if "setup" not in [tag for cell in cells[1:2] for tag in nbfiles.tags(cell)]:
        cells.insert(1, nbformat.v4.new_code_cell(id="setup"))
    if nbfiles.tags(cells[1]) != SETUP_TAGS:
        cells[1].metadata["tags"] = list(SETUP_TAGS)
        changed.append((1, f"the setup cell's tags are not {SETUP_TAGS}"))
    for index, what, make in homes(root, path, notebook):
        try:
            source = make()
        except Stale as error:
            stale.append((index, error))
            continue
        if cells[index].source != source:
            cells[index].source = source
            changed.append((index, what))
    for index, wanted in folds(notebook):
        metadata = cells[index].metadata
        if {key: metadata[key] for key in FOLD_KEYS if key in metadata} != wanted:
            for key in FOLD_KEYS:
                metadata.pop(key, None)
            metadata.update(wanted)
            changed.append((index, "it is not folded in JupyterLab as in the book"))
    return changed, stale


def main(arguments: list[str] | None = None, root: Path = nbfiles.ROOT) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check = parser.parse_args(arguments).check
    ending = "; run make sync" if check else "; written anew"
    paths, problems = nbfiles.find(root, nbfiles.EXECUTED), 0
    for path in paths:
        notebook = nbfiles.read(path)
        changed, stale = mend(root, path, notebook)
        for index, file, svg in pictures(root, notebook):
            changed.append((index, f"{file.relative_to(root)} is not its picture"))
            if not check:
                file.write_text(svg, encoding="utf-8")
        if not check:
            nbfiles.write(path, notebook)
        lines = stale + [(index, what + ending) for index, what in changed]
        for index, line in lines:
            print(f"{nbfiles.place(root, path, index)}: {line}")
        problems += len(lines) if check else len(stale)
    state = f"{problems} to mend" if problems else "in step"
    print(f"sync: {len(paths)} notebooks, {state}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
