"""Commands for models that write, judge, answer and chat."""

from typing import Annotated

import typer

from tt_utils.cli.speaking import (
    Checkpoint,
    complain,
    one_sentence_for_errors,
    tell_line,
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
                tell_line(written)


def classify(
    checkpoint: Checkpoint,
    texts: Annotated[
        list[str] | None,
        typer.Argument(help="Texts; without any, lines from standard input."),
    ] = None,
) -> None:
    """Say of each text to which kind it belongs, and how likely that is."""
    with one_sentence_for_errors():
        from tt_utils.decoding.classifying import TextClassifier

        classifier = TextClassifier.load(checkpoint, best_device())
        for lines in texts_or_lines(texts):
            for verdict in classifier.classify(lines):
                if verdict.unknown:
                    guess(verdict.unknown)
                typer.echo(f"{verdict.label} {verdict.probability:.1%}")


def answer(
    checkpoint: Checkpoint,
    question: Annotated[str, typer.Argument(help="What to look for.")],
    passage: Annotated[str, typer.Argument(help="The text that may hold it.")],
) -> None:
    """Find the answer to a question in a passage, or say that there is none."""
    with one_sentence_for_errors():
        from tt_utils.decoding.answering import Answerer

        answerer = Answerer.load(checkpoint, best_device())
        if unknown := answerer.unknown(question, passage):
            guess(unknown)
        found = answerer.answer(question, passage)
        text = "there is no answer" if found.text is None else found.text
        typer.echo(f"{text} {found.probability:.1%}")


def chat(checkpoint: Checkpoint) -> None:
    """Talk with a model, a line a turn, until the end of the input (Ctrl-D)."""
    with one_sentence_for_errors():
        from tt_utils.decoding.chat import Chat
        from tt_utils.decoding.trained import TextError

        talk = Chat.load(checkpoint, best_device())
        for lines in texts_or_lines(None):
            for line in lines:
                try:
                    typer.echo(talk.reply(line))
                except TextError as error:
                    complain(str(error))


def guess(unknown: list[str]) -> None:
    """Warn of words that training never showed."""
    complain(
        f"the model never saw {', '.join(dict.fromkeys(unknown))}; what it says of "
        "that is a guess."
    )
