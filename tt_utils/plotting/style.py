"""How every static figure of the book looks, and the forms a notebook keeps it in."""

import base64
import io
from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from PIL import Image

STYLE = Path(__file__).parent / "tt.mplstyle"
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
