"""The command `tt`: train a translator, let it translate, see how good it is.

PyTorch is imported inside the commands, so that `tt --help` answers at once.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tt_utils.runtime import (
    DeviceError,
    best_device,
    fast_precision,
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
) -> None:
    """Train a translator. After a stop the same command goes on where it was.

    With several processes: torchrun --nproc-per-node N -m tt_utils train …
    """
    with one_sentence_for_errors(
        "stopped; where a checkpoint was written, the same command goes on."
    ):
        from tt_utils.data.corpora import encode_pairs, load_corpus, make_tokenizers
        from tt_utils.models.transformer import Transformer
        from tt_utils.training.distributed import join_team
        from tt_utils.training.loop import train as learn
        from tt_utils.training.loss import validation_loss
        from tt_utils.training.recipes import RECIPES

        device = best_device()
        source, target = direction.split("-")
        corpus = load_corpus(data, source, target)
        about = {"data": data, "budget": budget, "seed": seed}
        if data == "multi30k":
            about |= {"source": source, "target": target}
        tokenizers = make_tokenizers(data, corpus)
        recipe = RECIPES[data, budget]
        config = replace(recipe.training, seed=seed)
        if config.precision != "fp32":
            team = join_team(device)
            fast = team.agree_on(fast_precision(device))
            config = replace(config, precision=fast)
        if budget == "full" and device.type == "cuda":
            # It takes a minute, which only a long training wins back.
            config = replace(config, compile=True)
        out = out or Path("runs") / "-".join(map(str, about.values()))
        seed_everything(seed)
        model = Transformer(recipe.config(*tokenizers)).to(device)
        pairs, valid = (
            encode_pairs(texts, *tokenizers) for texts in (corpus.train, corpus.valid)
        )
        say(
            f"{len(pairs):,} sentence pairs; "
            f"{sum(p.numel() for p in model.parameters()):,} parameters on {device}"
        )
        joint = tokenizers[0] is tokenizers[1]
        kept = [tokenizer.to_json() for tokenizer in tokenizers[: 1 if joint else 2]]
        losses = learn(
            model,
            pairs,
            config,
            validate=lambda model: validation_loss(model, valid),
            checkpoint=out,
            every=config.steps // CHECKPOINTS,
            vocabulary={"about": about, "tokenizers": kept},
        )
        say(f"trained for {len(losses):,} steps; the last loss is {losses[-1]:.3f}")
        say(f'try: tt translate {out} "{corpus.test[0][0]}"')


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

    good = []
    for number, line in enumerate(lines, start=1):
        try:
            translator.ids(line)
        except TranslationError as error:
            complain(f"line {number}: {error}")
            continue
        if unknown := translator.unknown_words(line):
            complain(
                f"line {number}: the model never saw {', '.join(unknown)}; what it "
                "writes for that is a guess."
            )
        good.append(number)
    outputs = translator.translate(
        [lines[number - 1] for number in good], beam, show_progress=len(good) > 100
    )
    written = dict(zip(good, outputs, strict=True))
    for number in range(1, len(lines) + 1):
        typer.echo(written.get(number, ""))
    return len(good) == len(lines)


@app.command()
def evaluate(
    checkpoint: Checkpoint,
    beam: Beam = 4,
    json: Annotated[bool, typer.Option(help="Print one JSON object.")] = False,
) -> None:
    """Score a translator on the test sentences of the data it was trained on."""
    with one_sentence_for_errors():
        from tt_utils.decoding.translator import Translator
        from tt_utils.evaluation import translation

        scores = translation.evaluate(
            Translator.load(checkpoint, best_device()), beam, show_progress=not json
        )
    if json:
        import json as library

        typer.echo(library.dumps(asdict(scores)))
        return
    typer.echo(f"sentences        {scores.sentences:,}")
    typer.echo(f"exactly right    {scores.exact:.1%}")
    typer.echo(f"sacreBLEU        {scores.bleu}")
    typer.echo(f"lower-cased BLEU {scores.bleu_lowercased}")
    if scores.alignment_error is not None:
        typer.echo(f"alignment error  {scores.alignment_error:.3f}")


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
