"""Chooses the tests that a change can touch, says why, and runs them.

What changed is what differs from the main branch, files that git doesn't know yet
included. It is a choice for the minutes between two thoughts: `make test` runs all.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from nbfiles import ROOT

# The core's tests: they need neither browser nor sandbox nor notebook, so every
# system runs them.
CORE = "tests/test_*.py"
ALONE = (
    "tests/notebooks/test_outside_checkout.py"
    "::test_a_notebook_runs_alone_and_shows_what_is_stored[{}]"
)
ONE_CHAPTER = ("tests/grading/test_tasks.py", "tests/grading/test_answers.py")


class Rule(NamedTuple):
    """A changed file like `pattern` asks for `tests`: globs, or ids with brackets.

    `{0}` is what the pattern's group matched. Of `only` one, only tests so named.
    """

    pattern: str
    tests: tuple[str, ...]
    why: str
    only: str = ""


# The first that fits a file counts.
RULES = (
    Rule(r"(tests/(?:.*/)?test_\w+\.py)", ("{0}",), "itself"),
    Rule(r"tests/grading/answers/(?:ch)?(\d\d).*", ONE_CHAPTER, "its chapter", "{0}."),
    Rule(r"tt_utils/grading/tasks/ch(\d\d)\w*/.*", ONE_CHAPTER, "its chapter", "{0}."),
    Rule(
        r"tt_utils/grading/classroom/.*",
        ("tests/grading/classroom/test_*.py",),
        "the class grader",
    ),
    Rule(
        r"tt_utils/grading/.*",
        ("tests/grading/test_*.py", "tests/test_grading_rooms.py"),
        "grading",
    ),
    Rule(r"tt_utils/figures/static/.*", ("tests/browser/test_*.py",), "figures"),
    Rule(r"tt_utils/.*", (CORE,), "the core"),
    Rule(r"((?:notebooks|solutions|book)/[\w.]+)\.ipynb", (ALONE,), "runs again"),
    Rule(r"book/_static/.*", ("tests/browser/test_*.py",), "what pages show"),
    Rule(r"book/.*|_toc\.yml|_config\.yml", ("tests/book/test_*.py",), "the book"),
    Rule(r"benchmarks/.*", ("tests/test_benchmarks.py",), "benchmarks"),
    Rule(r"(?:tools|\.ci|\.github)/.*|Makefile", ("tests/tools/test_*.py",), "tools"),
    Rule(r"pyproject\.toml|tests/conftest\.py", (CORE,), "what all tests share"),
    Rule(r"(tests/.*)/\w+\.py", ("{0}/test_*.py",), "tests that may use it"),
    Rule(r"tests/\w+\.py", (CORE,), "tests that may use it"),
)


class Choice(NamedTuple):
    file: str
    tests: list[str]
    why: str
    only: str = ""


def git(root: Path, *words: str) -> list[str]:
    command = ["git", "-C", root, *words]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    return found.stdout.splitlines()


def changed(root: Path) -> list[str]:
    """All that differs from where this branch left the main one."""
    known = git(root, "for-each-ref", "--format=%(refname:short)")
    base = next((name for name in ("origin/main", "main") if name in known), "HEAD")
    [start] = git(root, "merge-base", base, "HEAD")
    edited = git(root, "diff", "--name-only", start)
    return sorted({*edited, *git(root, "ls-files", "--others", "--exclude-standard")})


def chosen(root: Path, file: str) -> Choice:
    """The tests of the first rule that fits."""
    for rule in RULES:
        if match := re.fullmatch(rule.pattern, file):
            names = [test.format(*match.groups()) for test in rule.tests]
            found = [path for name in names for path in there(root, name)]
            why = rule.why if found else "gone, and nothing is left to run"
            return Choice(file, found, why, rule.only.format(*match.groups()))
    return Choice(file, [], "make check reads it")


def there(root: Path, name: str) -> list[str]:
    """The files that a glob names; a test's id if its notebook is there."""
    if "[" in name:
        notebook = root / (name.partition("[")[2].removesuffix("]") + ".ipynb")
        return [name] if notebook.exists() else []
    return sorted(path.relative_to(root).as_posix() for path in root.glob(name))


def table(choices: Iterable[Choice]) -> str:
    rows = []
    for choice in choices:
        files = {test.partition("::")[0] for test in choice.tests}
        number = f"{len(files)} file{'s' * (len(files) != 1)}" if files else "–"
        rows.append((choice.file, number, choice.why))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)


def runs(choices: Iterable[Choice]) -> list[list[str]]:
    """What to hand to pytest, once for the tests of all names and once a name."""
    wanted: dict[str, set[str]] = {}
    for choice in choices:
        wanted.setdefault(choice.only, set()).update(choice.tests)
    whole = wanted.pop("", set())
    found = [sorted(whole)] if whole else []
    for only, tests in sorted(wanted.items()):
        if rest := sorted(tests - whole):
            found.append([*rest, "-k", only])
    return found


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--core", action="store_true", help="all tests of the core")
    parser.add_argument("--list", action="store_true", help="choose, and run nothing")
    asked = parser.parse_args(arguments)
    if asked.core:
        todo = [there(root, CORE)]
    else:
        choices = [chosen(root, file) for file in changed(root)]
        if not choices:
            print("quick: nothing differs from the main branch")
            return 0
        print(table(choices))
        todo = runs(choices)
    status = 0
    for run in [] if asked.list else todo:
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", *run]
        status = subprocess.run(command, cwd=root).returncode or status
    return status


if __name__ == "__main__":
    sys.exit(main())
