"""The command `tt`: train a translator, let it translate, see how good it is.

PyTorch is imported inside the commands, so that `tt --help` answers at once.
"""

import json
import os
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tt_utils.grading.classroom.command import grade
from tt_utils.runtime import (
    DeviceError,
    best_device,
    seed_everything,
)

if TYPE_CHECKING:
    from tt_utils.decoding.translator import Translator

app = typer.Typer(
    help=__doc__.splitlines()[0],
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Checkpoint = Annotated[
    Path, typer.Argument(help="The folder that `tt train` wrote, or its file.")
]
Beam = Annotated[
    int, typer.Option(min=1, help="Beginnings to follow at once; 1 is greedy.")
]
CHECKPOINTS = 20  # written in the course of a training


@app.command()
def train(
    data: Annotated[
        Literal["grammar", "multi30k"],
        typer.Option(help="English→Spanish by rules, or German↔English captions."),
    ] = "grammar",
    budget: Annotated[
        Literal["quick", "full"],
        typer.Option(envvar="TT_BUDGET", help="For two CPU cores, or for a GPU."),
    ] = "quick",
    direction: Annotated[
        Literal["de-en", "en-de"], typer.Option(help="Which way; for multi30k.")
    ] = "de-en",
    out: Annotated[
        Path | None, typer.Option(help="Folder for the checkpoint; else under runs/.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0)] = 0,
    precision: Annotated[
        Literal["fast", "fp32"],
        typer.Option(help="What this device is fast in, or 32 bits, as on a laptop."),
    ] = "fast",
) -> None:
    """Train a translator. After a stop the same command goes on where it was.

    With several processes: torchrun --nproc-per-node N -m tt_utils train …
    """
    with one_sentence_for_errors(
        "stopped; where a checkpoint was written, the same command goes on."
    ):
        from tt_utils.models.transformer import Transformer
        from tt_utils.training.loop import train as learn
        from tt_utils.training.loss import validation_loss
        from tt_utils.training.recipes import prepare, suited

        device = best_device()
        ready = prepare(data, budget, *direction.split("-"), seed)
        config = ready.training
        if precision == "fp32":
            config = replace(config, precision="fp32")
        # Compiling takes a minute, which only a long training wins back.
        config = suited(config, device, compile=budget == "full")
        name = [data, budget, *([direction] if data == "multi30k" else []), seed]
        out = out or Path("runs") / "-".join(map(str, name))
        seed_everything(seed)
        model = Transformer(ready.model).to(device)
        say(
            f"{len(ready.data.pairs):,} sentence pairs; "
            f"{sum(p.numel() for p in model.parameters()):,} parameters on {device}, "
            f"{config.precision}"
        )
        losses = learn(
            model,
            ready.data,
            config,
            validate=lambda model: validation_loss(model, ready.valid),
            checkpoint=out,
            every=max(1, config.steps // CHECKPOINTS),
            vocabulary=ready.vocabulary,
        )
        say(f"trained for {len(losses):,} steps; the last loss is {losses[-1]:.3f}")
        say(f'try: tt translate {out} "{ready.corpus.test[0][0]}"')


@app.command()
def translate(
    checkpoint: Checkpoint,
    texts: Annotated[
        list[str] | None,
        typer.Argument(help="Sentences; without any, lines from standard input."),
    ] = None,
    beam: Beam = 4,
) -> None:
    """Translate sentences, a line each.

    A line that can't be translated stays empty; standard error says why.
    """
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(encoding="utf-8", errors="replace")
    with one_sentence_for_errors():
        from tt_utils.decoding.translator import Translator

        translator = Translator.load(checkpoint, best_device())
        whole = True
        for lines in [texts] if texts else groups_of_input():
            whole &= translate_lines(translator, lines, beam)
    if not whole:
        raise typer.Exit(1)


def groups_of_input() -> Iterator[list[str]]:
    """Give single lines while somebody types, all at once from a file or a pipe."""
    lines = (line.rstrip("\n") for line in sys.stdin)
    if sys.stdin.isatty():
        for line in lines:
            yield [line]
    else:
        yield list(lines)


def translate_lines(translator: "Translator", lines: list[str], beam: int) -> bool:
    """Print as many lines as were given; say whether all could be translated."""
    from tt_utils.decoding.translator import TranslationError

    good: dict[int, list[int]] = {}
    for number, line in enumerate(lines, start=1):
        try:
            good[number] = translator.encode(line)
        except TranslationError as error:
            complain(f"line {number}: {error}")
            continue
        if unknown := translator.source.unknown(line):
            complain(
                f"line {number}: the model never saw {', '.join(unknown)}; what it "
                "writes for that is a guess."
            )
    outputs = translator.translate_ids(
        list(good.values()), beam, show_progress=len(good) > 100
    )
    written = dict(zip(good, outputs, strict=True))
    for number in range(1, len(lines) + 1):
        typer.echo(written.get(number, ""))
    return len(good) == len(lines)


@app.command()
def evaluate(
    checkpoint: Checkpoint,
    beam: Beam = 4,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object.")
    ] = False,
) -> None:
    """Score a translator on the test sentences of the data it was trained on."""
    with one_sentence_for_errors():
        from tt_utils.decoding.translator import Translator
        from tt_utils.evaluation import translation

        report = translation.evaluate(
            Translator.load(checkpoint, best_device()), beam, show_progress=not as_json
        )
    if as_json:
        typer.echo(json.dumps(asdict(report)))
        return
    typer.echo(f"sentences        {report.sentences:,}")
    typer.echo(f"exactly right    {report.exact:.1%}")
    typer.echo(f"sacreBLEU        {report.bleu}")
    typer.echo(f"lower-cased BLEU {report.bleu_lowercased}")
    if report.alignment_error is not None:
        typer.echo(f"alignment error  {report.alignment_error:.3f}")


@app.command()
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
    from tt_utils.grading.tasks.spec import FunctionTask

    try:
        asked = find(task)
    except UnknownTask as error:
        complain(str(error))
        raise typer.Exit(1) from None
    if not file.is_file():
        complain(f"there is no file {file}; give the one that defines the answer.")
        raise typer.Exit(1)
    wanted = asked.answers if isinstance(asked, FunctionTask) else asked.outputs
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


@app.command()
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


@app.command()
def mistakes(
    task: Annotated[str, typer.Argument(help="The task's id, such as 05.1.")],
) -> None:
    """For teachers: a task's known mistakes, and which check catches each, and how."""
    from tt_utils.grading.judging.compare import show
    from tt_utils.grading.judging.task_audit import problems, problems_of_values, table
    from tt_utils.grading.tasks import UnknownTask, find
    from tt_utils.grading.tasks.spec import FunctionTask

    try:
        asked = find(task)
        if isinstance(asked, FunctionTask):
            wrong = list(problems(asked))
            lines = [] if wrong else table(asked)
        else:
            wrong = list(problems_of_values(asked))
    except (UnknownTask, ValueError) as error:
        complain(str(error))
        raise typer.Exit(1) from None
    for problem in wrong:
        complain(problem)
    if wrong:
        raise typer.Exit(1)
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


app.command()(grade)


@contextmanager
def one_sentence_for_errors(stopped: str = "stopped.") -> Iterator[None]:
    """End with the sentence of an expected error, not with a traceback.

    `stopped` is what to say after Ctrl-C.
    """
    import torch

    from tt_utils.checkpoint import CheckpointError
    from tt_utils.data.download import DataError
    from tt_utils.decoding.translator import TranslationError

    expected = (
        *(CheckpointError, DataError, DeviceError, TranslationError),
        FloatingPointError,
    )
    try:
        yield
    except expected as error:
        complain(str(error))
        raise typer.Exit(1) from None
    except torch.OutOfMemoryError:
        complain(
            f"the memory of {best_device()} is full; free some, or use another device."
        )
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        complain(stopped)
        raise typer.Exit(130) from None


def complain(sentence: str) -> None:
    """Say on standard error what is wrong."""
    typer.echo(f"tt: {sentence}", err=True)


def say(sentence: str) -> None:
    """Tell how it goes; of several processes only the first speaks."""
    if os.environ.get("RANK", "0") == "0":
        typer.echo(sentence)
