"""Drawings of how something works: networks, rings, ways, flows, a lookup."""

import itertools
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Rectangle

from tt_utils.plotting.palette import (
    GOLD,
    GREY,
    HEADS,
    INK,
    KEY,
    QUERY,
    VALUE,
    Link,
    Numbers,
    Point,
)


def network(
    ax: Axes,
    links: Collection[Link],
    road: Collection[Link] = (),
    labels: Mapping[Point, str] | None = None,
) -> None:
    """Draw an arrow per link between two points; those of the `road` are thick.

    A point shows its label where it has one, else a dot.
    """
    labels = labels or {}
    for start, end in dict.fromkeys([*links, *road]):
        thick = (start, end) in road
        shape = {"color": GOLD, "lw": 3, "mutation_scale": 14}
        if not thick:
            shape = {"color": GREY, "lw": 0.8, "mutation_scale": 7}
        shape |= {"arrowstyle": "-|>", "shrinkA": 8, "shrinkB": 8}
        ax.annotate("", end, start, arrowprops=shape, zorder=1 + thick)
    points = {point for link in [*links, *road] for point in link} | set(labels)
    for x, y in sorted(points):
        if name := labels.get((x, y)):
            ax.text(x, y, name, ha="center", va="center", fontsize=9)
        else:
            ax.plot(x, y, "o", ms=6, color=GREY, zorder=3)
    low, high = np.min(list(points), axis=0), np.max(list(points), axis=0)
    ax.set(xlim=(low[0] - 0.5, high[0] + 0.5), ylim=(low[1] - 0.4, high[1] + 0.4))
    ax.set_axis_off()


def ring(ax: Axes, names: Sequence[str]) -> None:
    """Draw named positions on a circle, numbered from the top, clockwise."""
    angles = np.linspace(0, 2 * np.pi, len(names), endpoint=False)
    ax.add_patch(Circle((0, 0), 1, fill=False, ec=GREY, lw=1.2))
    for position, (angle, name) in enumerate(zip(angles, names, strict=True), 1):
        across, up = np.sin(angle), np.cos(angle)
        ax.plot(across, up, "o", ms=17, color=GREY)
        style: dict[str, Any] = {"ha": "center", "va": "center"}
        ax.text(across, up, str(position), color="white", fontsize=9, **style)
        ax.text(1.3 * across, 1.22 * up, name, **style)
    ax.set(xlim=(-1.6, 1.6), ylim=(-1.4, 1.4), aspect="equal")
    ax.set_axis_off()


def tree(
    ax: Axes,
    ways: Mapping[tuple[str, ...], Mapping[str, float]],
    road: Sequence[str] = (),
) -> None:
    """Draw a tree of words from left to right, each above its probability.

    `ways` holds the next words of each beginning. The branches of the `road`, the words
    of one way from the root, are thick.
    """
    leaves, high = itertools.count(), dict[tuple[str, ...], float]()

    def rise(path: tuple[str, ...]) -> float:
        below = [rise((*path, word)) for word in ways.get(path, ())]
        high[path] = float(np.mean(below)) if below else -float(next(leaves))
        return high[path]

    rise(())
    middle: dict[str, Any] = {"ha": "center", "va": "center"}
    for path, y in high.items():
        x, thick = len(path), path == tuple(road[: len(path)])
        ax.text(x, y, path[-1] if path else "<s>", weight="bold", **middle)
        if path:
            ends = (x - 0.76, x - 0.32), (high[path[:-1]], y)
            ax.plot(*ends, color=GOLD if thick else GREY, lw=3 if thick else 1)
            share = f"{ways[path[:-1]][path[-1]]:g}"
            ax.text(x, y - 0.36, share, fontsize=9, **middle)
    ax.set(xlim=(-0.3, max(map(len, high)) + 0.4))
    ax.set_axis_off()


def way(
    ax: Axes, x: Numbers, y: Numbers, targets: Mapping[str, Numbers], title: str = ""
) -> None:
    """Draw a way from point to point, and a named ring for each point to meet.

    The first point is the first target's, and so on; a dashed line shows how much it
    misses.
    """
    points = [*zip(x, y, strict=True)]
    arrow = {"arrowstyle": "-|>", "color": HEADS[1], "lw": 2.2, "shrinkB": 5}
    for start, end in itertools.pairwise(points):
        ax.annotate("", end, start, arrowprops=arrow)
    middle = np.mean([up for _, up in targets.values()])
    for point, (name, (right, up)) in zip(points, targets.items(), strict=True):
        ax.plot([point[0], right], [point[1], up], "--", color=GREY, lw=1.2)
        ax.plot(right, up, "o", ms=15, mfc="none", mec=GREY, mew=2.2)
        ax.plot(*point, "o", ms=6, color=HEADS[1])
        aside = 0.2 if up > middle else -0.2
        ax.text(right, up + aside, name, ha="center", va="center")
    ax.margins(0.4)
    ax.set(aspect="equal", title=title)


def flow(ax: Axes, rows: Sequence[Mapping[str, Sequence[int]]]) -> None:
    """Draw what becomes of five words, from top to bottom: a row of blocks a step.

    A block is named and made of slices; a slice's number is its head's. 0 is no head's,
    and no gap divides it from the next.
    Arrows join blocks of one row and the next that share a head, or where one has none.
    """
    slice_wide, high, gap, step = 4.0, 3.0, 5.0, 7.2
    widest = max(sum(map(len, row.values())) for row in rows) * slice_wide
    wide = widest + gap * (max(map(len, rows)) - 1)
    arrow = {"arrowstyle": "->", "color": GREY}
    above: list[tuple[float, Sequence[int]]] = []
    for level, row in enumerate(rows):
        top, here = level * step, []
        for i, (name, heads) in enumerate(row.items()):
            middle = wide * (i + 0.5) / len(row)
            for j, head in enumerate(heads):
                left = middle + slice_wide * (j - len(heads) / 2)
                right = left + (4.2 if [*heads[j : j + 2]] == [0, 0] else 3.9)
                for word in range(5):
                    at = (left + 0.1, top + 0.6 * word)
                    size = right - at[0], 0.5
                    ax.add_patch(Rectangle(at, *size, color=HEADS[head], lw=0))
            ax.text(middle, top - 0.8, name, ha="center", va="center")
            here.append((middle, heads))
        for (start, given), (end, taken) in itertools.product(above, here):
            if {*given} & {*taken} or 0 in {*given, *taken}:
                points = (end, top - 1.6), (start, top - step + high + 0.1)
                ax.annotate("", *points, arrowprops=arrow)
        above = here
    ax.set(xlim=(-0.5, wide + 0.5), ylim=(len(rows) * step - step + high + 0.3, -1.6))
    ax.set_aspect("equal")
    ax.set_axis_off()


def _cells(
    ax: Axes, x: float | int, y: float | int, numbers: Numbers, color: str
) -> None:
    """Write numbers into a row of framed cells."""
    for i, number in enumerate(numbers):
        frame = Rectangle((x + i - 0.5, y - 0.36), 1, 0.72, fill=False, ec=color, lw=2)
        ax.add_patch(frame)
        text = f"{number:.3g}".replace("-", "−")
        ax.text(x + i, y, text, color=color, weight="bold", ha="center", va="center")


def fetch(
    ax: Axes, words: Sequence[str], vocabulary: Sequence[str], table: np.ndarray
) -> None:
    """Draw how each word fetches its row of a table: word, id and row, vector.

    Equal words fetch the same row, in the same colour.
    """
    wide, lift = table.shape[1], (len(words) - len(vocabulary)) / 2
    across = 4.0, 7.0 + wide  # the first cells of the table, and of the vectors
    for i, name in enumerate(vocabulary):
        _cells(ax, across[0], -i - lift, table[i], HEADS[i % len(HEADS)])
        ax.text(across[0] - 0.7, -i - lift, f"{i}  {name}", ha="right", va="center")
    for row, word in enumerate(words):
        i = vocabulary.index(word)
        color = HEADS[i % len(HEADS)]
        ax.text(0, -row, word, ha="right", va="center")
        _cells(ax, across[1], -row, table[i], color)
        shape = {"arrowstyle": "-|>", "color": color, "lw": 1.4, "shrinkA": 0}
        slot, at = -i - lift, across[1] - 0.6
        ax.annotate("", (across[0] - 2.5, slot), (0.2, -row), arrowprops=shape)
        ax.annotate("", (at, -row), (3.6 + wide, slot), arrowprops=shape)
    heads = {0: "word", across[0] - 1.1: "id", across[0] + wide / 2 - 0.5: "table"}
    for x, head in {**heads, across[1] + wide / 2 - 0.5: "the sentence"}.items():
        ax.text(x, 0.9, head, ha="right" if x < across[0] else "center", weight="bold")
    ax.set(xlim=(-1.6, across[1] + wide), ylim=(-len(words) + 0.4, 1.5))
    ax.set_axis_off()


def lookup(
    ax: Axes, query: Numbers, names: Sequence[str], columns: Mapping[str, np.ndarray]
) -> None:
    """Draw a soft lookup from its query, on top, to its answer, at the bottom.

    `columns` are the keys, scores, voices, shares and values, named; a row per entry.
    """
    (_, keys), (_, scores), (_, voices), (_, shares), (_, values) = columns.items()
    middle: dict[str, Any] = {"ha": "center", "va": "center"}
    rows, width = range(len(names)), len(query)
    score, voice, share, value = width + np.array([1.2, 3.1, 6.1, 9.6])
    for x, name in zip(
        (width / 2 - 0.5, score, voice + 0.6, share + 0.9, value), columns, strict=True
    ):
        ax.text(x, 1.2, name, weight="bold", **middle)
    _cells(ax, 0, 2.2, query, QUERY)
    ax.text(-0.8, 2.2, "query", ha="right", va="center")
    for row in rows:
        ax.text(-0.8, -row, names[row], ha="right", va="center")
        _cells(ax, 0, -row, keys[row], KEY)
        ax.text(score, -row, f"{scores[row]:.3g}".replace("-", "−"), **middle)
        for x, bars, color in (voice, voices, GREY), (share, shares, GOLD):
            long = 1.6 * bars[row] / max(bars)
            ax.barh(-row, long, 0.5, left=x, color=color)
            text = f"{bars[row]:.2f}" if bars is shares else f"{bars[row]:.3g}"
            ax.text(x + long + 0.1, -row, text, va="center")
        _cells(ax, value, -row, [values[row]], VALUE)
    low = -len(names)
    ax.plot([voice - 0.2, value + 0.6], [low + 0.4, low + 0.4], color=GREY, lw=1)
    ax.text(voice, low - 0.2, f"sum {np.sum(voices):.3g}", va="center")
    how = "share × value, added up"
    ax.text(value - 0.8, low - 0.2, how, ha="right", va="center", fontsize=9)
    _cells(ax, value, low - 0.2, [shares @ values], INK)
    ax.set(xlim=(-3.2, value + 0.8), ylim=(low - 0.7, 2.7))
    ax.set_axis_off()
