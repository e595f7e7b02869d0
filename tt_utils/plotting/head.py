"""One attention head with its shapes: a square per number."""

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from tt_utils.plotting.palette import GOLD, GREY, KEY, QUERY, VALUE, Point

SIDE = 0.16  # of one number's square
PALE, WEIGHT = "#b9c0c6", "#dde1e4"


def head(t: int, d_model: int, d_k: int, d_v: int) -> tuple[Figure, Axes]:
    """Draw one head of self-attention for t words, from X to the blended values."""
    figure, ax = plt.subplots(figsize=(7.4, 4.1))
    _matrix(ax, (0, 0), (t, d_model), PALE, "$X$")
    high = {"q": 1.95, "k": 0.0, "v": -1.95}
    for name, wide, color in ("q", d_k, QUERY), ("k", d_k, KEY), ("v", d_v, VALUE):
        y = high[name]
        _arrow(ax, (SIDE * d_model + 0.08, y / 6), (1.95, y))
        _matrix(ax, (2.0, y), (d_model, wide), WEIGHT, f"$W_{name}$")
        _arrow(ax, (2.05 + wide * SIDE, y), (3.0, y))
        _matrix(ax, (3.05, y), (t, wide), color, f"${name.upper()}$")
    _arrow(ax, (3.6, high["q"]), (4.45, 1.15))
    _arrow(ax, (3.6, high["k"]), (4.45, 0.8))
    _matrix(ax, (4.5, 0.97), (t, t), PALE, r"scores $QK^\top / \sqrt{d_k}$")
    _arrow(ax, (5.5, 0.97), (6.3, 0.97), "softmax")
    _matrix(ax, (6.35, 0.97), (t, t), GOLD, "weights")
    _arrow(ax, (6.83, 0.3), (6.83, -0.95))
    _arrow(ax, (3.75, high["v"]), (6.4, high["v"] + 0.35))
    _matrix(ax, (6.51, -1.6), (t, d_v), PALE, "")
    ax.text(7.25, -1.6, "out =\nweights · $V$", va="center")
    ax.set(xlim=(-0.1, 8.3), ylim=(-2.9, 2.95), aspect="equal")
    ax.axis("off")
    return figure, ax


def _matrix(ax: Axes, at: Point, shape: tuple[int, int], color: str, name: str) -> None:
    """Draw a matrix from its left edge's middle, named above, its shape below."""
    (left, middle), (rows, columns) = at, shape
    bottom = middle - rows * SIDE / 2
    for i in range(rows):
        for j in range(columns):
            corner = (left + j * SIDE, bottom + i * SIDE)
            square = Rectangle(corner, SIDE, SIDE, fc=color, ec="white", lw=0.7)
            ax.add_patch(square)
    center = left + columns * SIDE / 2
    ax.text(center, bottom + rows * SIDE + 0.07, name, ha="center", va="bottom")
    size = f"{rows} × {columns}"
    ax.text(center, bottom - 0.07, size, ha="center", va="top", fontsize=8)


def _arrow(ax: Axes, start: Point, end: Point, label: str = "") -> None:
    style = {"arrowstyle": "-|>", "color": GREY, "lw": 1.2}
    ax.annotate("", xy=end, xytext=start, arrowprops=style)
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    ax.text(x, y + 0.1, label, ha="center", va="bottom", fontsize=8)
