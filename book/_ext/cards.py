"""The card that a shared link to a chapter shows: its title, and the book's name."""

from pathlib import Path
from textwrap import wrap

from matplotlib.figure import Figure
from plain_text import one_line, plain
from sphinx.application import Sphinx

SIZE, DPI = (12, 6.3), 100  # 1200 × 630 px
PAPER, INK, QUIET, BLUE = "#16191d", "#dcdfe3", "#a3abb5", "#79bfee"
LONGEST = 24  # letters in a line
PLACE = "_static/cards/{}.png"


def place(page: str) -> str | None:
    """Where the page's own card is, if it has one."""
    folder, _, name = page.rpartition("/")
    return PLACE.format(name) if folder == "notebooks" else None


def draw(title: str, book: str, file: Path) -> None:
    number, _, name = title.partition(" · ")
    figure = Figure(SIZE, dpi=DPI, facecolor=PAPER)
    figure.text(0.07, 0.82, number, size=40, color=BLUE, weight="bold", va="center")
    figure.text(
        0.07,
        0.5,
        "\n".join(wrap(name, LONGEST)),
        size=54,
        color=INK,
        family="serif",
        va="center",
        linespacing=1.15,
    )
    figure.text(0.07, 0.14, book, size=28, color=QUIET, family="serif")
    figure.savefig(file, metadata={"Software": None})


def draw_all(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.format != "html":
        return
    book = app.config.html_title or app.config.project
    for page in sorted(app.env.found_docs):
        if found := place(page):
            file = Path(app.outdir, found)
            file.parent.mkdir(exist_ok=True)
            draw(one_line(plain(app.env.titles[page])), book, file)


def setup(app: Sphinx) -> dict:
    app.connect("build-finished", draw_all)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
