"""How far a learner has come: points per chapter or task, as text and as a picture."""

from dataclasses import dataclass
from html import escape

from tt_utils.grading import tasks
from tt_utils.grading.reporting import points
from tt_utils.grading.tasks.spec import Task

BAR = 12  # characters in a terminal
_BOX = (
    "display:inline-block;width:.85em;height:.85em;margin-right:.2em;"
    "border:1px solid currentColor;border-radius:2px;vertical-align:-.08em"
)
_DONE = "#009E73"


@dataclass(frozen=True)
class Part:
    """A task: the best points so far, of how many."""

    title: str
    points: int
    out_of: int

    @property
    def share(self) -> float:
        return self.points / self.out_of

    @property
    def sign(self) -> str:
        return "○" if not self.points else "●" if self.share == 1 else "◐"

    @property
    def words(self) -> str:
        return f"{self.title}: {self.points} of {self.out_of} points"


@dataclass(frozen=True)
class Row:
    """A line of the picture: a chapter with its tasks, a task, or the total."""

    title: str
    parts: tuple[Part, ...]

    @property
    def points(self) -> int:
        return sum(part.points for part in self.parts)

    @property
    def out_of(self) -> int:
        return sum(part.out_of for part in self.parts)

    @property
    def share(self) -> float:
        return self.points / self.out_of


@dataclass(frozen=True)
class Progress:
    """Points as a picture: text in a terminal, HTML in a notebook.

    A bar shows the share of the points; in a row for a chapter stands a sign for each
    task: empty, begun, full.
    """

    rows: tuple[Row, ...]
    note: str = ""

    @property
    def total(self) -> Row:
        points = sum(row.points for row in self.rows)
        out_of = sum(row.out_of for row in self.rows)
        return Row("Total", (Part("Total", points, out_of),))

    @property
    def lines(self) -> tuple[Row, ...]:
        return (*self.rows, self.total)

    def __repr__(self) -> str:
        width = max(len(row.title) for row in self.lines)
        digits = len(str(self.total.out_of))
        lines = [
            f"{row.title:<{width}}  {bar(row.share)}  {row.points:>{digits}} of "
            f"{row.out_of:>{digits}} points  {signs(row)}".rstrip()
            for row in self.lines
        ]
        return "\n".join([*lines, self.note] if self.note else lines)

    def _repr_html_(self) -> str:
        rows = "".join(map(_html, self.lines))
        note = f"<p>{escape(self.note)}</p>" if self.note else ""
        return f'<table style="border-collapse:collapse">{rows}</table>{note}'


def bar(share: float) -> str:
    """A bar of characters. Full only where nothing is missing."""
    full = int(share * BAR)
    return "█" * full + "░" * (BAR - full)


def signs(row: Row) -> str:
    """A sign for each of several tasks."""
    return " ".join(part.sign for part in row.parts) if len(row.parts) > 1 else ""


def _html(row: Row) -> str:
    cell = '<td style="text-align:left;padding:.15em .9em .15em 0;border:0">'
    filled = f"linear-gradient(90deg,{_DONE} {row.share:.0%},transparent 0)"
    length = (
        '<span aria-hidden="true" style="display:inline-block;width:9em;height:.7em;'
        f'border:1px solid currentColor;border-radius:3px;background:{filled}"></span>'
    )
    boxes = "".join(map(_box, row.parts)) if len(row.parts) > 1 else ""
    counted = f"{row.points} of {row.out_of} points"
    cells = (escape(row.title), length, counted, boxes)
    return f"<tr>{''.join(f'{cell}{content}</td>' for content in cells)}</tr>"


def _box(part: Part) -> str:
    filled = f"linear-gradient(0deg,{_DONE} {part.share:.0%},transparent 0)"
    words = escape(part.words, quote=True)
    return (
        f'<span role="img" aria-label="{words}" title="{words}" '
        f'style="{_BOX};background:{filled}"></span>'
    )


def progress(chapter: str | int | None = None) -> Progress:
    """Points per chapter; with a chapter ("01"), points per task of it."""
    best, note = points.load()

    def part(task: Task) -> Part:
        earned = max(0, min(task.points, best.get(task.id, 0)))
        return Part(f"{task.id} {task.title}", earned, task.points)

    if chapter is not None:
        parts = [part(task) for task in tasks.of_chapter(chapter).values()]
        return Progress(tuple(Row(one.title, (one,)) for one in parts), note)
    rows = [
        Row(f"{number} {title}", tuple(map(part, tasks.of_chapter(number).values())))
        for number, title in tasks.chapters().items()
    ]
    return Progress(tuple(rows), note)
