"""Matrices as coloured squares: weights, signed values, masks."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Bool, Float
from matplotlib.axes import Axes
from matplotlib.colors import Colormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke

from tt_utils.plotting.palette import DARK, GOLD, GREY, INK, LEAK, SHADE


def tiles(
    ax: Axes,
    matrix: Float[np.ndarray, "rows columns"],
    low: float = 0.0,
    high: float = 1.0,
    cmap: str | Colormap = "cividis",
) -> None:
    """Colour one square a number, the first row on top, as vectors and not pixels."""
    edges = [np.arange(size + 1) - 0.5 for size in matrix.shape]
    ax.pcolormesh(edges[1], edges[0], matrix, cmap=cmap, vmin=low, vmax=high)
    ax.set_aspect("equal")
    ax.yaxis.set_inverted(True)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)


def heatmap(
    ax: Axes,
    matrix: Float[np.ndarray, "rows columns"],
    rows: Sequence[str],
    columns: Sequence[str],
    signed: bool = False,
    numbers: bool = True,
) -> None:
    """Show a matrix with words on both axes.

    Weights run from 0 to 1 in cividis; signed values diverge from 0.
    """
    limit = (float(np.abs(matrix).max()) if signed else 1.0) or 1.0
    cmap = plt.get_cmap("RdBu_r" if signed else "cividis")
    low = -limit if signed else 0.0
    tiles(ax, matrix, low, limit, cmap)
    ax.set_xticks(range(len(columns)), columns, rotation=45, ha="left")
    ax.set_yticks(range(len(rows)), rows)
    ax.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False)
    if not numbers:
        return
    for i, j in np.ndindex(*matrix.shape):
        red, green, blue, _ = cmap((matrix[i, j] - low) / (limit - low))
        dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.5
        text = f"{matrix[i, j]:.2f}" if limit <= 1 else f"{matrix[i, j]:.1f}"
        ax.text(
            j,
            i,
            text,
            ha="center",
            va="center",
            fontsize=8,
            color="white" if dark else "black",
        )


def attention_map(
    ax: Axes,
    weights: Float[np.ndarray, "t_q t_k"],
    queries: Sequence[str],
    keys: Sequence[str],
    gold: set[tuple[int, int]] | None = None,
) -> None:
    """Show which key each query attends to: a row per query, a column per key.

    `gold` holds (key, query) pairs; each gets a frame, the word that is meant.
    """
    heatmap(ax, weights, queries, keys)
    ax.set(xlabel="key (attended to)", ylabel="query")
    ax.xaxis.set_label_position("top")
    for i, j in gold or ():
        frame = Rectangle((i - 0.45, j - 0.45), 0.9, 0.9, fill=False, ec=GOLD, lw=2.5)
        # Its dark edge tells the frame from a bright square.
        frame.set_path_effects([withStroke(linewidth=4.5, foreground=DARK)])
        ax.add_patch(frame)


def permissions(
    panels: Mapping[str, Bool[np.ndarray, "t_q t_k"]],
    rows: Sequence[str],
    columns: Sequence[str],
    allowed: Bool[np.ndarray, "t_q t_k"] | None = None,
    axes: tuple[str, str] = ("query", "key"),
) -> tuple[Figure, list[Axes]]:
    """Draw masks side by side: a dot where a query may attend, grey with × where not.

    With `allowed`, each table says what happened: what is not allowed is grey, and
    where it happened all the same stands a star. `axes` name the rows and the columns.
    """
    size = 0.25 * len(columns) + 0.55, 0.25 * len(rows) + 1.4
    figure, shown = plt.subplots(
        1,
        len(panels),
        figsize=(size[0] * len(panels), size[1]),
        sharey=True,
        squeeze=False,
    )
    for ax, (name, table) in zip(shown.flat, panels.items(), strict=True):
        may = np.asarray(table if allowed is None else allowed, bool)
        table = np.asarray(table, bool)
        tiles(ax, 1.0 * ~may, cmap=SHADE)
        ax.hlines(np.arange(len(rows) + 1) - 0.5, -0.5, len(columns) - 0.5, GREY, lw=1)
        ax.vlines(np.arange(len(columns) + 1) - 0.5, -0.5, len(rows) - 0.5, GREY, lw=1)
        marks = [(table & may, "o", INK, 30), (table & ~may, "*", LEAK, 60)]
        if allowed is None:
            marks.append((~may, "x", GREY, 18))
        for cells, marker, color, area in marks:
            i, j = np.nonzero(cells)
            ax.scatter(j, i, area, color, marker=marker, linewidths=1.5)
        turned = 90 if max(map(len, columns)) > 2 else 0
        ax.set_xticks(range(len(columns)), columns, rotation=turned)
        ax.set_yticks(range(len(rows)), rows)
        ax.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False)
        ax.set_xlabel(axes[1])
        ax.xaxis.set_label_position("top")
        ax.text(0.5, -0.04, name, ha="center", va="top", transform=ax.transAxes)
    shown[0, 0].set_ylabel(axes[0])
    return figure, list(shown.flat)
