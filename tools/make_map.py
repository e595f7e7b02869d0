"""Draws which chapter needs which, for the welcome page; `--check` only compares.

The picture, the words beside each chapter and the hours of all come from the notebooks.
"""

from __future__ import annotations

import argparse
import re
import sys
from html import escape
from pathlib import Path
from typing import NamedTuple

import nbfiles
import networkx
import reading_time

PICTURE = Path("book/images/map.svg")
PAGE = Path("book/welcome.md")
FONT, LETTER, PADDING = 15, 7, 22  # px at full size: wide enough for any title
HEIGHT, ROW = 30, 42  # of a box, and from one row to the next
APART = 14  # between two boxes of a row
AROUND = 9  # from a box to an arrow that goes around others
DOWN = "m-4 -5l4 5l4 -5"  # the head of an arrow
WIDEST = 424  # where the last box of a row ends: its letters can be read on a phone
CORE = re.compile(r"\d\d_")  # and not the companion of a chapter
# A line of the page that links a chapter, without what this tool wrote behind it.
ENTRY = re.compile(
    r"^( *- \[\d\d[a-z]? · [^]]+\]\(\.\./notebooks/(\w+)\.ipynb\).*?)"
    r"(?: <span class=\"tt-needs\">.*</span>)?$",
    re.MULTILINE,
)


class Chapter(NamedTuple):
    title: str
    needs: list[str]
    minutes: int


def chapters(root: Path) -> dict[str, Chapter]:
    """Each chapter and companion that is there, in their order."""
    known = {}
    for path in nbfiles.find(root, ("notebooks",)):
        notebook = nbfiles.read(path)
        known[path.stem] = Chapter(
            notebook.cells[0].source.splitlines()[0].removeprefix("# "),
            notebook.metadata["tt"]["needs"],
            reading_time.minutes(path, notebook),
        )
    return known


def rows_of(needs: networkx.DiGraph) -> list[list[str]]:
    """Each chapter in a row below all that it needs, what leads on left."""
    alone = sorted(networkx.isolates(needs))
    rest = networkx.topological_generations(needs.subgraph(set(needs) - set(alone)))

    def ends_here(stem: str) -> tuple[bool, str]:
        return needs.out_degree(stem) == 0, stem

    return [[stem] for stem in alone] + [sorted(row, key=ends_here) for row in rest]


def placed(
    rows: list[list[str]], known: dict[str, Chapter], below: set[str]
) -> dict[str, Box]:
    """A box each, of a row side by side; one that a phone couldn't show there stands a
    row down, right, and those of `below` under all others."""
    stems = (stem for row in rows for stem in row)
    wide = {stem: LETTER * len(known[stem].title) + PADDING for stem in stems}
    first = max(wide[row[0]] for row in rows)
    start, top = 1.0 + AROUND + APART / 2, 1.0
    boxes, later = {}, []
    for row in rows:
        boxes[row[0]] = Box(start, top, first)
        left = start + first + APART
        for stem in row[1:]:
            if stem in below:
                later.append(stem)
                continue
            if left + wide[stem] > WIDEST:
                top, left = top + ROW, WIDEST - wide[stem]
            boxes[stem] = Box(left, top, wide[stem])
            left += wide[stem] + APART
        top += ROW
    for number, stem in enumerate(sorted(later)):
        boxes[stem] = Box(start, top + number * ROW, first)
    return boxes


def ends_of_one(needs: networkx.DiGraph) -> set[str]:
    """Chapters that lead to no other, where several such need the same one."""
    ends = [
        [end for end in needs.successors(start) if needs.out_degree(end) == 0]
        for start in needs
    ]
    return {end for several in ends if len(several) > 1 for end in several}


def picture(known: dict[str, Chapter]) -> str:
    """A box a chapter, which leads to it; an arrow to each from those that nothing else
    implies."""
    known = {stem: known[stem] for stem in known if CORE.match(stem)}
    graph = networkx.DiGraph()
    graph.add_nodes_from(known)
    graph.add_edges_from(
        (need, stem) for stem, chapter in known.items() for need in chapter.needs
    )
    graph = networkx.transitive_reduction(graph)
    boxes = placed(rows_of(graph), known, ends_of_one(graph))
    width = max(box.left + box.width for box in boxes.values()) + 1
    height = max(box.bottom for box in boxes.values()) + 1
    ways = arrows(sorted(graph.edges), boxes)
    parts = [
        f'<path data-arrow="{start} to {end}" d="{way}"/>'
        for (start, end), way in ways.items()
    ]
    for stem in known:
        box = boxes[stem]
        title, base = escape(known[stem].title), box.top + HEIGHT / 2 + FONT / 3
        parts.append(
            f'<a href="../notebooks/{stem}.ipynb">'
            f'<rect x="{box.left:g}" y="{box.top:g}" width="{box.width:g}"'
            f' height="{HEIGHT}" rx="5"/><text x="{box.middle:g}"'
            f' y="{base:g}">{title}</text></a>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tt-map-picture" role="group"'
        f' aria-label="Which chapter needs which" viewBox="0 0 {width:g} {height:g}"'
        f' font-size="{FONT}">\n' + "\n".join(parts) + "\n</svg>\n"
    )


class Box(NamedTuple):
    left: float
    top: float
    width: float

    @property
    def middle(self) -> float:
        return self.left + self.width / 2

    @property
    def bottom(self) -> float:
        return self.top + HEIGHT


def arrows(
    edges: list[tuple[str, str]], boxes: dict[str, Box]
) -> dict[tuple[str, str], str]:
    """From box to box: straight down, to the side and then down, or around others.

    Those from one box go around on one side.
    """
    sides: dict[str, int] = {}
    found = {}
    for stems in edges:
        start, end = (boxes[stem] for stem in stems)
        if start.left != end.left:
            found[stems] = beside(start, end)
        elif any(
            box.left == start.left and start.top < box.top < end.top
            for box in boxes.values()
        ):
            side = sides.setdefault(stems[0], -1 if len(sides) % 2 == 0 else 1)
            found[stems] = around(start, end, side)
        else:
            found[stems] = f"M{start.middle:g} {start.bottom:g}V{end.top:g}{DOWN}"
    return found


def beside(start: Box, end: Box) -> str:
    edge, level = start.middle + start.width / 2, start.top + HEIGHT / 2
    return f"M{edge:g} {level:g}H{end.middle:g}V{end.top:g}{DOWN}"


def around(start: Box, end: Box, side: int) -> str:
    edge = start.middle + side * start.width / 2
    levels = (box.top + HEIGHT / 2 for box in (start, end))
    path = "M{0:g} {2:g}H{1:g}V{3:g}H{0:g}".format(edge, edge + side * AROUND, *levels)
    return f"{path}m{side * 5} -4l{-side * 5} 4l{side * 5} 4"


def with_needs(page: str, known: dict[str, Chapter]) -> str:
    """The page, with needs and reading time behind every chapter that is there."""

    def written(match: re.Match) -> str:
        chapter = known[match[2]]
        needs = ", ".join(nbfiles.number(need) for need in chapter.needs)
        words = (
            f"needs {needs or 'no other chapter'} · {chapter.minutes}"
            "\N{NO-BREAK SPACE}min"
        )
        return f'{match[1]} <span class="tt-needs">{words}</span>'

    return ENTRY.sub(written, page)


def with_total(page: str, known: dict[str, Chapter]) -> str:
    """The page, with what all chapters and what all companions take together."""

    def hours(core: bool) -> int:
        kept = [known[stem].minutes for stem in known if bool(CORE.match(stem)) == core]
        return round(sum(kept) / 60)

    for name, core in {"chapters": True, "companions": False}.items():
        total = f'<span class="tt-hours-{name}">{hours(core)}</span>'
        page = re.sub(rf'<span class="tt-hours-{name}">\d*</span>', total, page)
    return page


def main(arguments: list[str] | None = None, root: Path = nbfiles.ROOT) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check = parser.parse_args(arguments).check
    known = chapters(root)
    page = (root / PAGE).read_text(encoding="utf-8")
    page = with_total(with_needs(page, known), known)
    listed = {match[2] for match in ENTRY.finditer(page)}
    for stem in (missing := [stem for stem in known if stem not in listed]):
        print(f"{PAGE} has no line for {stem}; write one under the chapters")
    stale = False
    for name, text in {PICTURE: picture(known), PAGE: page}.items():
        file = root / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            stale = True
            print(f"{name} is not what the chapters say" + "; run make sync" * check)
            if not check:
                file.write_text(text, encoding="utf-8")
    return int(bool(missing) or (check and stale))


if __name__ == "__main__":
    sys.exit(main())
