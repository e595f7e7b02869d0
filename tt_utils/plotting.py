"""Every static figure of the book, in one style."""

import base64
import io
import itertools
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Bool, Float, Int
from matplotlib import color_sequences
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle
from matplotlib.patheffects import withStroke
from PIL import Image

STYLE = Path(__file__).parent / "tt.mplstyle"
Numbers = Sequence[float | int] | np.ndarray
Point = tuple[float | int, float | int]
Link = tuple[Point, Point]

QUERY, KEY, VALUE = "#0072B2", "#D55E00", "#009E73"
GOLD = "#E69F00"
DARK = "#1f2429"
GREY, INK, LEAK = "#8a8a8a", "#737373", "#A65AB0"
# Of what belongs to no head, and of heads 1 to 5.
HEADS = (GREY, "#A65AB0", "#B8860B", "#D0457E", "#5B6EE1", "#4E8098")
SHADE = ListedColormap([GREY + "00", GREY + "66"])  # clear, grey
# Paper, and the ten kinds that its labels can be.
LABELS = ListedColormap(["#ffffff", *color_sequences["tab10"]])
# No date keeps the picture of the same data the same file.
UNDATED = {"Date": None}


def use_style() -> None:
    """Draw in the book's style from here on; in a notebook, as SVG and as PNG.

    The book shows the SVG. JupyterLab shows no SVG of a notebook that it doesn't trust
    yet, so the PNG is what a reader sees before the first run.
    """
    from IPython import get_ipython
    from matplotlib_inline.backend_inline import set_matplotlib_formats

    plt.style.use(STYLE)
    set_matplotlib_formats("svg", metadata=UNDATED)
    if shell := get_ipython():
        shell.display_formatter.formatters["image/png"].for_type(Figure, small_png)


def small_png(figure: Figure) -> tuple[str, dict[str, int]] | None:
    """The figure at two dots a pixel, in base64, and its size on the screen.

    A palette of 256 colours makes the file a third as large.
    """
    from IPython.core.pylabtools import retina_figure

    drawn = retina_figure(figure, metadata=UNDATED)
    if drawn is None:
        return None  # nothing is drawn on it
    png, size = drawn
    palette = Image.open(io.BytesIO(png)).quantize(256, Image.Quantize.FASTOCTREE)
    file = io.BytesIO()
    palette.save(file, "png", optimize=True)
    return base64.b64encode(file.getvalue()).decode(), size


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


def plane(ax: Axes, reach: float) -> None:
    """Prepare a square grid around the origin, `reach` wide in every direction."""
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
    ax.axhline(0, color=GREY, lw=1)
    ax.axvline(0, color=GREY, lw=1)
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


def pictures(
    images: Float[np.ndarray, "count height width"],
    titles: Sequence[str] = (),
    columns: int | None = None,
    size: float = 1.2,
) -> tuple[Figure, list[Axes]]:
    """Draw images from 0 (paper) to 1 (ink) in rows, each `size` inches wide.

    Left at None, `columns` puts all into one row. `titles` stand above them, for as
    many as there are.
    """
    columns = columns or len(images)
    rows = -(-len(images) // columns)
    height = size * (1.3 if titles else 1.05)
    figure, axes = plt.subplots(
        rows, columns, figsize=(columns * size, rows * height), squeeze=False
    )
    flat = list(axes.flat)
    for ax in flat:
        ax.set_axis_off()
    for ax, image in zip(flat, np.asarray(images), strict=False):
        tiles(ax, image, cmap="Greys")
    for ax, title in zip(flat, titles, strict=False):
        ax.set_title(title, loc="center", fontsize=9, pad=3)
    return figure, flat


def frame(
    ax: Axes, box: Numbers, label: str = "", color: str = KEY, dashed: bool = False
) -> None:
    """Frame part of an image: left, top, right and bottom edge in pixels.

    Edge 0 is the image's own; the label stands at the frame's upper left.
    """
    left, top, right, bottom = (float(edge) - 0.5 for edge in box)
    style = "--" if dashed else "-"
    ax.add_patch(
        Rectangle(
            (left, top),
            right - left,
            bottom - top,
            fill=False,
            ec=color,
            lw=1.6,
            ls=style,
            clip_on=False,
        )
    )
    ax.text(left, top - 0.2, label, color=color, fontsize=8, va="bottom")


def label_map(ax: Axes, labels: Int[np.ndarray, "height width"]) -> None:
    """Colour a map of whole numbers: 0 is paper, 1 to 10 have a colour each."""
    tiles(ax, np.asarray(labels, float), -0.5, 10.5, LABELS)
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
