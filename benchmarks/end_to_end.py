"""From sentences to a trained model: how many real tokens of Multi30k a second?

All train once over the same sentences, in about as many steps, with the same optimizer
and rates: on random batches of 64 sentences, or on batches of like length. Batching and
precision help every model, so the fair neighbour of our last row is PyTorch's model
with both. Three seeds, each for the models' first weights and for the order of the
batches; medians, and the lowest and highest of the three. Pads don't count. One core's
time.
"""

import argparse
import random
import statistics
import time
from collections.abc import Sequence

import torch
from record import save
from rivals import (
    PlainTranslator,
    TorchTranslator,
    first_epoch,
    train_rival,
)
from timing import ratio
from torch import nn
from torch.nn import functional as F

from tt_utils.data.batching import Batch, IdPair, PairBatches, make_batch
from tt_utils.data.tokenizer import PAD
from tt_utils.models.transformer import Transformer, TransformerConfig
from tt_utils.training.config import TrainingConfig
from tt_utils.training.loop import train
from tt_utils.training.recipes import prepare

ROWS, PEAK_LR, WARMUP = 64, 1e-3, 50
# So that both kinds of batches take about as many steps in an epoch.
MAX_TOKENS = 1_090
RANDOM, LIKE = "random batches", "like lengths"
RUNS = (
    ("plain", PlainTranslator, "fp32", RANDOM),
    ("torch.nn.Transformer", TorchTranslator, "fp32", RANDOM),
    ("torch.nn.Transformer", TorchTranslator, "fp32", LIKE),
    ("torch.nn.Transformer", TorchTranslator, "bf16", LIKE),
    ("tt_utils", Transformer, "fp32", LIKE),
    ("tt_utils", Transformer, "bf16", LIKE),
)
NAMES = [f"{name}, {precision}, {kind}" for name, _, precision, kind in RUNS]
SEEDS = (0, 1, 2)


def main() -> None:
    """Train the rivals one after another, and compare speed and validation loss."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=0.3, help="of the epoch")
    given = parser.parse_args()
    torch.set_num_threads(1)
    ready = prepare("multi30k", "quick")
    config, pairs, valid = ready.model, ready.data.pairs, ready.valid
    learned = pairs[: int(given.share * len(pairs))]
    found: dict[str, list[dict[str, float]]] = {name: [] for name in NAMES}
    for seed in SEEDS:
        for name, (_, build, precision, kind) in zip(NAMES, RUNS, strict=True):
            run = trained(build, config, precision, learned, kind, valid, seed)
            print(name, run, flush=True)
            found[name].append(run)
    rows = [summary(name, runs, found[NAMES[0]]) for name, runs in found.items()]
    wide = padding(list(PairBatches(pairs, 4_096)))
    save("end_to_end", {"rows": rows, "padding_at_4096_tokens": wide})


def summary(
    name: str, runs: list[dict[str, float]], first: list[dict[str, float]]
) -> dict[str, object]:
    """Give the medians over the seeds, and how many times as fast as the first."""
    row: dict[str, object] = {"trained": name}
    for key in runs[0]:
        values = [run[key] for run in runs]
        row[key] = statistics.median(values)
        row[f"{key}_range"] = [min(values), max(values)]
    times = [[run["seconds"] for run in some] for some in (first, runs)]
    return row | ratio(*times)


def trained(
    build: type[nn.Module],
    config: TransformerConfig,
    precision: str,
    pairs: Sequence[IdPair],
    kind: str,
    valid: PairBatches,
    seed: int,
) -> dict[str, float]:
    """Train once over the pairs."""
    batches = batches_of(pairs, kind, seed)
    learning = settings(len(batches), precision, seed)
    torch.manual_seed(seed)
    start = time.process_time()
    model = build(config)
    if isinstance(model, Transformer):
        train(model, PairBatches(pairs, MAX_TOKENS), learning)
    else:
        train_rival(model, batches, learning, half=precision == "bf16")
    seconds = time.process_time() - start
    return {
        "tokens_per_second": sum(len(target) + 1 for _, target in pairs) / seconds,
        "seconds": seconds,
        "validation_loss": loss_of(model, valid),
        "steps": len(batches),
        "padding": padding(batches),
    }


def batches_of(pairs: Sequence[IdPair], kind: str, seed: int) -> list[Batch]:
    """Make all batches of one epoch."""
    if kind == LIKE:
        config = settings(WARMUP + 1, "fp32", seed)
        return first_epoch(PairBatches(pairs, MAX_TOKENS), config)
    shuffled = random.Random(seed).sample(pairs, len(pairs))
    return [make_batch(shuffled[i : i + ROWS]) for i in range(0, len(shuffled), ROWS)]


def settings(steps: int, precision: str, seed: int) -> TrainingConfig:
    """The same for all: the learning rates of one pass, and no weight decay."""
    return TrainingConfig(
        steps=steps,
        peak_lr=PEAK_LR,
        warmup=min(WARMUP, steps - 1),
        weight_decay=0.0,
        label_smoothing=0.1,
        precision=precision,
        seed=seed,
    )


@torch.no_grad()
def loss_of(model: nn.Module, batches: PairBatches) -> float:
    """Average the cross-entropy over real tokens, the same way for every model."""
    model.eval()
    total, tokens = 0.0, 0
    for batch in batches:
        logits = model(batch.src, batch.tgt).flatten(0, 1)[batch.real]
        labels = batch.labels.flatten()[batch.real]
        total += float(F.cross_entropy(logits, labels, reduction="sum"))
        tokens += batch.weight
    return total / tokens


def padding(batches: Sequence[Batch]) -> float:
    """Give the share of pads among all numbers that the model works on."""
    pads = total = 0
    for batch in batches:
        for side in (batch.src, batch.tgt):
            pads += int((side == PAD).sum())
            total += side.numel()
    return pads / total


if __name__ == "__main__":
    main()
