"""Commands for exercises: check an answer, see one's points, see a task's mistakes."""

import textwrap
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from tt_utils.cli.speaking import complain


def check(
    task: Annotated[str, typer.Argument(help="The task's id, such as 05.1.")],
    file: Annotated[
        Path, typer.Argument(help="A Python file that defines the answer.")
    ],
    seed: Annotated[int, typer.Option(min=0, help="Of the numbers to try.")] = 0,
    hints: Annotated[
        bool, typer.Option("--hints", help="Show the general hints too.")
    ] = False,
) -> None:
    """Check an exercise that stands in a Python file, as the notebooks do it."""
    import runpy

    from tt_utils.grading import check as check_answers
    from tt_utils.grading.tasks import UnknownTask, find
    from tt_utils.grading.tasks.spec import ValueTask

    try:
        asked = find(task)
    except UnknownTask as error:
        complain(str(error))
        raise typer.Exit(1) from None
    if not file.is_file():
        complain(f"there is no file {file}; give the one that defines the answer.")
        raise typer.Exit(1)
    wanted = asked.outputs if isinstance(asked, ValueTask) else asked.answers
    defined = runpy.run_path(str(file))
    missing = [name for name in wanted if name not in defined]
    if missing:
        complain(
            f"{file} defines no {' and no '.join(missing)}, which {task} asks for."
        )
        raise typer.Exit(1)
    result = check_answers(task, *(defined[name] for name in wanted), seed=seed)
    typer.echo(repr(replace(result, more_hints=()) if hints else result))
    for number, hint in enumerate(result.more_hints if hints else (), 1):
        typer.echo(f"General hint {number}: {hint}")
    raise typer.Exit(0 if result else 1)


def progress(
    chapter: Annotated[
        str, typer.Argument(help="A chapter such as 05; all chapters if left out.")
    ] = "",
) -> None:
    """Show your best points, chapter by chapter or task by task."""
    from tt_utils.grading import progress as points_so_far
    from tt_utils.grading.tasks import UnknownTask

    try:
        typer.echo(repr(points_so_far(chapter or None)))
    except UnknownTask as error:
        complain(str(error))
        raise typer.Exit(1) from None


def mistakes(
    task: Annotated[str, typer.Argument(help="The task's id, such as 05.1.")],
) -> None:
    """For teachers: a task's known mistakes, and which check catches each, and how."""
    from tt_utils.grading.judging.compare import show
    from tt_utils.grading.judging.task_audit import problems, problems_of_values, table
    from tt_utils.grading.tasks import UnknownTask, find
    from tt_utils.grading.tasks.spec import FunctionTask, TrainingTask

    try:
        asked = find(task)
        if isinstance(asked, FunctionTask):
            wrong = list(problems(asked))
            lines = [] if wrong else table(asked)
        elif isinstance(asked, TrainingTask):
            wrong = []
        else:
            wrong = list(problems_of_values(asked))
    except (UnknownTask, ValueError) as error:
        complain(str(error))
        raise typer.Exit(1) from None
    for problem in wrong:
        complain(problem)
    if wrong:
        raise typer.Exit(1)
    if isinstance(asked, TrainingTask):
        for symptom in asked.symptoms:
            typer.echo(f"\n{symptom.name}")
            typer.echo(textwrap.indent(textwrap.fill(symptom.hint, 80), " " * 8))
        return
    if not isinstance(asked, FunctionTask):
        for name, value in zip(asked.outputs, asked.right, strict=True):
            typer.echo(f"right: {name} = {show(value)}")
        for mistake in asked.known:
            typer.echo(f"\n{mistake.name}")
            for way in mistake.ways:
                typer.echo(f"    {', '.join(way)}")
            typer.echo(textwrap.indent(textwrap.fill(mistake.hint, 80), " " * 8))
        return
    for number, rung in enumerate(asked.checks, 1):
        typer.echo(f"check {number}: {rung.title}")
    width = max(len(line.name) for line in lines)
    typer.echo(
        f"\n{'mistake':{width}}  check  wrong numbers         nearest (checks apart)"
    )
    for line in lines:
        typer.echo(
            f"{line.name:{width}}  {line.caught_by or '-':>5}  {line.numbers:<20}  "
            f"{line.neighbour} ({line.apart})"
        )
