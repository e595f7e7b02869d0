"""Draws which chapter needs which, for the welcome page; `--check` only compares.

Both the picture and the words beside each chapter come from the notebooks' metadata.
"""

from __future__ import annotations

import argparse
import io
import re
import sys
from pathlib import Path
from typing import NamedTuple

import matplotlib.pyplot as plt
import nbfiles
import networkx
import reading_time
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch

from tt_utils.plotting import QUERY, STYLE

PICTURE = Path("book/images/map.svg")
PAGE = Path("book/welcome.md")
GREY = "#68727c"
WIDTH, APART = 4.1, 4.6  # of a box, and from one column to the next
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


def places(needs: networkx.DiGraph) -> dict[str, tuple[int, int]]:
    """Column and row of each chapter: below all that it needs, what leads on left."""
    alone = sorted(networkx.isolates(needs))
    rest = networkx.topological_generations(needs.subgraph(set(needs) - set(alone)))

    def ends_here(stem: str) -> tuple[bool, str]:
        return needs.out_degree(stem) == 0, stem

    rows = [[stem] for stem in alone] + [sorted(row, key=ends_here) for row in rest]
    return {
        stem: (column, row)
        for row, stems in enumerate(rows)
        for column, stem in enumerate(stems)
    }


def picture(known: dict[str, Chapter]) -> str:
    """A box a chapter; an arrow leads to each from those that nothing else implies."""
    known = {stem: known[stem] for stem in known if CORE.match(stem)}
    graph = networkx.DiGraph()
    graph.add_nodes_from(known)
    graph.add_edges_from(
        (need, stem) for stem, chapter in known.items() for need in chapter.needs
    )
    graph = networkx.transitive_reduction(graph)
    at = places(graph)
    columns, rows = (max(place) + 1 for place in zip(*at.values(), strict=True))
    with plt.style.context([STYLE, {"svg.fonttype": "none", "font.family": "serif"}]):
        width = APART * (columns - 1) + WIDTH
        figure, axes = plt.subplots(figsize=(0.7 * width, 0.5 * rows))
        left = -WIDTH / 2 - 0.05
        axes.set(xlim=(left, left + width + 0.1), ylim=(rows - 0.6, -0.4))
        axes.axis("off")
        for stem, chapter in known.items():
            x, y = APART * at[stem][0], at[stem][1]
            corner = (x - WIDTH / 2, y - 0.3)
            look = {
                "boxstyle": "round,pad=0,rounding_size=0.1",
                "ec": GREY,
                "fc": "none",
            }
            axes.add_patch(FancyBboxPatch(corner, WIDTH, 0.6, lw=0.8, **look))
            name = {"va": "center", "ha": "center", "color": GREY, "size": 10.5}
            axes.text(x, y, chapter.title, **name)
        for start, end in sorted(graph.edges):
            draw_arrow(axes, at[start], at[end]).set_gid(f"{start} to {end}")
        file = io.StringIO()
        metadata = {"Date": None, "Title": "Which chapter needs which"}
        figure.savefig(file, format="svg", metadata=metadata)
        plt.close(figure)
    return file.getvalue()


def draw_arrow(axes: Axes, start: tuple[int, int], end: tuple[int, int]) -> Artist:
    """From box to box: straight down, or with one corner into another column."""
    (column, row), (to_column, to_row) = start, end
    side = WIDTH / 2 if to_column > column else -WIDTH / 2
    if column == to_column:
        path, tail, head = "arc3", (0, 0.3), (0, -0.3)
    elif to_row == row + 1:
        path, tail, head = "angle,angleA=0,angleB=90,rad=4", (side, 0), (0, -0.3)
    else:
        path, tail, head = "angle,angleA=90,angleB=0,rad=4", (0, 0.3), (-side, 0)
    look = {"arrowstyle": "-|>", "connectionstyle": path, "color": QUERY}
    return axes.annotate(
        "",
        (APART * to_column + head[0], to_row + head[1]),
        (APART * column + tail[0], row + tail[1]),
        arrowprops={**look, "shrinkA": 0, "shrinkB": 0},
    ).arrow_patch


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


def main(arguments: list[str] | None = None, root: Path = nbfiles.ROOT) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check = parser.parse_args(arguments).check
    known = chapters(root)
    page = (root / PAGE).read_text(encoding="utf-8")
    stale = False
    for name, text in {PICTURE: picture(known), PAGE: with_needs(page, known)}.items():
        file = root / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            stale = True
            print(f"{name} is not what the chapters say" + "; run make sync" * check)
            if not check:
                file.write_text(text, encoding="utf-8")
    return int(check and stale)


if __name__ == "__main__":
    sys.exit(main())
