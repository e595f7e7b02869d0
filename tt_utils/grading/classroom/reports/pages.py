"""The HTML pages, each a file that needs no other and runs no script."""

import re
from functools import cache
from importlib import resources
from importlib.metadata import PackageNotFoundError, metadata
from typing import TYPE_CHECKING

from tt_utils.grading import tasks
from tt_utils.grading.classroom.records.record import Record
from tt_utils.grading.classroom.reports.summary import ClassSummary, title_of
from tt_utils.grading.reporting.result import SIGN, Rung, coded

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

SECTION = re.compile(r"chapter (?P<number>\d\d[a-z]?), “(?P<heading>.*)”")


def student(record: Record, ids: list[str]) -> str:
    """One student's page: every task of the class, with the reason of each loss."""
    return environment().get_template("student.html").render(record=record, ids=ids)


def of_class(found: ClassSummary, links: list[str], not_taken: dict[str, str]) -> str:
    """The instructor's page; `links` lead to the students' pages, in their order."""
    page = environment().get_template("class.html")
    return page.render(found=found, links=links, not_taken=not_taken)


@cache
def environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("tt_utils.grading.classroom.reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"coded": marked, "rung": rung_in_words}
    made.filters |= {"link": link, "title": title_of}
    made.globals |= {"SIGNS": SIGN, "css": css()}
    return made


def css() -> str:
    templates = resources.files("tt_utils.grading.classroom.reports") / "templates"
    return (templates / "report.css").read_text(encoding="utf-8")


def marked(text: str) -> "Markup":
    """Text whose parts between backticks are code."""
    from markupsafe import Markup

    return Markup(coded(text))


def rung_in_words(rung: tuple[str, bool | None, bool]) -> str:
    """One check as a learner reads it in a notebook."""
    return str(Rung(*rung))


def link(section: str) -> str:
    """The address of a section: chapter 05, “In PyTorch”, or of a companion's, 18b."""
    match = SECTION.fullmatch(section)
    address = book_address()
    folders = dict(tasks.chapter_folders(tasks.OURS))
    chapter = match["number"][:2] if match else ""
    if not address or chapter not in folders:
        return ""
    companions = {task.page for task in tasks.of_chapter(chapter).values()}
    pages = [folders[chapter].name[2:], *companions]
    for page in pages:
        if page.partition("_")[0] == match["number"]:
            return f"{address}notebooks/{page}.html#{anchor(match['heading'])}"
    return ""


def anchor(heading: str) -> str:
    """A heading's anchor in the book: Sphinx makes it of letters and digits."""
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")


@cache
def book_address() -> str:
    """Where the book is published, as the package's own metadata say."""
    try:
        urls = metadata("transformer-textbook").get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    named = dict(url.split(", ", 1) for url in urls)
    return named.get("Documentation", "")
