"""Checks that no two modules outside packages have one name.

pytest and every script import such a module by its bare name: of two, the second is
never read, and a run of the tests breaks before it starts.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from pathlib import Path

from nbfiles import ROOT

FOLDERS = ("tests", "tools", "benchmarks", "book/_ext")


def twins(root: Path) -> list[list[str]]:
    """Files that share a name; pytest itself keeps each folder's conftest.py apart."""
    found = defaultdict(list)
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            in_package = (path.parent / "__init__.py").exists()
            if path.name != "conftest.py" and not in_package:
                found[path.name].append(path.relative_to(root).as_posix())
    return [paths for paths in found.values() if len(paths) > 1]


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args(arguments)
    found = twins(root)
    for paths in found:
        print(f"{' and '.join(paths)} have one name; rename one of them")
    if not found:
        print("check_names: no name stands twice")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
