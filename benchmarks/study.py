"""What makes a better translator of Multi30k's captions, en to de? One study a command.

Each trains variants of the recipe of `multi30k.py`; all else is the recipe's. The table
of variants stands in `variants.py`.
"""

import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Literal

import torch
import typer
from record import save
from variants import (
    BOTH_FIRST,
    BPE_DROPOUT,
    IDEAS,
    NARROW,
    RECIPE,
    BothFirst,
    Variant,
    Vote,
    cut_into,
    varied,
)

from tt_utils.checkpoint import load_checkpoint
from tt_utils.data.corpora import TextPair, load_corpus
from tt_utils.decoding.translator import Translator
from tt_utils.evaluation.bleu import (
    FEWEST_SAMPLES,
    bootstrap,
    corpus_bleu,
    sacrebleu_metric,
)
from tt_utils.evaluation.translation import evaluate
from tt_utils.models.transformer import Transformer
from tt_utils.runtime import best_device, seed_everything
from tt_utils.training.config import TrainingConfig
from tt_utils.training.loop import train
from tt_utils.training.loss import validation_loss
from tt_utils.training.recipes import Prepared, prepare, suited
from tt_utils.training.trainer import (
    Trainer,
    TrainingData,
    endless_batches,
    moving_average,
)

FEWEST = "the recipe, the fewest steps of all"
WARM = 5  # steps before a step's cost is taken
TRIED = 50  # steps that tell it, about an epoch of the race
LOOKS = 20  # at the validation captions in as many steps as the recipe takes
LAST = 50  # steps whose mean loss is told
SAMPLES, SEED = 1_000, 12345

app = typer.Typer(
    help=__doc__,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
Steps = Annotated[int | None, typer.Option(min=1)]
Seed = Annotated[int, typer.Option(min=0)]
Seeds = Annotated[list[int], typer.Option(metavar="SEED")]
Runs = Annotated[Path, typer.Option(help="A training in this folder is resumed.")]
Splits = dict[str, tuple[list[str], list[str]]]


# The questions


@app.command()
def ideas(
    steps: Annotated[int, typer.Option(min=1, help="Of the recipe.")] = 800,
    captions: Annotated[int, typer.Option(min=1, help="To learn from.")] = 5_800,
) -> None:
    """Which idea gives a better translator in the same computing time?

    The quick recipe on a part of the captions, so that short runs repeat them as often
    as the whole recipe repeats all; then one idea at a time, each with as many steps as
    cost what the recipe's cost. What is told comes from the validation captions: no
    test sentence is looked at.
    """
    ready = prepare("multi30k", "quick", "en", "de")
    part = replace(ready.corpus, train=ready.corpus.train[:captions])
    ready = cut_into(RECIPE.pieces, replace(ready, corpus=part))
    rows = [row for idea in IDEAS for row in raced(idea, ready, steps)]
    fewest = min(row["steps"] for row in rows)
    rows += raced(replace(RECIPE, name=FEWEST), ready, fewest)
    result = {
        "direction": "en-de",
        "captions": captions,
        "plain_steps": steps,
        "sentences": len(ready.corpus.valid),
        "rows": rows,
    }
    save("one_idea", result, best_device())


@app.command("bpe_dropout")
def bpe_dropout(steps: Steps = None, seed: Seed = 0, runs: Runs = Path("runs")) -> None:
    """Does BPE-dropout pay in a long training, of the budget full?

    A short race can't judge what is meant against overfitting. Here every epoch cuts
    the words anew, in as many steps as cost what those of the recorded `multi30k.py
    --budget full` do: --steps says how many. Without it, they are the recipe's.
    """
    ready = prepare("multi30k", "full", "en", "de")
    found = trained(BPE_DROPOUT, seed, ready, runs, steps)
    save("long_idea", {"direction": "en-de"} | found, best_device())


@app.command("both_directions")
def both_directions(
    both: Seeds = (0, 1), one: Seeds = (0, 1), runs: Runs = Path("runs")
) -> None:
    """Does it pay to learn both directions first?

    Bidirectional training: for the first third of the steps every pair of captions is
    learned both ways, en to de and de to en, with no sign which is asked; then en to de
    alone. The control learns English to German throughout. --both and --one are seeds.

    Source: Ding et al. 2021.
    """
    ready = prepare("multi30k", "quick", "en", "de")
    ways = ((BOTH_FIRST, both, BothFirst(ready).steps), (RECIPE, one, 0))
    rows = [
        {"steps_both_ways": steps} | trained(variant, seed, ready, runs)
        for variant, seeds, steps in ways
        for seed in seeds
    ]
    result = {"direction": "en-de", "budget": "quick", "rows": rows}
    save("both_directions_quick", result, best_device())


@app.command()
def narrow(
    width: Annotated[Literal[*NARROW], typer.Option()],
    steps: Steps = None,
    seed: Seed = 0,
    runs: Runs = Path("runs"),
) -> None:
    """Does a narrower model translate better for the same computing time?

    29,000 captions are few, and a narrow model has less to overfit with; its steps cost
    less, so that it takes more of them. What they cost is measured where --steps
    doesn't say how many; to resume a training, it must. The warm-up stays.

    Source: Wu et al. 2021, whose best Transformer on these captions is 128 wide.
    """
    variant, ready = NARROW[width], prepare("multi30k", "quick", "en", "de")
    plain = ready.training.steps
    cost = plain / steps if steps else cost_of_step(variant, ready)
    result = {"direction": "en-de", "budget": "quick", "width": width}
    result |= {"step_cost": cost, "peak_lr": variant.peak_lr}
    result |= trained(variant, seed, ready, runs, round(plain / cost))
    save(f"narrow_model_{width}_quick", result, best_device())


@app.command()
def vote(folders: list[Path]) -> None:
    """Do small models translate better together?

    Models that `narrow` trained write each sentence together: for every next piece the
    mean of their probabilities counts. (In papers: an ensemble.) Each model alone is
    judged beside them, with the same search; `cpu_seconds` is what the validation
    captions took. The gain over each alone has a paired interval: the same captions are
    drawn for both.
    """
    names = [folder.name for folder in folders]
    if len(names) < 2 or len(set(names)) < len(names):
        raise typer.BadParameter("give two folders or more, each of another name")
    alone = [Translator.load(folder, best_device()) for folder in folders]
    if len({(each.about["source"], str(each.target.to_json())) for each in alone}) > 1:
        raise typer.BadParameter(
            "their languages or pieces differ, so their probabilities can't be added"
        )
    together = replace(alone[0], model=Vote([each.model for each in alone]))
    source, target = alone[0].about["source"], alone[0].about["target"]
    corpus = load_corpus("multi30k", source, target)
    splits = {"validation": sides(corpus.valid), "test": sides(corpus.test)}
    rows, outputs = [], []
    for name, translator in zip([*names, "together"], [*alone, together], strict=True):
        row, found = scored(translator, splits)
        rows.append({"name": name} | row)
        outputs.append(found)
        print(rows[-1], flush=True)
    for row, found in zip(rows[:-1], outputs[:-1], strict=True):
        row["gain of the vote"] = {
            split: paired_gain(outputs[-1][split], found[split], references)
            for split, (_, references) in splits.items()
        }
    save("vote", {"direction": f"{source}-{target}", "rows": rows}, best_device())


# Training


def trained(
    variant: Variant, seed: int, ready: Prepared, runs: Path, steps: int | None = None
) -> dict[str, object]:
    """Train into a folder, for as many steps as the recipe if not given.

    Judge on the validation captions, and score the test's once.
    """
    every = ready.training.steps // LOOKS
    ready = varied(ready, replace(variant, seed=seed), steps)
    model, data, config = begun(variant, ready)
    name = f"{variant.name.lower().replace(' ', '-')}-{ready.about['budget']}-{seed}"
    train(
        model,
        data,
        config,
        validate=lambda model: validation_loss(model, ready.valid),
        checkpoint=runs / name,
        every=every,
        vocabulary=ready.vocabulary,
    )
    translator = Translator(model, ready.source, ready.target, ready.about)
    found = {
        "seed": seed,
        "steps": config.steps,
        "history": load_checkpoint(runs / name).info["history"],
        "validation": judged(translator, ready),
        "greedy": asdict(evaluate(translator, beam_size=1)),
        "beam 4": asdict(evaluate(translator, beam_size=4)),
    }
    print(name, found, flush=True)
    return found


def begun(
    variant: Variant, ready: Prepared
) -> tuple[Transformer, TrainingData, TrainingConfig]:
    """Make the model, as the seed wants it, its data, and what suits the device."""
    config = suited(ready.training, best_device())
    seed_everything(config.seed)
    return variant.model(ready.model).to(best_device()), variant.data(ready), config


class Run:
    """One training of a variant, a step at a time."""

    def __init__(self, variant: Variant, ready: Prepared) -> None:
        model, data, config = begun(variant, ready)
        self.trainer = Trainer(model, config)
        self.stream = endless_batches(data, config.seed, self.trainer.cursor)

    def step(self) -> float:
        """Learn from the next batch; tell the CPU-seconds that it took."""
        started = time.process_time()
        self.trainer.step(next(self.stream))
        self.trainer.read_losses()
        return time.process_time() - started


def raced(variant: Variant, ready: Prepared, plain_steps: int) -> list[dict]:
    """Train for what so many steps of the recipe cost; the rows of what came of it."""
    is_start = replace(variant, name=RECIPE.name, seed=RECIPE.seed) == RECIPE
    cost = 1.0 if is_start else cost_of_step(variant, ready)
    steps, recipe = round(plain_steps / cost), ready.training
    warmup = max(1, round(steps / recipe.steps * recipe.warmup))
    ready = varied(ready, variant, steps, warmup)
    run = Run(variant, ready)
    trainer, model = run.trainer, run.trainer.model
    slower = torch.optim.swa_utils.AveragedModel(
        model, multi_avg_fn=moving_average(steps // 3)
    ).eval()
    spent = 0.0
    for _ in range(steps):
        spent += run.step()
        if variant is RECIPE:
            slower.update_parameters(model)
    trainer.finish()
    ends = {variant.name: model}
    if variant is RECIPE:
        ends["the recipe, a slower average"] = slower.module.eval()
    last = trainer.losses[-LAST:]
    told = {
        "step_cost": cost,
        "steps": steps,
        "epochs": trainer.cursor.epoch,
        "cpu_seconds": spent,
        "parameters": count(model),
        "train_loss": sum(last) / len(last),
    }
    rows = [
        {"name": name}
        | told
        | judged(Translator(end, ready.source, ready.target, ready.about), ready)
        for name, end in ends.items()
    ]
    print(*rows, sep="\n", flush=True)
    return rows


def cost_of_step(variant: Variant, ready: Prepared) -> float:
    """Tell what a step costs, in steps of the recipe, which are taken in turns with it.

    So a machine whose speed wavers favours nobody.
    """
    runs = [Run(each, varied(ready, each)) for each in (RECIPE, variant)]
    for run in runs:
        for _ in range(WARM):
            run.step()
    spent = [[run.step() for run in runs] for _ in range(TRIED)]
    plain, other = map(sum, zip(*spent, strict=True))
    return other / plain


# Judging


def judged(translator: Translator, ready: Prepared) -> dict[str, object]:
    """The loss per word, comparable between vocabularies, and BLEU, beam 4."""
    sources, references = sides(ready.corpus.valid)
    pieces = sum(batch.weight for batch in ready.valid)
    words = sum(len(text.split()) for text in references)
    loss = validation_loss(translator.model, ready.valid)
    bleu = asdict(corpus_bleu(translator.translate(sources), references))
    return {"nats_per_word": loss * pieces / words, "bleu": bleu.pop("score"), **bleu}


def sides(pairs: list[TextPair]) -> tuple[list[str], list[str]]:
    """Give all sources, and all references."""
    return tuple(map(list, zip(*pairs, strict=True)))


def count(model: torch.nn.Module) -> int:
    """Count the parameters."""
    return sum(p.numel() for p in model.parameters())


def scored(
    translator: Translator, splits: Splits
) -> tuple[dict[str, object], dict[str, list[str]]]:
    """Score the validation and the test captions; give the translations, too."""
    row: dict[str, object] = {"parameters": count(translator.model)}
    outputs = {}
    for split, (sources, references) in splits.items():
        started = time.process_time()
        outputs[split] = translator.translate(sources)
        row.setdefault("cpu_seconds", time.process_time() - started)
        row[split] = asdict(corpus_bleu(outputs[split], references))
    return row, outputs


def paired_gain(
    better: list[str], other: list[str], references: list[str]
) -> dict[str, float]:
    """Say how much more BLEU one has, with the middle 95 % over drawn captions."""
    metric, pair = sacrebleu_metric(lowercase=False), (better, other)
    drawn = (bootstrap(metric, each, references, SAMPLES, SEED) for each in pair)
    apart = sorted(one - two for one, two in zip(*drawn, strict=True))
    one, two = (corpus_bleu(each, references, samples=0).score for each in pair)
    cut = SAMPLES // FEWEST_SAMPLES
    return {"gain": one - two, "low": apart[cut], "high": apart[-1 - cut]}


if __name__ == "__main__":
    app()
