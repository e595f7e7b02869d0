"""Every static figure of the book, in one style."""

from tt_utils.plotting.charts import bars, curves
from tt_utils.plotting.head import head
from tt_utils.plotting.images import frame, label_map, pictures
from tt_utils.plotting.machine import machine
from tt_utils.plotting.matrices import attention_map, heatmap, permissions, tiles
from tt_utils.plotting.palette import (
    DARK,
    GOLD,
    GREY,
    HEADS,
    INK,
    KEY,
    LABELS,
    LEAK,
    QUERY,
    SHADE,
    VALUE,
)
from tt_utils.plotting.schemes import fetch, flow, lookup, network, ring, tree, way
from tt_utils.plotting.style import STYLE, small_png, use_style
from tt_utils.plotting.vectors import arrow, plane, projection

__all__ = [
    "DARK",
    "GOLD",
    "GREY",
    "HEADS",
    "INK",
    "KEY",
    "LABELS",
    "LEAK",
    "QUERY",
    "SHADE",
    "STYLE",
    "VALUE",
    "arrow",
    "attention_map",
    "bars",
    "curves",
    "fetch",
    "flow",
    "frame",
    "head",
    "heatmap",
    "label_map",
    "lookup",
    "machine",
    "network",
    "permissions",
    "pictures",
    "plane",
    "projection",
    "ring",
    "small_png",
    "tiles",
    "tree",
    "use_style",
    "way",
]
