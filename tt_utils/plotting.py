"""Every static figure of the book, in one style."""

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.colors import Colormap
from matplotlib.patches import Rectangle

STYLE = Path(__file__).parent / "tt.mplstyle"
Numbers = Sequence[float | int] | np.ndarray

QUERY, KEY, VALUE = "#0072B2", "#D55E00", "#009E73"
GOLD = "#E69F00"


def use_style() -> None:
    """Draw in the book's style from here on; in a notebook, as sharp SVG."""
    from matplotlib_inline.backend_inline import set_matplotlib_formats

    plt.style.use(STYLE)
    # A fixed date of None keeps the picture of the same data the same file.
    set_matplotlib_formats("svg", metadata={"Date": None})


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


def plane(ax: Axes, reach: float) -> None:
    """Prepare a square grid around the origin, `reach` wide in every direction."""
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
    ax.axhline(0, color="#8a8a8a", lw=1)
    ax.axvline(0, color="#8a8a8a", lw=1)
    ax.grid(True)
    ax.set(xlabel="first number", ylabel="second number")


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
    """Show who looks where: one row a query, one column a key.

    `gold` holds (key, query) pairs; each gets a frame, the word that is meant.
    """
    heatmap(ax, weights, queries, keys)
    ax.set(xlabel="looked at (key)", ylabel="asks (query)")
    ax.xaxis.set_label_position("top")
    for i, j in gold or ():
        ax.add_patch(
            Rectangle((i - 0.46, j - 0.46), 0.92, 0.92, fill=False, ec=GOLD, lw=2.5)
        )


def curves(ax: Axes, x: Numbers, series: Mapping[str, Numbers]) -> None:
    """Draw named curves over a common x, each with its own marker."""
    for marker, (name, y) in zip(
        itertools.cycle("osD^v"), series.items(), strict=False
    ):
        ax.plot(x, y, marker=marker, label=name)
    ax.grid(True)
    ax.legend()
