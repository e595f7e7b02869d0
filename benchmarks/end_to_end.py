"""From sentences to a trained model: how many real tokens of Multi30k a second?

All train on the same sentences, in about as many steps, with the same optimizer and
rates: plain code on random batches of 64 sentences, others on batches of like length.
Batches of like length learn a little less a step, so the last row trains longer, until
its loss is at most the first row's. Pads don't count. One core's time.
"""

import argparse
import random
import time
from collections.abc import Sequence

import torch
from record import save
from rivals import PlainTranslator, TorchTranslator
from torch import nn

from tt_utils.data.batching import Batch, IdPair, make_batch, token_batches
from tt_utils.data.corpora import encode_pairs, load_corpus, make_tokenizers
from tt_utils.models.transformer import Transformer, TransformerConfig
from tt_utils.training.config import TrainingConfig, learning_rate
from tt_utils.training.loop import train
from tt_utils.training.recipes import RECIPES

ROWS, PEAK_LR, WARMUP = 64, 1e-3, 50
# So that both take about as many steps in an epoch.
MAX_TOKENS = 1_090
LONGER = (1.15, 1.3, 1.5, 2.0)


def main() -> None:
    """Train the rivals one after another, and compare speed and validation loss."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="of the epoch")
    given = parser.parse_args()
    torch.set_num_threads(1)
    corpus = load_corpus("multi30k")
    tokenizers = make_tokenizers("multi30k", corpus)
    pairs, valid = (encode_pairs(p, *tokenizers) for p in (corpus.train, corpus.valid))
    wide = padding(list(token_batches(pairs, 4_096)))
    every, pairs = pairs, pairs[: int(given.share * len(pairs))]
    config = RECIPES["multi30k", "quick"].config(*tokenizers)

    rng = random.Random(0)
    shuffled = rng.sample(pairs, len(pairs))
    at_random = [
        make_batch(shuffled[i : i + ROWS]) for i in range(0, len(shuffled), ROWS)
    ]
    bucketed = list(token_batches(pairs, MAX_TOKENS))
    rows = []
    for name, kind, batches in (
        ("plain, fp32, random batches", PlainTranslator, at_random),
        ("torch.nn.Transformer, fp32, random batches", TorchTranslator, at_random),
        ("torch.nn.Transformer, fp32, like lengths", TorchTranslator, bucketed),
        ("tt_utils, fp32, like lengths", "fp32", bucketed),
        ("tt_utils, bf16, like lengths", "bf16", bucketed),
    ):
        rows.append({"trained": name} | trained(kind, config, pairs, batches, valid))
        print(rows[-1], flush=True)
    for factor in LONGER:
        pairs = every[: int(factor * given.share * len(every))]
        batches = list(token_batches(pairs, MAX_TOKENS))
        row = trained("bf16", config, pairs, batches, valid)
        print(factor, row, flush=True)
        if row["validation_loss"] <= rows[0]["validation_loss"]:
            name = "tt_utils, bf16, like lengths, until its loss is as low"
            rows.append({"trained": name} | row)
            break
    for row in rows:
        row["ratio"] = rows[0]["seconds"] / row["seconds"]
    save("end_to_end", {"rows": rows, "padding_at_4096_tokens": wide})


def trained(
    kind: str | type[nn.Module],
    config: TransformerConfig,
    pairs: Sequence[IdPair],
    batches: Sequence[Batch],
    valid: Sequence[IdPair],
) -> dict[str, float]:
    """Train once over the pairs; a kind that is a text is the precision of ours."""
    torch.manual_seed(0)
    start = time.process_time()
    if isinstance(kind, str):
        model = Transformer(config)
        train(model, pairs, settings(len(batches), kind))
    else:
        model = kind(config)
        learn(model, batches, settings(len(batches), "fp32"))
    seconds = time.process_time() - start
    return {
        "tokens_per_second": sum(len(target) + 1 for _, target in pairs) / seconds,
        "seconds": seconds,
        "validation_loss": loss_of(model, valid),
        "steps": len(batches),
        "padding": padding(batches),
    }


def settings(steps: int, precision: str) -> TrainingConfig:
    """The same rates for all, over all batches once."""
    return TrainingConfig(
        steps=steps,
        peak_lr=PEAK_LR,
        warmup=WARMUP,
        max_tokens=MAX_TOKENS,
        precision=precision,
    )


def learn(model: nn.Module, batches: Sequence[Batch], config: TrainingConfig) -> None:
    """The plain loop: one batch, one step."""
    optimizer = torch.optim.Adam(
        model.parameters(), betas=(0.9, 0.98), eps=1e-9, fused=True
    )
    for step, batch in enumerate(batches):
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(step, config)
        optimizer.zero_grad()
        loss = model.loss(batch.src, batch.tgt, batch.labels, config.label_smoothing)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), config.clip)
        optimizer.step()


@torch.no_grad()
def loss_of(model: nn.Module, pairs: Sequence[IdPair]) -> float:
    """Average the cross-entropy over real tokens, the same way for every model."""
    model.eval()
    total, tokens = 0.0, 0
    for batch in token_batches(pairs, 4_096):
        log_p = model(batch.src, batch.tgt).log_softmax(dim=-1)[batch.real]
        total -= float(log_p.gather(1, batch.labels[batch.real][:, None]).sum())
        tokens += len(log_p)
    return total / tokens


def padding(batches: Sequence[Batch]) -> float:
    """Give the share of pads among all numbers that the model works on."""
    pads = total = 0
    for batch in batches:
        for side in (batch.src, batch.tgt):
            pads += int((side == batch.pad_id).sum())
            total += side.numel()
    return pads / total


if __name__ == "__main__":
    main()
