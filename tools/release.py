"""Prints what is new in the version that a tag names, if the tag may be released.

The version's home is `tt_utils/__init__.py`; pyproject.toml reads it from there.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

import yaml
from nbfiles import ROOT


class NotReady(Exception):
    """The message says what differs and what to write."""


def version(root: Path) -> str:
    text = (root / "tt_utils" / "__init__.py").read_text(encoding="utf-8")
    return re.search(r'^__version__ = "([^"]+)"$', text, re.MULTILINE)[1]


def cited_version(root: Path) -> str:
    return str(yaml.safe_load((root / "CITATION.cff").read_text("utf-8"))["version"])


def notes(root: Path, number: str) -> str:
    """The part of CHANGELOG.md below `## number, …`. Raises NotReady."""
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    for part in text.split("\n## ")[1:]:
        title, _, body = part.partition("\n")
        if title.split(",")[0] == number and body.strip():
            return body.strip()
    raise NotReady(f'CHANGELOG.md says nothing below "## {number}, month year"')


def check(root: Path, tag: str) -> str:
    """What is new. Raises NotReady."""
    number = version(root)
    if tag != f"v{number}":
        raise NotReady(
            f"the tag is {tag} and tt_utils.__version__ is {number}; tag v{number},"
            " or write the new version into tt_utils/__init__.py"
        )
    if (cited := cited_version(root)) != number:
        raise NotReady(f"CITATION.cff names {cited}; write {number} there")
    return notes(root, number)


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tag", help="such as v0.2.0")
    try:
        print(check(root, parser.parse_args(arguments).tag))
    except NotReady as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
