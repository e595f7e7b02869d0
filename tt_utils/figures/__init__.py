"""Figures that answer: in the book's pages without a kernel, in notebooks with one."""

from tt_utils.figures.widgets import (
    Architecture,
    Clocks,
    Digit,
    DotProduct,
    Film,
    Masks,
    Scale,
    SoftLookup,
)

__all__ = [
    "Architecture",
    "Clocks",
    "Digit",
    "DotProduct",
    "Film",
    "Masks",
    "Scale",
    "SoftLookup",
]
