"""Checks what no single cell can show: that every notebook keeps the house rules.

One line a failure: file, cell (counted from 0), what is wrong, the way out.
That outputs are *right* is proved by nbval, which runs them again.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbfiles
import nbformat
import sync

MAX_CODE_LINES = 40
MAX_MEDIAN_LINES = 8
MAX_WORDS = 120

TAGS = {
    "nbval-ignore-output",
    "nbval-check-output",
    "raises-exception",
    "nbval-skip",
    "hide-input",
    "hide-output",
    "hide-cell",
    "remove-input",
    "remove-output",
    "remove-cell",
}
# Jupyter and nbval pass over a tag that they don't know, so a slip would be silent.
TAG_LIKE = re.compile(r"nbval|hide|remove|raise", re.IGNORECASE)

ABSOLUTE_PATH = re.compile(r"(?<![\w.~/-])/(?:home|work|root|tmp)/[\w./-]+|\bC:\\\w+")
BASE64 = re.compile(r"base64,[A-Za-z0-9+/=\s]+")
SVG_DATE = re.compile(r"<dc:date>")
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
BARE_PICTURE = re.compile(r"!\[\s*\]\(|<img\b(?![^>]*\balt=\"[^\"]+\")[^>]*>")
FENCE = re.compile(r"^(`{3,}|~{3,}).*?^\1\s*$", re.MULTILINE | re.DOTALL)
# A plain code block may hold anything; one that opens with {name} is a directive.
PLAIN_FENCE = re.compile(r"^(`{3,}|~{3,})(?!\s*\{).*?^\1\s*$", re.MULTILINE | re.DOTALL)
INLINE_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
MATHS = re.compile(r"\$\$.*?\$\$|\$[^$\n]+\$", re.DOTALL)
TAG = re.compile(r"<[^>]+>")

Problem = tuple[int | None, str]


def texts(output) -> Iterator[str]:
    """Every piece of text in an output, without the bytes of pictures in it."""
    if output.output_type == "stream":
        yield output.text
    elif output.output_type == "error":
        yield "\n".join([output.evalue, *output.traceback])
    else:
        for kind, data in output.data.items():
            if isinstance(data, str) and kind not in ("image/png", "image/jpeg"):
                yield BASE64.sub("", data)


def file_problems(path: Path) -> Iterator[Problem]:
    """Faults of the file, which reading it as a notebook might repair unseen."""
    try:
        notebook = nbformat.from_dict(json.loads(path.read_text(encoding="utf-8")))
    except ValueError as error:
        yield None, f"is not JSON ({error}); restore it, or undo a bad merge"
        return
    if (notebook.nbformat, notebook.nbformat_minor) < (4, 5):
        yield None, "has no cell ids; set nbformat_minor to 5 and save it in JupyterLab"
        return
    ids = [cell.get("id") for cell in notebook.cells]
    for index, name in enumerate(ids):
        if name is None or name in ids[:index]:
            yield index, f"its id is {name}, but must be its own; write another one"
            return
    try:
        nbformat.validate(notebook)
    except nbformat.ValidationError as error:
        reason = str(error).splitlines()[0]
        yield None, f"is no valid notebook ({reason}); open and save it in JupyterLab"


def title_problems(notebook, path: Path) -> Iterator[Problem]:
    if path.parent.name == "notebooks":
        wanted = f"# {path.stem[:2]} · "
        if not notebook.cells[0].source.startswith(wanted):
            yield 0, f"the title must start with '{wanted}', as the file's name does"


def facts_problems(root: Path, notebook, path: Path) -> Iterator[Problem]:
    facts = notebook.metadata.get("tt", {})
    tests = {
        "minutes": lambda value: isinstance(value, int) and value > 0,
        "cpu_seconds": lambda value: isinstance(value, int | float) and value > 0,
        "gpu": lambda value: isinstance(value, str) and value.strip(),
        "needs": lambda value: isinstance(value, list),
    }
    for name, is_right in tests.items():
        if not is_right(facts.get(name)):
            yield (
                None,
                f"metadata.tt.{name} is {facts.get(name)!r}; write metadata.tt like"
                ' {"minutes": 25, "cpu_seconds": 10, "gpu": "not needed", "needs": []}',
            )
    for stem in facts.get("needs") or []:
        if not (root / "notebooks" / f"{stem}.ipynb").is_file():
            yield None, f"needs {stem}, but there is no notebooks/{stem}.ipynb"
        elif path.parent.name == "notebooks" and stem >= path.stem:
            yield None, f"needs {stem}, which comes after it; order the chapters anew"


def run_problems(notebook) -> Iterator[Problem]:
    """Cells that were not run from top to bottom in a fresh kernel."""
    wanted = 0
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type != "code":
            continue
        wanted += 1
        if cell.execution_count != wanted:
            found = cell.execution_count or "not run"
            yield (
                index,
                f"is run number {found}, but the {wanted}. code cell; run make execute",
            )
            return  # every later number is off as well
    if not any(cell.get("outputs") for cell in notebook.cells):
        yield None, "holds no output at all; run make execute"


def unrun_problems(notebook) -> Iterator[Problem]:
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type == "code" and (cell.outputs or cell.execution_count):
            yield index, "exercises are committed without outputs; run make sync"


def code_problems(index: int, cell) -> Iterator[Problem]:
    lines = len(cell.source.splitlines())
    if lines > MAX_CODE_LINES and "mirror" not in cell.metadata:
        yield (
            index,
            f"has {lines} lines, the ceiling is {MAX_CODE_LINES}; split the cell",
        )
    if cell.source.rstrip().endswith(";"):
        yield (
            index,
            "ends with a semicolon, which nbval ignores; write _ = ... to show nothing",
        )
    for output in cell.outputs:
        if output.output_type == "error":
            if "raises-exception" not in nbfiles.tags(cell):
                yield (
                    index,
                    f"holds the error {output.ename}; mend it, or tag the cell"
                    " raises-exception if the error is the lesson",
                )
            continue
        data = output.get("data", {})
        if any(kind.startswith("image/") for kind in data) and not alt_text(cell):
            yield (
                index,
                "shows a picture without alt text; say what it shows in the cell's"
                " metadata.mystnb.image.alt",
            )
        if SVG_DATE.search(data.get("image/svg+xml", "")):
            yield (
                index,
                "its picture holds today's date, so it changes with each run;"
                " draw it after tt_utils.plotting.use_style()",
            )


def alt_text(cell) -> str:
    return cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "").strip()


def tag_problems(index: int, cell) -> Iterator[Problem]:
    for tag in nbfiles.tags(cell):
        if tag == "nbval-raises-exception":
            yield index, f"{tag} is nbval's word alone; write raises-exception"
        elif TAG_LIKE.search(tag) and tag not in TAGS:
            yield (
                index,
                f"the tag {tag} means nothing; one of {', '.join(sorted(TAGS))}?",
            )


def path_problems(index: int, cell) -> Iterator[Problem]:
    for where, pieces in (
        ("source", [cell.source]),
        (
            "output",
            [text for output in cell.get("outputs", []) for text in texts(output)],
        ),
    ):
        match = next(filter(None, map(ABSOLUTE_PATH.search, pieces)), None)
        if match:
            yield (
                index,
                f"its {where} holds {match[0]}, one machine's path; use a relative one",
            )


def text_problems(root: Path, path: Path, index: int, cell) -> Iterator[Problem]:
    prose = INLINE_CODE.sub(" code ", FENCE.sub("", cell.source))
    words = count_words(prose)
    if words > MAX_WORDS:
        yield (
            index,
            f"has {words} words, the ceiling is {MAX_WORDS}; split or shorten it",
        )
    match = MYST.search(PLAIN_FENCE.sub("", cell.source))
    if match:
        yield (
            index,
            f"holds MyST ({match[0].strip()}), which only the book can show;"
            " write plain Markdown",
        )
    if BARE_PICTURE.search(prose):
        yield index, "shows a picture without alt text; write ![what it shows](file)"
    for link in LINK.finditer(prose):
        target = link[1] or link[2]
        if not target_exists(root, path, target):
            yield index, f"links to {target}, which does not exist; correct the link"


def count_words(prose: str) -> int:
    """Words that a reader reads: a formula counts as one, the facts line as none."""
    text = sync.FACTS.sub("", prose)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    text = TAG.sub(" ", MATHS.sub(" formula ", text))
    return sum(any(letter.isalnum() for letter in word) for word in text.split())


def target_exists(root: Path, path: Path, target: str) -> bool:
    """False only for a file of this project that is not there."""
    url, branch = nbfiles.repository(root)
    owner_and_name = url.removeprefix("https://github.com/")
    for prefix in (
        f"{url}/blob/{branch}/",
        f"{url}/tree/{branch}/",
        f"https://colab.research.google.com/github/{owner_and_name}/blob/{branch}/",
    ):
        if target.startswith(prefix):
            return (root / unquote(target.removeprefix(prefix).split("#")[0])).exists()
    parts = urlsplit(target)
    if parts.scheme or parts.netloc or not parts.path:
        return True
    return (path.parent / unquote(parts.path)).exists()


def size_problems(notebook) -> Iterator[Problem]:
    sizes = [
        len(cell.source.splitlines())
        for cell in notebook.cells
        if cell.cell_type == "code"
        and "mirror" not in cell.metadata
        and "setup" not in nbfiles.tags(cell)
    ]
    median = statistics.median(sizes or [0])
    if median > MAX_MEDIAN_LINES:
        yield (
            None,
            f"its code cells have {median:g} lines in the median, the ceiling is"
            f" {MAX_MEDIAN_LINES}; split the long ones",
        )


def setup_problems(root: Path, notebook) -> Iterator[Problem]:
    cell = notebook.cells[1] if len(notebook.cells) > 1 else None
    if (
        cell is None
        or cell.source != sync.setup_cell(root)
        or nbfiles.tags(cell) != sync.SETUP_TAGS
    ):
        yield 1, "is not the project's setup cell; run make sync"


def problems(root: Path, path: Path) -> Iterator[Problem]:
    faults = list(file_problems(path))
    if faults:
        yield from faults
        return
    notebook = nbfiles.read(path)
    if not notebook.cells or notebook.cells[0].cell_type != "markdown":
        yield 0, "must be a text cell with the title"
        return
    yield from title_problems(notebook, path)
    yield from facts_problems(root, notebook, path)
    yield from setup_problems(root, notebook)
    executed = path.parent.name in nbfiles.EXECUTED
    yield from run_problems(notebook) if executed else unrun_problems(notebook)
    if path.parent.name != "book":  # a page's folded code makes tables, not a lesson
        yield from size_problems(notebook)
    for index, cell in enumerate(notebook.cells):
        yield from tag_problems(index, cell)
        yield from path_problems(index, cell)
        if cell.cell_type == "code":
            yield from code_problems(index, cell)
        elif cell.cell_type == "markdown":
            yield from text_problems(root, path, index, cell)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: all of them")
    parser.add_argument(
        "--root", type=Path, default=nbfiles.ROOT, help=argparse.SUPPRESS
    )
    options = parser.parse_args(arguments)
    root = options.root.resolve()
    paths = [path.resolve() for path in options.notebooks] or nbfiles.find(root)
    count = 0
    for path in paths:
        for index, message in problems(root, path):
            print(f"{nbfiles.place(root, path, index)}: {message}")
            count += 1
    print(f"check_notebooks: {len(paths)} notebooks, {count or 'no'} problems")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
