"""Checks what no single cell can show: that every notebook keeps the house rules.

One line a failure: file, cell (counted from 0), what is wrong, the way out.
That outputs are *right* is proved by nbval, which runs them again; that setup cells and
exercises are as generated, by `--check` of sync.py and make_exercises.py.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import figure_rules
import names_in_view
import nbfiles
import nbformat
import predictions
import reading_time

MAX_CODE_LINES = 40
MAX_MEDIAN_LINES = 8  # on the way to 5
MAX_WORDS = 120  # on the way to 80

FACTS = {
    "minutes": lambda value: isinstance(value, int) and value > 0,
    "cpu_seconds": lambda value: isinstance(value, int | float) and value > 0,
    "gpu": lambda value: isinstance(value, str) and value.strip(),
    "needs": lambda value: isinstance(value, list),
}
TAGS = nbfiles.FOLDED | {
    "nbval-ignore-output",
    "nbval-check-output",
    "nbval-skip",
    "raises-exception",
    "hide-output",
    "remove-output",
}
# Jupyter and nbval pass over a tag that they don't know, so a slip would be silent.
TAG_LIKE = re.compile(r"nbval|hide|remove|raise", re.IGNORECASE)

MYST = re.compile(
    r"(?<![\w}\\])\{[a-z][\w:+-]*\}`"  # {role}`text`
    r"|^\s*(?:`{3,}|~{3,}|:{3,})\s*\{[a-z]"  # ```{directive}
    r"|^\([\w-]+\)=\s*$"  # (target)=
    r"|\{\{\s*\w+\s*\}\}",  # {{ substitution }}
    re.MULTILINE,
)
LINK = re.compile(
    r"!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)|\b(?:href|src)=[\"']([^\"']+)[\"']"
)
PAGE_SOURCE = re.compile(r"(?!\w+:)[^#]*\.md(#|$)")
NO_LINK = re.compile(r"\[\[[A-Za-z -]+\]\]")
BARE_PICTURE = re.compile(r"!\[\s*\]\(|<img\b(?![^>]*\balt=\"[^\"]+\")[^>]*>")
FENCE = re.compile(r"^(`{3,}|~{3,}).*?^\1\s*$", re.MULTILINE | re.DOTALL)
# A plain code block may hold anything; one that opens with {name} is a directive.
PLAIN_FENCE = re.compile(r"^(`{3,}|~{3,})(?!\s*\{).*?^\1\s*$", re.MULTILINE | re.DOTALL)
TITLE = re.compile(r"# @title \S")
INLINE_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)

Problem = tuple[int | None, str]


def file_problem(path: Path) -> str | None:
    """A fault of the file, which reading it as a notebook might repair unseen."""
    invalid = {}
    try:
        with warnings.catch_warnings(action="error"):
            notebook = nbformat.read(path, 4, capture_validation_error=invalid)
    except (Warning, ValueError) as error:
        invalid["reading"] = error
    for error in invalid.values():
        reason = str(error).splitlines()[0]
        return f"is no valid notebook ({reason}); save it in JupyterLab, or restore it"
    if notebook.nbformat_minor < 5:
        return "has no cell ids; set nbformat_minor to 5 and save it in JupyterLab"
    return None


def notebook_problems(root: Path, path: Path, notebook) -> Iterator[Problem]:
    """Faults of the whole: title, facts, order of runs, length of cells."""
    in_book = path.parent.name == "notebooks"
    wanted = f"# {nbfiles.number(path.stem)} · " if in_book else "# "
    if not notebook.cells or not notebook.cells[0].source.startswith(wanted):
        yield 0, f"must be a text cell whose title starts with '{wanted}'"
    facts = notebook.metadata.get("tt", {})
    for name, is_right in FACTS.items():
        if name == "minutes" and reading_time.is_counted(path):
            continue
        if not is_right(facts.get(name)):
            yield (
                None,
                f"metadata.tt.{name} is {facts.get(name)!r}; write metadata.tt like"
                ' {"minutes": 25, "cpu_seconds": 10, "gpu": "not needed", "needs": []}',
            )
    for stem in facts.get("needs") or []:
        if not (root / "notebooks" / f"{stem}.ipynb").is_file():
            yield None, f"needs {stem}, but there is no notebooks/{stem}.ipynb"
        elif in_book and stem >= path.stem:
            yield None, f"needs {stem}, which comes after it; order the chapters anew"
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    runs = [cell.execution_count for cell in code]
    if runs != list(range(1, len(runs) + 1)):
        yield None, "was not run from top to bottom, each cell once; run make execute"
    if not any(cell.outputs for cell in code):
        yield None, "holds no output at all; run make execute"
    if path.parent.name == "book" or facts.get("listing"):
        return  # folded code that makes tables, or whole classes to look up
    seen = [cell for cell in code if is_ours(cell) and not nbfiles.is_folded(cell)]
    sizes = [line_count(cell) for cell in seen]
    if (median := statistics.median(sizes or [0])) > MAX_MEDIAN_LINES:
        yield (
            None,
            f"its code cells have {median:g} lines in the median, the ceiling is"
            f" {MAX_MEDIAN_LINES}; split the long ones",
        )


def is_ours(cell) -> bool:
    """Whether the cell is written here, and not copied from elsewhere."""
    return "mirror" not in cell.metadata and "setup" not in nbfiles.tags(cell)


def line_count(cell) -> int:
    return len(cell.source.splitlines())


def tag_problems(cell) -> Iterator[str]:
    for tag in nbfiles.tags(cell):
        if TAG_LIKE.search(tag) and tag not in TAGS:
            yield f"the tag {tag} means nothing; one of {', '.join(sorted(TAGS))}?"


def code_problems(cell) -> Iterator[str]:
    yield from figure_rules.picture_problems(cell)
    if is_ours(cell) and line_count(cell) > MAX_CODE_LINES:
        yield (
            f"has {line_count(cell)} lines, the ceiling is {MAX_CODE_LINES};"
            " split the cell"
        )
    if cell.source.rstrip().endswith(";"):
        yield "ends with a semicolon, which nbval ignores; write _ = ... instead"
    for output in cell.outputs:
        is_error = output.output_type == "error"
        if is_error and "raises-exception" not in nbfiles.tags(cell):
            yield (
                f"holds the error {output.ename}; mend it, or tag the cell"
                " raises-exception if the error is the lesson"
            )


def fold_problems(notebook) -> Iterator[Problem]:
    """Code of a chapter that is folded without a name of its own."""
    seen = set()
    for index, cell in enumerate(notebook.cells):
        if not nbfiles.is_folded(cell) or "setup" in nbfiles.tags(cell):
            continue
        first = cell.source.split("\n")[0]
        if not TITLE.match(first):
            yield (
                index,
                "is folded without a name; begin it with # @title and what it does,"
                " which Colab shows in place of the code",
            )
        elif first in seen:
            yield index, f"is folded under a name that another cell has: {first}"
        seen.add(first)


def text_problems(root: Path, path: Path, cell) -> Iterator[str]:
    prose = INLINE_CODE.sub(" code ", FENCE.sub("", cell.source))
    if (words := reading_time.count_words(prose)) > MAX_WORDS:
        yield f"has {words} words, the ceiling is {MAX_WORDS}; split or shorten it"
    if match := MYST.search(PLAIN_FENCE.sub("", cell.source)):
        yield (
            f"holds MyST ({match[0].strip()}), which only the book can show;"
            " write plain Markdown"
        )
    if match := NO_LINK.search(prose):
        yield f"shows {match[0]} as it stands; link the term to the glossary"
    if BARE_PICTURE.search(prose):
        yield "shows a picture without alt text; write ![what it shows](file)"
    for link in LINK.finditer(prose):
        if PAGE_SOURCE.match(target := link[1] or link[2]):
            yield (
                f"links to {target}, which is no page in JupyterLab and on Colab;"
                f" write its address in {nbfiles.published(root)}"
            )
    for target in broken_links(root, path, prose):
        yield f"links to {target}, which does not exist; correct the link"


def broken_links(root: Path, path: Path, text: str) -> Iterator[str]:
    """Links to files of this project, by path or by its address, that are not there."""
    url, branch = nbfiles.repository(root)
    book = nbfiles.published(root)
    homes = (
        f"{url}/blob/{branch}/",
        f"{url}/tree/{branch}/",
        f"{nbfiles.colab(root)}/",
    )
    for link in LINK.finditer(text):
        target = link[1] or link[2]
        folder, name = path.parent, target
        for home in homes:
            if target.startswith(home):
                folder, name = root, target.removeprefix(home)
        parts = urlsplit(name.removeprefix(book))
        if name.startswith(book):
            page = parts.path.removesuffix(".html")
            sources = [root / f"{page}{kind}" for kind in (".md", ".ipynb")]
            if page and not any(source.exists() for source in sources):
                yield target
        elif not parts.scheme and not (folder / unquote(parts.path)).exists():
            yield target


def problems(root: Path, path: Path) -> Iterator[Problem]:
    if problem := file_problem(path):
        yield None, problem
        return
    notebook = nbfiles.read(path)
    yield from notebook_problems(root, path, notebook)
    if path.parent.name == "notebooks":
        yield from figure_rules.link_problems(path, notebook)
        yield from fold_problems(notebook)
        yield from names_in_view.problems(notebook)
        yield from predictions.problems(notebook)
        yield from ((None, message) for message in reading_time.problems(notebook))
    for index, cell in enumerate(notebook.cells):
        found = [*tag_problems(cell)]
        if cell.cell_type == "code":
            found += code_problems(cell)
        elif cell.cell_type == "markdown":
            found += text_problems(root, path, cell)
        yield from ((index, message) for message in found)


def main(arguments: list[str] | None = None, root: Path = nbfiles.ROOT) -> int:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args(arguments)
    paths = nbfiles.find(root, nbfiles.EXECUTED)
    found = [
        f"{nbfiles.place(root, path, index)}: {message}"
        for path in paths
        for index, message in problems(root, path)
    ]
    print(*found, sep="\n", end="\n" if found else "")
    print(f"check_notebooks: {len(paths)} notebooks, {len(found) or 'no'} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
