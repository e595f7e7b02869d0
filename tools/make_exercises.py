"""Writes exercises/ from the masters in solutions/; `--check` only compares.

A master is a solved notebook. In its code cells

    ### BEGIN SOLUTION          hides these lines; `...` takes their place
    ### BEGIN STUB              optional: hides the lines above, shows those below
    # total = wrong + code      (the stub, commented out so that the master runs)
    ### END SOLUTION

and a cell with the tag `solution-only` is left out. Before anything is written, every
exercise is searched for lines of the solutions and of the graders' references.
"""

from __future__ import annotations

import argparse
import ast
import copy
import inspect
import json
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

import nbfiles
import nbformat

from tt_utils.grading import tasks

BEGIN, STUB, END = "### BEGIN SOLUTION", "### BEGIN STUB", "### END SOLUTION"
DEFAULT_STUB = "...  # your code here"
OMITTED = "solution-only"
SHORT = 8  # characters without blanks; a shorter line must match as a whole


@dataclass
class Split:
    """One master cell: its text for the exercise, and the lines that it hides."""

    shown: str
    hidden: list[str] = field(default_factory=list)
    stub: list[str] = field(default_factory=list)


class Unbalanced(ValueError):
    """Markers that do not pair up; the message says where."""


def split(source: str) -> Split:
    """Replaces each solution by its stub; raises Unbalanced."""
    result, shown = Split(""), []
    state, stub, indent = "outside", [], ""
    for number, line in enumerate(source.splitlines(), start=1):
        marker = line.strip()
        allowed = {BEGIN: ("outside",), STUB: ("solution",), END: ("solution", "stub")}
        if marker.startswith("###") and marker not in allowed:
            raise Unbalanced(f"line {number}: {marker!r} is no marker; typing mistake?")
        if marker in allowed and state not in allowed[marker]:
            raise Unbalanced(f"line {number}: {marker!r} has no partner")
        if marker == BEGIN:
            state, stub, indent = "solution", [], line[: line.index("#")]
        elif marker == STUB:
            state = "stub"
        elif marker == END:
            if state == "solution":
                stub = [indent + DEFAULT_STUB]
            shown += stub
            result.stub += stub
            state = "outside"
        elif state == "solution":
            result.hidden.append(line)
        elif state == "stub":
            if marker and not marker.startswith("#"):
                raise Unbalanced(f"line {number}: a stub's lines must be comments")
            stub.append(re.sub(r"^(\s*)# ?", r"\1", line, count=1))
        else:
            shown.append(line)
    if state != "outside":
        raise Unbalanced(f"a {BEGIN!r} has no {END!r}")
    result.shown = "\n".join(shown)
    return result


def make_exercise(master) -> tuple[nbformat.NotebookNode, list[Split], list[str]]:
    """The exercise, what it must not show, and what is wrong with the master."""
    exercise = copy.deepcopy(master)
    exercise.cells, splits, problems = [], [], []
    for index, cell in enumerate(master.cells):
        if OMITTED in nbfiles.tags(cell):
            splits.append(Split("", cell.source.splitlines()))
            continue
        cell = copy.deepcopy(cell)
        if cell.cell_type == "code":
            try:
                splits.append(split(cell.source))
                cell.source = splits[-1].shown
                if "setup" not in nbfiles.tags(cell):
                    ast.parse(cell.source)
            except (Unbalanced, SyntaxError) as error:
                problems.append(f"cell {index}: {error}")
            cell.outputs, cell.execution_count = [], None
        exercise.cells.append(cell)
    return exercise, splits, problems


def unhidden_answers(master) -> list[str]:
    """Answers given to `check` that no marker hides: the markers were forgotten."""
    problems = []
    guarded: dict[str, bool] = {}
    for index, cell in enumerate(master.cells):
        if cell.cell_type != "code" or "setup" in nbfiles.tags(cell):
            continue
        inside = _solution_lines(cell.source.splitlines())
        for node in ast.walk(ast.parse(cell.source)):
            for name in _names_defined(node):
                span = range(node.lineno, node.end_lineno + 1)
                guarded[name] = bool(inside.intersection(span))
            problems += [
                f"cell {index}: checks `{name}`, but no {BEGIN!r} hides its definition"
                for name in _names_checked(node)
                if not guarded.get(name, False)
            ]
    return problems


def _solution_lines(lines: list[str]) -> set[int]:
    inside, found = False, set()
    for number, line in enumerate(lines, start=1):
        inside = (inside or line.strip() == BEGIN) and line.strip() != END
        if inside:
            found.add(number)
    return found


def _names_defined(node: ast.AST) -> list[str]:
    if isinstance(node, ast.FunctionDef):
        return [node.name]
    if isinstance(node, ast.Assign):
        return [n.id for t in node.targets for n in ast.walk(t) if _is_name(n)]
    return []


def _is_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Name)


def _names_checked(node: ast.AST) -> list[str]:
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "check"
    ):
        return [argument.id for argument in node.args[1:] if _is_name(argument)]
    return []


def reference_lines(stem: str) -> list[str]:
    """The bodies of the graders' references for the chapter of this notebook."""
    lines = []
    for task in tasks.of_chapter(stem[:2]).values():
        if callable(task.reference) and task.reference.__name__ != "<lambda>":
            lines += inspect.getsource(task.reference).splitlines()[1:]
    return lines


def bare(line: str) -> str:
    """A line without blanks and comment, to compare by."""
    return re.sub(r"\s+", "", line.split("#")[0])


def leaks(exercise, splits: list[Split], reference: list[str]) -> list[tuple[int, str]]:
    """Exercise lines that hold a hidden line or a reference's, with their cells.

    What a stub shows on purpose is no leak, nor a line of one word (`else:`).
    """
    allowed = {bare(line) for part in splits for line in part.stub}
    hidden = [line for part in splits for line in part.hidden]
    secrets = {bare(line) for line in (*hidden, *reference)} - allowed
    secrets = {secret for secret in secrets if not re.fullmatch(r"\W*\w*\W*", secret)}
    return [
        (index, line)
        for index, cell in enumerate(exercise.cells)
        for line in cell.source.splitlines()
        if bare(line) in secrets
        or any(len(secret) >= SHORT and secret in bare(line) for secret in secrets)
    ]


def line_number(text: str, cell, line: str) -> int:
    """Where a cell's line stands in the notebook's file, counted from 1."""
    start = text.find(f'"id": {json.dumps(cell.id)}')
    found = text.find(json.dumps(line, ensure_ascii=False)[1:-1], max(start, 0))
    return text.count("\n", 0, found) + 1


def shown_solutions(root: Path, target: Path, text: str, splits, reference):
    """A message for each line of this exercise's text that shows a solution."""
    exercise = nbformat.reads(text, as_version=4)
    for index, line in leaks(exercise, splits, reference):
        where = line_number(text, exercise.cells[index], line)
        place = nbfiles.place(root, target)
        yield f"{place}, line {where}: shows a line of the solution: {line.strip()}"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument(
        "--root", type=Path, default=nbfiles.ROOT, help=argparse.SUPPRESS
    )
    options = parser.parse_args(arguments)
    root = options.root.resolve()
    problems, made = [], {}
    for path in nbfiles.find(root, ("solutions",)):
        target = root / "exercises" / path.name
        master = nbfiles.read(path)
        exercise, splits, faults = make_exercise(master)
        faults = faults or unhidden_answers(master)
        problems += [f"{nbfiles.place(root, path)}, {fault}" for fault in faults]
        made[target] = nbfiles.text_of(exercise)
        texts = [made[target]]
        if options.check and target.exists():
            texts.append(target.read_text(encoding="utf-8"))
        for text in dict.fromkeys(texts):
            reference = reference_lines(path.stem)
            problems += shown_solutions(root, target, text, splits, reference)
        if texts[-1] != made[target]:
            place = nbfiles.place(root, target)
            problems.append(f"{place} is not what its master gives; run make sync")
        elif options.check and not target.exists():
            problems.append(f"{nbfiles.place(root, target)} is missing; run make sync")
    for path in nbfiles.find(root, ("exercises",)):
        if path not in made:
            place = nbfiles.place(root, path)
            problems.append(f"{place} has no master in solutions/; delete it")
    for problem in problems:
        print(problem)
    if not problems and not options.check:
        for path, text in made.items():
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    print(f"make_exercises: {len(made)} masters, {len(problems) or 'no'} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
