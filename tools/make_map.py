"""Draws which chapter needs which, for the welcome page; `--check` only compares.

Both the picture and the words beside each chapter come from the notebooks' metadata.
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass
from html import escape
from pathlib import Path

import nbfiles

PICTURE = Path("book/images/map.svg")
PAGE = Path("book/welcome.md")
# A line of the page that links a chapter, without what this tool wrote behind it.
ENTRY = re.compile(
    r"^(- \[\d\d · [^]]+\]\(\.\./notebooks/(\w+)\.ipynb\).*?)"
    r"(?: <span class=\"tt-needs\">.*</span>)?$",
    re.MULTILINE,
)

WIDTH, ROW, TOP, TEXT_X = 420, 34, 24, 170
GREY, ARC = "#737d87", "#0072B2"


@dataclass(frozen=True)
class Chapter:
    stem: str
    title: str
    minutes: int
    needs: tuple[str, ...]

    @property
    def number(self) -> str:
        return self.stem[:2]


def chapters(root: Path) -> list[Chapter]:
    """All chapters that are there, in their order."""
    found = []
    for path in nbfiles.find(root, ("notebooks",)):
        notebook = nbfiles.read(path)
        facts = notebook.metadata["tt"]
        title = notebook.cells[0].source.splitlines()[0].partition(" · ")[2]
        found.append(Chapter(path.stem, title, facts["minutes"], tuple(facts["needs"])))
    return found


def direct_needs(chapter: Chapter, known: dict[str, Chapter]) -> list[str]:
    """What a chapter needs, without what those chapters need already."""
    implied, to_visit = set(), list(chapter.needs)
    while to_visit:
        further = known[to_visit.pop()].needs
        implied.update(further)
        to_visit.extend(further)
    return [need for need in chapter.needs if need not in implied]


def picture(all_chapters: list[Chapter]) -> str:
    """One row a chapter; an arc leads to each chapter from those it builds on."""
    known = {chapter.stem: chapter for chapter in all_chapters}
    y = {chapter.stem: TOP + ROW * i for i, chapter in enumerate(all_chapters)}
    arcs, rows = [], []
    for chapter in all_chapters:
        for need in direct_needs(chapter, known):
            start, end = y[need], y[chapter.stem]
            reach = 12 + 0.5 * (end - start)
            arcs.append(
                f'<path d="M{TEXT_X - 14} {start} C{TEXT_X - 14 - reach:.0f} {start}'
                f" {TEXT_X - 14 - reach:.0f} {end} {TEXT_X - 20} {end}"
                '" marker-end="url(#tip)"/>'
            )
        rows.append(
            f'<circle cx="{TEXT_X - 8}" cy="{y[chapter.stem]}" r="4" fill="{GREY}"/>'
            f'<text x="{TEXT_X + 6}" y="{y[chapter.stem] + 6}">'
            f"{chapter.number} · {escape(chapter.title)}</text>"
        )
    height = TOP + ROW * len(all_chapters)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
            f' font-family="Georgia, serif" font-size="17" fill="{GREY}">',
            "<title>Which chapter needs which</title>",
            '<marker id="tip" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="5"'
            f' markerHeight="5" orient="auto"><path d="M0 0L8 4L0 8z" fill="{ARC}"/>'
            "</marker>",
            f'<g fill="none" stroke="{ARC}" stroke-width="1.8" stroke-opacity=".75">',
            *arcs,
            "</g>",
            *rows,
            "</svg>\n",
        ]
    )


def with_needs(page: str, all_chapters: list[Chapter]) -> str:
    """The page, with needs and reading time behind every chapter that is there."""
    known = {chapter.stem: chapter for chapter in all_chapters}

    def written(match: re.Match) -> str:
        chapter = known[match[2]]
        needs = ", ".join(need[:2] for need in chapter.needs) or "no other chapter"
        return (
            f'{match[1]} <span class="tt-needs">needs {needs}'
            f" · {chapter.minutes} min</span>"
        )

    return ENTRY.sub(written, page)


def main(arguments: list[str] | None = None, root: Path = nbfiles.ROOT) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args(arguments)
    found = chapters(root)
    page = root / PAGE
    wanted = {
        root / PICTURE: picture(found),
        page: with_needs(page.read_text(encoding="utf-8"), found),
    }
    stale = [
        path
        for path, text in wanted.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    for path in stale:
        name = path.relative_to(root).as_posix()
        if given.check:
            print(f"{name} is not what the chapters say; run make sync")
        else:
            path.write_text(wanted[path], encoding="utf-8")
            print(f"{name}: brought up to date")
    return int(given.check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
