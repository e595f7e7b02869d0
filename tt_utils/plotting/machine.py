"""The whole Transformer as two towers: the picture with which the tour begins."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from tt_utils.plotting.palette import Point

READS, WRITES = "#8064A8", "#C98A00"  # the encoder's side, the decoder's
LANES = {READS: (9, 20, 31, 42), WRITES: (60, 71, 82, 93)}


def machine(
    source: Sequence[str], target: Sequence[str], likely: Mapping[str, float]
) -> tuple[Figure, Axes]:
    """Draw an encoder and a decoder with four words each, and what comes next.

    `likely` gives the likeliest next words their probabilities, the first on top.

    Raises:
        ValueError: a sentence hasn't four words.
    """
    if {len(source), len(target)} != {4}:
        raise ValueError(
            f"machine: {len(source)} and {len(target)} words; each side has four lanes."
        )
    figure, ax = plt.subplots(figsize=(7.4, 5.3), layout="none")
    figure.subplots_adjust(0, 0, 1, 1)
    ax.set(xlim=(0, 103), ylim=(0, 74), aspect="equal")
    ax.axis("off")
    _tower(ax, READS, source, "Encoder: reads", "words attend to each other")
    _tower(ax, WRITES, target, "Decoder: writes", "masked, then cross-attention")
    _vectors(ax, 46.0, READS, seed=4)
    for y in (26.0, 41.0):
        _arrow(ax, (45, 48.5), (53.5, y), READS, bend=-0.2)
    small: dict[str, Any] = {"ha": "center", "fontsize": 8.5}
    ax.text(25.5, 52.8, "what the encoder gives", **small)
    lane = "each word travels in a lane of its own,\nas a vector: a list of numbers"
    ax.text(25.5, 61, lane, **small)
    for y, (word, share) in zip((56.5, 53.0, 49.5), likely.items(), strict=True):
        ax.text(84, y, word, ha="right", va="center", fontsize=8.5)
        ax.add_patch(plt.Rectangle((85, y - 1), 10 * share, 2, fc=WRITES, ec="none"))
    ax.plot((93, 93), (46, 48), color=WRITES, lw=1.5)
    ax.text(76.5, 60.5, "how likely is each next word?", **small)
    _box(ax, (71, 64), (11, 4), WRITES, 0.9, next(iter(likely)), "black")
    ax.plot((82, 101.5, 101.5), (66, 66, 4), color=WRITES, lw=1.3, ls=":")
    _arrow(ax, (101.5, 4), (98.3, 4), WRITES)
    ax.text(92, 67.3, "written, then read", **small)
    return figure, ax


def _tower(ax: Axes, color: str, words: Sequence[str], title: str, looks: str) -> None:
    """Draw words, their vectors, and two layers in which the lanes meet."""
    lanes, causal = LANES[color], color == WRITES
    middle = lanes[0] + 16.5
    ax.text(middle, 72, title, ha="center", va="center", fontsize=11, weight="bold")
    _vectors(ax, 8.5, color, seed=1 + causal)
    for y in (18.0, 33.0):
        _box(ax, (lanes[0] - 6, y), (45, 10.5), color, 0.08)
        for j, end in enumerate(lanes):
            for i, start in enumerate(lanes):
                if i <= j or not causal:
                    lw = 1.5 if i == j else 0.7
                    ends = (start, end), (y - 2, y + 5.6)
                    ax.plot(*ends, color=color, lw=lw, alpha=0.8)
        text = f"{looks},\nthen each lane by itself"
        ax.text(middle, y + 8, text, ha="center", va="center", fontsize=8.5)
    for x, word in zip(lanes, words, strict=True):
        ink = "black" if causal else "white"
        _box(ax, (x - 5, 2), (10, 4), color, 0.9, word, ink)
        for low, high in ((6, 8.5), (13.5, 16), (28.5, 31), (43.5, 46)):
            ax.plot((x, x), (low, high), color=color, lw=1.5)


def _vectors(ax: Axes, y: float, color: str, seed: int) -> None:
    """Draw one column of five numbers in each lane."""
    shades = np.random.default_rng(seed).uniform(0.15, 0.95, (4, 5))
    for x, column in zip(LANES[color], shades, strict=True):
        for row, shade in enumerate(column):
            shape = plt.Rectangle((x - 1, y + row), 2, 1, fc=(color, shade), ec="none")
            ax.add_patch(shape)


def _box(
    ax: Axes,
    corner: Point,
    size: Point,
    color: str,
    alpha: float,
    text: str = "",
    ink: str = "black",
) -> None:
    shape = f"round,pad=0,rounding_size={min(1.6, size[1] / 2)}"
    style: dict[str, Any] = {
        "boxstyle": shape,
        "fc": (color, alpha),
        "ec": color,
        "lw": 1.2,
    }
    ax.add_patch(FancyBboxPatch(corner, *size, **style))
    at = corner[0] + size[0] / 2, corner[1] + size[1] / 2
    ax.text(*at, text, ha="center", va="center", fontsize=8.5, color=ink)


def _arrow(ax: Axes, start: Point, end: Point, color: str, bend: float = 0.0) -> None:
    how: dict[str, Any] = {
        "arrowstyle": "-|>",
        "mutation_scale": 11,
        "lw": 1.5,
        "color": color,
    }
    style = f"arc3,rad={bend}"
    ax.add_patch(FancyArrowPatch(start, end, connectionstyle=style, **how))
