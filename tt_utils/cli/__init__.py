"""The command `tt`: train the book's models, use them, and check exercises.

PyTorch is imported inside the commands, so that `tt --help` answers at once.
"""

import typer

from tt_utils.cli.exercises import check, mistakes, progress
from tt_utils.cli.texts import answer, chat, classify, generate
from tt_utils.cli.training import train
from tt_utils.cli.translating import evaluate, export, translate
from tt_utils.grading.classroom.command import grade

app = typer.Typer(
    help=__doc__.splitlines()[0],
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for command in (
    *(train, translate, evaluate, export),
    *(generate, classify, answer, chat),
    *(check, progress, mistakes, grade),
):
    app.command()(command)
