"""The command that trains any of the book's models."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tt_utils.cli.speaking import complain, one_sentence_for_errors, say
from tt_utils.runtime import best_device, seed_everything

if TYPE_CHECKING:
    from tt_utils.training.jobs import Job

CHECKPOINTS = 20  # written in the course of a training
TRANSLATED = ("grammar", "multi30k")


def train(
    data: Annotated[
        Literal["grammar", "multi30k", "captions", "reviews", "stories", "dialogue"],
        typer.Option(
            help="Translate (English→Spanish by rules, or German↔English captions), "
            "write captions, judge reviews, answer about stories, or chat."
        ),
    ] = "grammar",
    budget: Annotated[
        Literal["quick", "full"],
        typer.Option(
            envvar="TT_BUDGET", help="For two CPU cores, or for a GPU; of translators."
        ),
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
    """Train a model. After a stop the same command goes on where it was.

    With several processes: torchrun --nproc-per-node N -m tt_utils train …
    """
    with one_sentence_for_errors(
        "stopped; where a checkpoint was written, the same command goes on."
    ):
        from tt_utils.training.loop import train as learn
        from tt_utils.training.loss import validation_loss
        from tt_utils.training.recipes import suited

        device = best_device()
        job = job_of(data, budget, direction, seed)
        config = job.training
        if precision == "fp32":
            config = replace(config, precision="fp32")
        # Compiling takes a minute, which only a long training wins back.
        config = suited(config, device, compile=budget == "full")
        name = [data, *([budget] if data in TRANSLATED else [])]
        name += [*([direction] if data == "multi30k" else []), seed]
        out = out or Path("runs") / "-".join(map(str, name))
        seed_everything(seed)
        model = job.build().to(device)
        say(
            f"{job.what}; {sum(p.numel() for p in model.parameters()):,} parameters "
            f"on {device}, {config.precision}"
        )
        losses = learn(
            model,
            job.data,
            config,
            validate=lambda model: validation_loss(model, job.valid),
            checkpoint=out,
            every=max(1, config.steps // CHECKPOINTS),
            vocabulary=job.vocabulary,
        )
        say(f"trained for {len(losses):,} steps; the last loss is {losses[-1]:.3f}")
        command, *texts = job.to_try
        say(" ".join([f"try: tt {command} {out}", *(f'"{text}"' for text in texts)]))


def job_of(data: str, budget: str, direction: str, seed: int) -> "Job":
    """Load or make the data, and choose the settings that were tried for it."""
    from tt_utils.training import jobs

    if data in TRANSLATED:
        return jobs.translation(data, budget, direction, seed)
    if budget == "full":
        complain(f"for {data} only the budget quick was tried; leave --budget out.")
        raise typer.Exit(2)
    return jobs.SMALL[data](seed)
