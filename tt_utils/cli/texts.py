"""Commands for models that write, judge, answer and chat."""

from typing import Annotated

import typer

from tt_utils.cli.speaking import (
    Checkpoint,
    one_sentence_for_errors,
    texts_or_lines,
)
from tt_utils.runtime import best_device


def generate(
    checkpoint: Checkpoint,
    texts: Annotated[
        list[str] | None,
        typer.Argument(help="Beginnings; without any, lines from standard input."),
    ] = None,
    number: Annotated[
        int, typer.Option(min=1, help="Texts to write for each beginning.")
    ] = 1,
    length: Annotated[int, typer.Option(min=1, help="Tokens to add, at most.")] = 40,
    temperature: Annotated[
        float, typer.Option(min=0.01, help="Below 1: likelier words; above: rarer.")
    ] = 1.0,
    top_p: Annotated[
        float,
        typer.Option(min=0.01, max=1.0, help="Draw from the likeliest of this share."),
    ] = 0.9,
    seed: Annotated[
        int | None, typer.Option(min=0, help="The same seed, the same texts.")
    ] = None,
) -> None:
    """Let a decoder-only model write on, behind each beginning."""
    with one_sentence_for_errors():
        import torch

        from tt_utils.decoding.writer import Writer

        device = best_device()
        writer = Writer.load(checkpoint, device)
        luck = torch.Generator(device)
        luck.seed() if seed is None else luck.manual_seed(seed)
        how = {"temperature": temperature, "top_p": top_p, "generator": luck}
        for lines in texts_or_lines(texts):
            repeated = [line for line in lines for _ in range(number)]
            for written in writer.write(repeated, length, **how):
                typer.echo(written)
