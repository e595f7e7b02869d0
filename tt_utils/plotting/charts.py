"""Curves and bars, with the spread of their runs."""

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from tt_utils.plotting.palette import QUERY, Numbers


def curves(
    ax: Axes,
    x: Numbers,
    series: Mapping[str, Numbers | Sequence[Numbers]],
    legend: bool = True,
) -> None:
    """Draw named curves over a common x, each with its own marker.

    Several rows under one name, such as a row per seed, are drawn as their mean in a
    band from the lowest to the highest. The names stand beside the axes, where no
    curve runs.
    """
    for marker, (name, y) in zip(
        itertools.cycle("osD^v"), series.items(), strict=False
    ):
        rows = np.atleast_2d(np.asarray(y))
        (line,) = ax.plot(x, rows.mean(axis=0), marker=marker, label=name)
        if len(rows) > 1:
            ends = rows.min(axis=0), rows.max(axis=0)
            ax.fill_between(x, *ends, color=line.get_color(), alpha=0.25, lw=0)
    ax.grid(True)
    if legend:
        ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))


def bars(ax: Axes, values: Mapping[str, Numbers], end: float | None = None) -> None:
    """Draw a horizontal bar per name to the mean of its numbers, and each as a dot.

    The first name stands on top; the axis runs from 0 to `end`.
    """
    names = list(values)
    means = [float(np.mean(values[name])) for name in names]
    ax.barh(names, means, color=QUERY, alpha=0.45, height=0.6)
    for row, name in enumerate(names):
        numbers = np.atleast_1d(values[name])
        ax.plot(numbers, [row] * len(numbers), "o", color=QUERY, ms=4, clip_on=False)
    ax.yaxis.set_inverted(True)
    ax.set_xlim(0, end)
    ax.grid(True, axis="x")
