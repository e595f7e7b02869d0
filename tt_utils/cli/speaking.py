"""What all commands share: how they read lines, tell, and say what is wrong."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated
from unicodedata import category

import typer

from tt_utils.runtime import DeviceError, best_device

Checkpoint = Annotated[
    Path, typer.Argument(help="The folder that `tt train` wrote, or its file.")
]


@contextmanager
def one_sentence_for_errors(stopped: str = "stopped.") -> Iterator[None]:
    """End with the sentence of an expected error, not with a traceback.

    `stopped` is what to say after Ctrl-C.
    """
    import torch

    from tt_utils.checkpoint import CheckpointError
    from tt_utils.data.download import DataError
    from tt_utils.decoding.trained import TextError

    expected = (CheckpointError, DataError, DeviceError, TextError, FloatingPointError)
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


def texts_or_lines(texts: list[str] | None) -> Iterator[list[str]]:
    """Give the texts of the command line, or else the lines of standard input.

    These come singly while somebody types, all at once from a file or a pipe.
    """
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(encoding="utf-8", errors="replace")
    if texts:
        yield texts
        return
    lines = (line.rstrip("\n") for line in sys.stdin)
    if sys.stdin.isatty():
        for line in lines:
            yield [line]
    else:
        yield list(lines)


def tell_line(text: str) -> None:
    """Print what a model wrote, as one line that can't steer a terminal."""
    shown = ("\N{REPLACEMENT CHARACTER}" if category(c) == "Cc" else c for c in text)
    typer.echo("".join(shown))


def complain(sentence: str) -> None:
    """Say on standard error what is wrong."""
    typer.echo(f"tt: {sentence}", err=True)


def say(sentence: str) -> None:
    """Tell how it goes; of several processes only the first speaks."""
    if os.environ.get("RANK", "0") == "0":
        typer.echo(sentence)
