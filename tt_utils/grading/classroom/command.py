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
    from tt_utils.grading.classroom.record import Record


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
) -> None:
    """For teachers: grade a class, each submission in a sandbox without the answers.

    After a stop the same command goes on where it was.
    """
    with one_sentence_for_errors():
        need_cloudpickle()
        records = grade_all(
            submissions, out, roster, workers, dask, tasks, chapter, sandbox
        )
        summarise(records, out, roster is not None)


def grade_all(
    submissions: Path,
    out: Path,
    roster: Path | None,
    workers: int,
    dask: str,
    folder: Path | None,
    chapter: str,
    wanted: Literal["auto", "bwrap", "docker", "podman", "container"],
) -> list["Record"]:
    from tt_utils.grading import tasks
    from tt_utils.grading.classroom import run, sandbox
    from tt_utils.grading.classroom.grader import Settings
    from tt_utils.grading.classroom.journal import opened
    from tt_utils.grading.classroom.limits import LIMITS
    from tt_utils.grading.classroom.roster import read_roster
    from tt_utils.grading.classroom.submissions import submissions as found_in
    from tt_utils.grading.classroom.workers import (
        cluster,
        end_processes,
        processes,
        use_folder,
    )

    own = str(folder.resolve()) if folder else ""
    use_folder(own)
    if chapter:
        chapter = chapter.zfill(2)
        tasks.of_chapter(chapter)
    people = read_roster(roster) if roster else []
    found = found_in(submissions, people)
    settings = Settings("bwrap", run.new_seeds(), chapter, own)
    with opened(out, run.graded_with(settings)) as journal:
        if dask:
            with cluster(dask) as (make_executor, threads):
                kind = make_executor().submit(sandbox.find, wanted, LIMITS).result()
                settings = replace(settings, sandbox=kind)
                return run.grade_class(found, settings, journal, make_executor, threads)
        settings = replace(settings, sandbox=sandbox.find(wanted, LIMITS))
        try:
            return run.grade_class(
                found, settings, journal, processes(workers), workers
            )
        except KeyboardInterrupt:
            end_processes()
            raise


def summarise(records: list["Record"], out: Path, has_roster: bool) -> None:
    """The figures that a teacher wants first; the report has the rest."""
    from tt_utils.grading.classroom import reports

    reports.write(records, out)
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
    known = Counter(
        (task_id, mistake)
        for record in graded
        for task_id, task in record.tasks.items()
        for mistake in task.mistakes
    )
    for (task_id, mistake), count in known.most_common(5):
        typer.echo(f"{task_id}, {count} ×: {mistake}")
    typer.echo(f"report: {out}")


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
    from tt_utils.grading.classroom.journal import Busy
    from tt_utils.grading.classroom.roster import BadRoster
    from tt_utils.grading.classroom.sandbox import NoSandbox
    from tt_utils.grading.classroom.submissions import NoSubmissions
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
