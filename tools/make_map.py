"""Draws which chapter needs which, for the welcome page; `--check` only compares.

Both the picture and the words beside each chapter come from the notebooks' metadata.
"""

from __future__ import annotations

import argparse
import io
import re
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import nbfiles
import networkx

from tt_utils.plotting import QUERY, STYLE

PICTURE = Path("book/images/map.svg")
PAGE = Path("book/welcome.md")
GREY = "#737d87"
# A line of the page that links a chapter, without what this tool wrote behind it.
ENTRY = re.compile(
    r"^(- \[\d\d · [^]]+\]\(\.\./notebooks/(\w+)\.ipynb\).*?)"
    r"(?: <span class=\"tt-needs\">.*</span>)?$",
    re.MULTILINE,
)


def chapters(root: Path) -> dict[str, tuple[str, dict]]:
    """The title and the facts of each chapter that is there, in their order."""
    notebooks = {
        path.stem: nbfiles.read(path) for path in nbfiles.find(root, ("notebooks",))
    }
    return {
        stem: (notebook.cells[0].source.splitlines()[0][2:], notebook.metadata["tt"])
        for stem, notebook in notebooks.items()
    }


def picture(known: dict[str, tuple[str, dict]]) -> str:
    """One row a chapter; an arc leads to each from those that nothing else implies."""
    rows = {stem: row for row, stem in enumerate(known)}
    needs = networkx.DiGraph(
        (need, stem) for stem, (_, facts) in known.items() for need in facts["needs"]
    )
    with plt.style.context([STYLE, {"svg.fonttype": "none", "font.family": "serif"}]):
        figure, axes = plt.subplots(figsize=(4.2, 0.34 * len(rows)))
        axes.set(xlim=(-3, 7), ylim=(len(rows) - 0.5, -0.5))
        axes.axis("off")
        for stem, (title, _) in known.items():
            axes.plot(0, rows[stem], "o", ms=5, color=GREY)
            axes.text(0.4, rows[stem], title, va="center", color=GREY, size=12)
        for start, end in sorted(networkx.transitive_reduction(needs).edges):
            arrow = {"arrowstyle": "-|>", "connectionstyle": "arc3,rad=0.8"}
            arrow |= {"color": QUERY, "alpha": 0.75, "shrinkA": 5, "shrinkB": 5}
            arc = axes.annotate("", (0, rows[end]), (0, rows[start]), arrowprops=arrow)
            arc.arrow_patch.set_gid(f"{start} to {end}")
        file = io.StringIO()
        metadata = {"Date": None, "Title": "Which chapter needs which"}
        figure.savefig(file, format="svg", metadata=metadata)
        plt.close(figure)
    return file.getvalue()


def with_needs(page: str, known: dict[str, tuple[str, dict]]) -> str:
    """The page, with needs and reading time behind every chapter that is there."""

    def written(match: re.Match) -> str:
        facts = known[match[2]][1]
        needs = ", ".join(need[:2] for need in facts["needs"]) or "no other chapter"
        words = f"needs {needs} · {facts['minutes']} min"
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
