"""`tt grade`: the command line of the class grader."""

import importlib.util
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from tt_utils.grading.classroom.handed_in.submission import Submission
    from tt_utils.grading.classroom.handed_in.submissions import Found
    from tt_utils.grading.classroom.records.record import Record
    from tt_utils.grading.classroom.settings import Settings
    from tt_utils.grading.tasks.spec import Task


def grade(
    submissions: Annotated[
        Path, typer.Argument(help="A folder or a zip of notebooks, in any structure.")
    ],
    out: Annotated[Path, typer.Option(help="Folder for the report.")],
    roster: Annotated[
        Path | None,
        typer.Option(help="CSV with a header: id, name; e-mail and file optional."),
    ] = None,
    workers: Annotated[
        int, typer.Option(min=1, help="Submissions graded side by side.")
    ] = os.cpu_count() or 1,
    dask: Annotated[
        str, typer.Option(help="Address of a Dask scheduler, to grade on its workers.")
    ] = "",
    tasks: Annotated[
        Path | None, typer.Option(help="Folder with tasks of your own.")
    ] = None,
    chapter: Annotated[
        str, typer.Option(help="Grade this chapter's tasks, such as 05.")
    ] = "",
    sandbox: Annotated[
        Literal["auto", "bwrap", "docker", "podman", "container"],
        typer.Option(help="What cuts a submission off; container: root in one."),
    ] = "auto",
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Say what would be graded, and run nothing."),
    ] = False,
) -> None:
    """For teachers: grade a class, each submission in a sandbox without the answers.

    After a stop the same command goes on where it was.
    """
    with one_sentence_for_errors():
        need_cloudpickle()
        found, settings = read(submissions, roster, tasks, chapter)
        if dry_run:
            say_what_would_be_graded(found, settings, roster is not None)
        else:
            records = grade_all(found, settings, out, workers, dask, sandbox)
            summarise(records, found, out, roster is not None)


def read(
    submissions: Path, roster: Path | None, folder: Path | None, chapter: str
) -> tuple["Found", "Settings"]:
    """What is there to be graded, and for which tasks; which sandbox is open still."""
    from tt_utils.grading import tasks
    from tt_utils.grading.classroom.handed_in.roster import read_roster
    from tt_utils.grading.classroom.handed_in.submissions import found_in
    from tt_utils.grading.classroom.rounds import new_seeds
    from tt_utils.grading.classroom.settings import Settings
    from tt_utils.grading.classroom.workers import use_folder

    own = str(folder.resolve()) if folder else ""
    use_folder(own)
    if chapter:
        chapter = chapter.zfill(2)
        tasks.of_chapter(chapter)
    say_own_tasks()
    found = found_in(submissions, read_roster(roster) if roster else [])
    return found, Settings("bwrap", new_seeds(), chapter, own)


def say_what_would_be_graded(
    found: "Found", settings: "Settings", has_roster: bool
) -> None:
    """A line for each submission, then the sums."""
    from tt_utils.grading.classroom.handed_in.submissions import loaded

    graded: dict[str, Task] = {}
    count = 0
    for one in found.submissions:
        words, theirs = would_be_graded(loaded(one), settings.chapter)
        graded |= theirs
        count += bool(theirs)
        who = one.name or one.student
        if not one.path:
            typer.echo(f"{who}: {words}")
        elif has_roster and not one.name:
            typer.echo(f"{one.path} (nobody on the roster): {words}")
        else:
            typer.echo(f"{one.path} ({who}): {words}")
    typer.echo(f"{count} of {len(found.submissions)} submissions would be graded")
    if graded:
        points = sum(task.points for task in graded.values())
        typer.echo(f"tasks: {', '.join(sorted(graded))}; {points} points")
    say_not_taken(found)


def would_be_graded(one: "Submission", chapter: str) -> tuple[str, dict[str, "Task"]]:
    """Which tasks a submission would be graded for, or in words why it would not."""
    from tt_utils.grading.classroom import grader
    from tt_utils.grading.classroom.handed_in.notebook_cells import NoNotebook, tasks_in

    if one.problem:
        return one.problem, {}
    try:
        cells, asked_for = grader.read(one.content, chapter)
    except NoNotebook as error:
        return str(error), {}
    theirs = {i: task for some in asked_for.values() for i, task in some.items()}
    words = ", ".join(sorted(theirs))
    if without := sorted({*theirs} - {*tasks_in(cells)}):
        words += f" (no call of `check` for {', '.join(without)})"
    if others := sorted({*tasks_in(cells)} - {*theirs}):
        words += f" (not counted: {', '.join(others)})"
    return words, theirs


def grade_all(
    found: "Found",
    settings: "Settings",
    out: Path,
    workers: int,
    dask: str,
    wanted: Literal["auto", "bwrap", "docker", "podman", "container"],
) -> list["Record"]:
    from tt_utils.grading.classroom import run
    from tt_utils.grading.classroom.digest import graded_with
    from tt_utils.grading.classroom.records.journal import opened
    from tt_utils.grading.classroom.sandbox.choose import find
    from tt_utils.grading.classroom.sandbox.limits import LIMITS
    from tt_utils.grading.classroom.workers import cluster, end_processes, processes

    everyone = found.submissions
    with opened(out, graded_with(settings)) as journal:
        if dask:
            with cluster(dask) as workers_there:
                kind = workers_there.one_answer(find, wanted, LIMITS)
                settings = replace(settings, sandbox=kind)
                return run.grade_class(
                    everyone,
                    settings,
                    journal,
                    workers_there.executor,
                    workers_there.threads,
                )
        settings = replace(settings, sandbox=find(wanted, LIMITS))
        try:
            return run.grade_class(
                everyone, settings, journal, processes(workers), workers
            )
        except KeyboardInterrupt:
            end_processes()
            raise


def summarise(
    records: list["Record"], found: "Found", out: Path, has_roster: bool
) -> None:
    """The figures that a teacher wants first; the report has the rest."""
    from tt_utils.grading.classroom import reports

    whole = reports.write(records, out, found.not_taken)
    graded = [record for record in records if not record.problem]
    typer.echo(f"{len(graded)} of {len(records)} submissions graded")
    if graded:
        shares = [record.points / max(1, record.out_of) for record in graded]
        typer.echo(f"points on average: {sum(shares) / len(shares):.0%}")
    for record in records:
        who = record.submission or record.name or record.student
        if record.problem:
            typer.echo(f"{who}: {record.problem}")
        if has_roster and record.submission and not record.name:
            typer.echo(f"{who}: nobody on the roster fits this name")
    say_not_taken(found)
    for record in whole.with_other_tasks:
        typer.echo(
            f"{record.submission or record.student}: graded for other tasks than most "
            f"({', '.join(sorted(record.tasks))}); --chapter asks all for the same"
        )
    if whole.several:
        typer.echo(
            f"several notebooks, a row each: {', '.join(sorted(whole.several))}; keep "
            "one of them when you import grades.csv"
        )
    for task, mistake in whole.to_teach_again[:5]:
        typer.echo(f"{task.id}, {mistake.count} ×: {mistake.name}")
    typer.echo(f"report: {out}")


def say_own_tasks() -> None:
    """Which tasks aren't the book's: `TT_TASKS` may be set from earlier work."""
    from tt_utils.grading.tasks import OURS, task_files

    files = task_files().items()
    if own := [task for task, file in files if not file.is_relative_to(OURS)]:
        typer.echo(f"tasks of your own: {', '.join(own)}")


def say_not_taken(found: "Found") -> None:
    """How many files are no notebooks, by the ends of their names."""
    if found.not_taken:
        ends = Counter(kind_of(path) for path in found.not_taken)
        kinds = ", ".join(f"{count} × {end}" for end, count in ends.most_common())
        typer.echo(f"not taken, since no notebook: {kinds}")


def kind_of(path: str) -> str:
    """The end of a file's name, or a folder's whole name."""
    name = path.rstrip("/").rpartition("/")[2]
    return f"{name}/" if path.endswith("/") else Path(name).suffix.lower() or name


def need_cloudpickle() -> None:
    """Ends with a sentence where the extra packages are missing."""
    if importlib.util.find_spec("cloudpickle") is None:
        typer.echo(
            "tt: grading a class needs more packages: "
            'pip install "transformer-textbook[class]"',
            err=True,
        )
        raise typer.Exit(1)


@contextmanager
def one_sentence_for_errors() -> Iterator[None]:
    from tt_utils.atomic_write import disk_reason
    from tt_utils.grading.classroom.handed_in.roster import BadRoster
    from tt_utils.grading.classroom.handed_in.submissions import NoSubmissions
    from tt_utils.grading.classroom.records.journal import Busy
    from tt_utils.grading.classroom.sandbox.choose import NoSandbox
    from tt_utils.grading.classroom.workers import NoCluster
    from tt_utils.grading.tasks import UnknownTask

    try:
        yield
    except (Busy, BadRoster, NoCluster, NoSandbox, NoSubmissions, UnknownTask) as error:
        typer.echo(f"tt: {error}", err=True)
        raise typer.Exit(1) from None
    except OSError as error:
        place = f" to {error.filename}" if error.filename else ""
        typer.echo(
            f"tt: the report can't be written{place}: {disk_reason(error)}.", err=True
        )
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        typer.echo("tt: stopped; the same command goes on where it was.", err=True)
        raise typer.Exit(130) from None
