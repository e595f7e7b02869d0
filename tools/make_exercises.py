"""Writes exercises/ from the masters in solutions/; `--check` only compares.

A master is a solved notebook. In its code cells

    ### BEGIN SOLUTION          hides these lines; `...` takes their place
    ### BEGIN STUB              optional: hides the lines above, shows those below
    # total = wrong + code      (the stub, commented out so that the master runs)
    ### END SOLUTION

and a cell with the tag `solution-only` is left out. Titles and points are written into
the masters from the tasks. The markers are nbgrader's, but its
`ClearSolutions` knows one stub for all, and comes with a second notebook server and an
extension in every reader's JupyterLab. Before anything is written, every exercise is
searched for lines of the solutions and of the graders' references.
"""

from __future__ import annotations

import argparse
import ast
import copy
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import nbfiles
import nbformat

from tt_utils.grading import tasks
from tt_utils.grading.tasks.spec import FunctionTask

SOLUTION = re.compile(
    r"^([ \t]*)### BEGIN SOLUTION\n(.*?)"
    r"(?:^[ \t]*### BEGIN STUB\n(.*?)\n)?"
    r"^[ \t]*### END SOLUTION$",
    re.MULTILINE | re.DOTALL,
)
MARKER = re.compile(r"^\s*(###.*)", re.MULTILINE)
COMMENT = re.compile(r"^([ \t]*)# ?", re.MULTILINE)
COUNT = re.compile(r"(?<=\n\n)\w+ tasks?, \d+ points(?=, about )")
HEADING = re.compile(
    r"## (?P<id>\d\d\.\d+) · .*\n\n(?P<level>[●○]{3}) · [^·\n]*"
    r" · (?P<minutes>\d+ minutes?) · \d+ points?(?=\n)"
)
DEFAULT_STUB = "...  # your code here"
OMITTED = "solution-only"
SHORT = 8  # characters without blanks; a shorter line must match as a whole


def make_exercise(master: nbformat.NotebookNode):
    """The exercise, the lines that it must not show, and those of its stubs.

    Raises ValueError where a marker has no partner or an answer no marker.
    """
    exercise, hidden, stubs = copy.deepcopy(master), [], []

    def stub_for(solution: re.Match) -> str:
        indent, lines, stub = solution.groups()
        stub = indent + DEFAULT_STUB if stub is None else COMMENT.sub(r"\1", stub)
        hidden.extend(lines.splitlines())
        stubs.extend(stub.splitlines())
        return stub

    for index, cell in enumerate(exercise.cells):
        if cell.cell_type == "code" and OMITTED not in nbfiles.tags(cell):
            cell.source = SOLUTION.sub(stub_for, cell.source)
            cell.outputs, cell.execution_count = [], None
            if marker := MARKER.search("\n".join([cell.source, *hidden])):
                message = f"cell {index}: {marker[1]!r} has no partner, or is misspelt"
                raise ValueError(message)
    for cell in exercise.cells.copy():
        if OMITTED in nbfiles.tags(cell):
            hidden += cell.source.splitlines()
            exercise.cells.remove(cell)
    solved, shown = definitions(master), definitions(exercise)
    for name in checked_names(master):
        if solved.get(name) == shown.get(name):
            raise ValueError(f"checks `{name}`, but no solution hides its definition")
    return exercise, hidden, stubs


def nodes(notebook: nbformat.NotebookNode) -> Iterator[ast.AST]:
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type == "code" and "setup" not in nbfiles.tags(cell):
            yield from ast.walk(ast.parse(cell.source, f"cell {index}"))


def definitions(notebook: nbformat.NotebookNode) -> dict[str, str]:
    """Each name with the code that defines it."""
    return {
        name: ast.dump(node)
        for node in nodes(notebook)
        for name in nbfiles.defined_names(node)
    }


def checked_names(notebook: nbformat.NotebookNode) -> Iterator[str]:
    """The answers that are given to `check`."""
    for node in nodes(notebook):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "check":
            yield from map(ast.unparse, node.args[1:])


def state_facts(master: nbformat.NotebookNode, stem: str) -> None:
    """Title, kind and points of each task, as the task itself has them; their time."""
    found = tasks.of_chapter(stem[:2])
    total = sum(task.points for task in found.values())
    minutes = 0
    for cell in master.cells:
        if cell.cell_type != "markdown":
            continue
        count = "1 task" if len(found) == 1 else f"{len(found)} tasks"
        cell.source = COUNT.sub(f"{count}, {total} points", cell.source)
        heading = HEADING.match(cell.source)
        if heading and heading["id"] in found:
            task = found[heading["id"]]
            facts = f"## {task.id} · {task.title}\n\n{heading['level']} · {task.kind}"
            facts += f" · {heading['minutes']} · {task.points} points"
            cell.source = facts + cell.source[heading.end() :]
            minutes += int(heading["minutes"].split()[0])
    master.metadata["tt"]["minutes"] = minutes


def reference_lines(stem: str) -> list[str]:
    """The bodies of the graders' references for the chapter of this notebook.

    Of a planted bug most of the right answer is shown; its solution is hidden anyway.
    """
    return [
        line
        for task in tasks.of_chapter(stem[:2]).values()
        if isinstance(task, FunctionTask) and task.kind != "find the bug"
        for line in task.right[0].splitlines()
        if not line.lstrip().startswith(("def ", "class ", "from ", "import "))
    ]


def set_up(exercise: nbformat.NotebookNode) -> set[str]:
    """The bare lines that are shown of any `__init__`: names to keep, no answer."""
    return {
        bare(line)
        for cell in exercise.cells
        if cell.cell_type == "code" and "setup" not in nbfiles.tags(cell)
        for node in ast.walk(ast.parse(cell.source))
        if isinstance(node, ast.FunctionDef) and node.name == "__init__"
        for line in cell.source.splitlines()[node.lineno - 1 : node.end_lineno]
    }


def bare(line: str) -> str:
    """A line without blanks and comment, to compare by."""
    return re.sub(r"\s+", "", line.split("#")[0])


def leaks(exercise, secret_lines, stubs) -> Iterator[tuple[int, str]]:
    """Lines of an exercise that hold a secret one, with their cells.

    What a stub shows on purpose is no leak, nor a line of one word (`else:`).
    """
    secrets = set(map(bare, secret_lines)) - set(map(bare, stubs))
    secrets = {secret for secret in secrets if not re.fullmatch(r"\W*\w*\W*", secret)}
    long = [secret for secret in secrets if len(secret) >= SHORT]
    for index, cell in enumerate(exercise.cells):
        for line in cell.source.splitlines():
            if bare(line) in secrets or any(secret in bare(line) for secret in long):
                yield index, line.strip()


def main(arguments: list[str] | None = None, root: Path = nbfiles.ROOT) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check = parser.parse_args(arguments).check
    masters, made, problems = nbfiles.find(root, ("solutions",)), {}, []
    for path in masters:
        target = root / "exercises" / path.name
        name = nbfiles.place(root, target)
        try:
            master = nbfiles.read(path)
            state_facts(master, path.stem)
            exercise, hidden, stubs = make_exercise(master)
        except (ValueError, SyntaxError) as error:
            problems.append(f"{nbfiles.place(root, path)}, {error}")
            continue
        made[path], made[target] = master, exercise
        given = set_up(exercise)
        references = [x for x in reference_lines(path.stem) if bare(x) not in given]
        if check and not nbfiles.holds(path, master):
            problems.append(
                f"{nbfiles.place(root, path)} states other points or titles"
            )
        if check and not target.exists():
            problems.append(f"{name} is missing; run make sync")
        elif check and not nbfiles.holds(target, exercise):
            problems.append(f"{name} is not what its master gives; run make sync")
            exercise = nbfiles.read(target)
        problems += [
            f"{name}, cell {index}: shows a line of the solution: {line}"
            for index, line in leaks(exercise, hidden + references, stubs)
        ]
    names = {path.name for path in masters}
    problems += [
        f"{nbfiles.place(root, path)} has no master in solutions/; delete it"
        for path in nbfiles.find(root, ("exercises",))
        if path.name not in names
    ]
    for problem in problems:
        print(problem)
    if not problems and not check:
        for target, exercise in made.items():
            if not nbfiles.holds(target, exercise):
                print(f"{nbfiles.place(root, target)} is written anew")
                nbfiles.write(target, exercise)
    print(f"make_exercises: {len(masters)} masters, {len(problems) or 'no'} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
