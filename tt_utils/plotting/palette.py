"""The book's colours, and what the drawing functions call their arguments."""

from collections.abc import Sequence

import numpy as np
from matplotlib import color_sequences
from matplotlib.colors import ListedColormap

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
