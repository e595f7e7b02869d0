"""Makes a notebook's cell into code: magics and shell lines do nothing here."""

import ast
import linecache
import re
import traceback
from functools import cache
from types import CodeType
from typing import Any

from tt_utils.grading.classroom.student_side.hand_in import check, progress

LINE = re.compile(r"^([ \t]*)[%!](?!%).*(?:\\\n.*)*$", re.MULTILINE)
KEPT = re.compile(r"\A\s*%%(?:time|timeit|capture|prun)\b.*\n")  # these run their cell
DROPPED = re.compile(r"\A\s*%%")
AWAITS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT  # outside functions too, as in Jupyter


def compiled(source: str, number: int) -> CodeType:
    """Raises SyntaxError, as Python does, and what odd characters lead to."""
    source = without_magics(source)
    name = f"<cell {number}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    return compile(source, name, "exec", AWAITS, dont_inherit=True)


def run(code: CodeType, names: dict[str, Any]) -> None:
    """Run a cell; one that awaits runs to its end, in the loop of those before it."""
    waiting = eval(code, names)
    if waiting is not None:
        loop().run(waiting)


@cache
def loop() -> Any:
    """What runs all that a notebook awaits."""
    from asyncio import Runner

    return Runner()


def without_magics(source: str) -> str:
    """The cell in plain Python, its own lines at their places."""
    if is_python(source):
        return source
    if KEPT.match(source):
        return without_magics(KEPT.sub("\n", source))
    if DROPPED.match(source):
        return ""
    shorter = LINE.sub(r"\1pass", source)
    if is_python(shorter):
        return shorter
    # Rarer forms, such as `files = !ls` and `name?`, IPython itself knows.
    from IPython.core.inputtransformer2 import TransformerManager

    return TransformerManager().transform_cell(source)


def is_python(source: str) -> bool:
    try:
        ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def what_follows(
    source: str, number: int, error: BaseException
) -> tuple[set[str], CodeType | None]:
    """What the statement that raised would have defined, and all that comes after it.

    None if nothing does.
    """
    name = f"<cell {number}>"
    frames = traceback.extract_tb(error.__traceback__)
    line = next((f.lineno for f in frames if f.filename == name), None)
    if line is None:
        return set(), None
    body = ast.parse(without_magics(source)).body
    rest = [node for node in body if node.lineno > line]
    failed = [node for node in body if node.lineno <= line <= (node.end_lineno or 0)]
    bound = {one for node in failed for one in names_bound_by(node)}
    module = ast.Module(rest, type_ignores=[])
    code = compile(module, name, "exec", AWAITS, dont_inherit=True) if rest else None
    return bound, code


def names_bound_by(statement: ast.stmt) -> set[str]:
    """What a statement would have defined, had it run to its end."""
    found = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).partition(".")[0])
    return found


class Shell:
    """As much of IPython's shell as a cell may ask for: nothing happens."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Shell()

    def __call__(self, *_: Any, **__: Any) -> None:
        return None


def nothing(*_: Any, **__: Any) -> None:
    """Takes the place of what only shows something."""


def names_for_cells() -> dict[str, Any]:
    return {
        "display": nothing,
        "get_ipython": Shell,
        "check": check,
        "progress": progress,
    }
