"""Commands for translators: translate, and score on the test sentences."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tt_utils.cli.speaking import (
    Checkpoint,
    complain,
    one_sentence_for_errors,
    say,
    tell_line,
    texts_or_lines,
)
from tt_utils.runtime import best_device

if TYPE_CHECKING:
    from tt_utils.decoding.translator import Translator

Beam = Annotated[
    int, typer.Option(min=1, help="Beginnings to follow at once; 1 is greedy.")
]


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
    with one_sentence_for_errors():
        from tt_utils.decoding.translator import Translator

        translator = Translator.load(checkpoint, best_device())
        whole = True
        for lines in texts_or_lines(texts):
            whole &= translate_lines(translator, lines, beam)
    if not whole:
        raise typer.Exit(1)


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
        tell_line(written.get(number, ""))
    return len(good) == len(lines)


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


EXPORTED_EXAMPLES = 8


def export(
    checkpoint: Checkpoint,
    file: Annotated[
        Path, typer.Argument(help="The file to write, such as mine.safetensors.gz.")
    ],
) -> None:
    """Write a translator into one file that the film's page opens.

    The numbers are rounded to 8 bits, as those of the book's own models there.
    """
    with one_sentence_for_errors():
        from tt_utils.atomic_write import disk_reason, write_atomically
        from tt_utils.data.corpora import grammar_test_pairs
        from tt_utils.decoding.translator import Translator
        from tt_utils.figures.model_file import pack_whole

        translator = Translator.load(checkpoint)
        if file.exists():
            complain(f"{file} is there already; choose another name, or remove it.")
            raise typer.Exit(1)
        examples = []
        if translator.about.get("data") == "grammar":
            examples = grammar_test_pairs()[:EXPORTED_EXAMPLES]
        try:
            packed = pack_whole(
                translator.model, (translator.source, translator.target), examples
            )
            write_atomically(file, packed)
        except ValueError as error:
            complain(f"{checkpoint} can't be exported. {error}")
            raise typer.Exit(1) from None
        except OSError as error:
            complain(f"{file} can't be written: {disk_reason(error)}.")
            raise typer.Exit(1) from None
    say(f"{file}: {len(packed):,} bytes; open it under the film of the book.")
