"""Images, frames in them, and a label for each pixel."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float, Int
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from tt_utils.plotting.matrices import tiles
from tt_utils.plotting.palette import KEY, LABELS, Numbers


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
