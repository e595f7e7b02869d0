"""Vectors as arrows in the plane."""

import numpy as np
from matplotlib.axes import Axes

from tt_utils.plotting.palette import GREY, HEADS, Numbers


def plane(ax: Axes, reach: float) -> None:
    """Prepare a square grid around the origin, `reach` wide in every direction."""
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
    ax.axhline(0, color=GREY, lw=1)
    ax.axvline(0, color=GREY, lw=1)
    ax.grid(True)
    ax.set(xlabel="first number", ylabel="second number")


def arrow(
    ax: Axes, vector: Numbers, label: str, color: str, shift: float = 0.25
) -> None:
    """Draw a vector from the origin with its name beside the tip."""
    x, y = vector
    ax.annotate(
        "",
        xy=(x, y),
        xytext=(0, 0),
        arrowprops={"arrowstyle": "-|>", "color": color, "lw": 2.2, "shrinkB": 0},
    )
    length = float(np.hypot(x, y)) or 1.0
    ax.text(
        x + shift * x / length,
        y + shift * y / length,
        label,
        color=color,
        ha="center",
        va="center",
        fontweight="bold",
    )


def projection(ax: Axes, u: Numbers, v: Numbers) -> None:
    """Draw vectors u and v, and as a broad bar the projection of v on u."""
    u, v = np.asarray(u), np.asarray(v)
    foot = (u @ v) / (u @ u) * u
    ax.plot(*zip(-u, u, strict=True), color=GREY, lw=1, ls=":")
    ax.plot(*zip(v, foot, strict=True), color=HEADS[2], lw=1.3, ls="--")
    ax.plot(
        *zip((0, 0), foot, strict=True),
        color=HEADS[2],
        lw=7,
        alpha=0.45,
        solid_capstyle="butt",
    )
    arrow(ax, u, "u", HEADS[1], shift=0.7)
    arrow(ax, v, "v", HEADS[2], shift=0.7)
