"""What do label smoothing, warm-up and Adam's β₂ each do? One is left out at a time.

A small model learns the embedded grammar for a short time with all three, then without
one of them: with norms before each part (pre-norm), then after each sum (post-norm, at
a lower rate). All else stays: sentences, batches, clipping. Three seeds each, one core.
The sentences that are translated in the end hold combinations never trained on.
"""

import argparse
import time
from dataclasses import replace
from typing import Any

import torch
from record import save
from torch.nn import functional as F

from tt_utils.data.batching import PairBatches
from tt_utils.data.corpora import grammar_test_pairs
from tt_utils.data.tokenizer import join_words
from tt_utils.decoding.translator import Translator
from tt_utils.evaluation.bleu import exact_match
from tt_utils.evaluation.translation import alignment_error, as_words
from tt_utils.models.transformer import Transformer
from tt_utils.training.recipes import Prepared, prepare
from tt_utils.training.trainer import Trainer, endless_batches

MAX_TOKENS, WARMUP, SENTENCES, EVERY = 600, 100, 1_000, 20
PRE, POST = {"peak_lr": 8e-3}, {"peak_lr": 4e-3, "norm_first": False}
VARIANTS: dict[str, dict[str, Any]] = {
    "all three": PRE,
    "no label smoothing": PRE | {"label_smoothing": 0.0},
    "no warm-up": PRE | {"warmup": 1},
    "β₂ = 0.999": PRE | {"beta2": 0.999},
    "post-norm, all three": POST,
    "post-norm, no warm-up": POST | {"warmup": 1},
}


def main() -> None:
    """Train every variant from every seed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", default="", help="variants whose names hold this")
    given = parser.parse_args()
    torch.set_num_threads(1)
    ready = prepare("grammar", "quick")
    settings = {
        "steps": given.steps,
        "max_tokens": MAX_TOKENS,
        "warmup": WARMUP,
        "sentences": SENTENCES,
        "losses_every": EVERY,
        "variants": VARIANTS,
    }
    rows = []
    for seed in range(given.seeds):
        for name, change in VARIANTS.items():
            if given.only not in name:
                continue
            row = {"variant": name, "seed": seed}
            rows.append(row | trained(ready, change, seed, given.steps))
            print({k: v for k, v in rows[-1].items() if k != "losses"}, flush=True)
        save("leave_one_out", {"rows": rows, **settings})  # so that a stop costs one


def trained(
    ready: Prepared, change: dict[str, Any], seed: int, steps: int
) -> dict[str, Any]:
    """Train once and score on sentences that nobody trained on."""
    change = {"beta2": 0.98, "norm_first": True, "warmup": WARMUP} | change
    beta2, norm_first = change.pop("beta2"), change.pop("norm_first")
    training = replace(ready.training, steps=steps, seed=seed, **change)
    pairs = PairBatches(ready.data.pairs, MAX_TOKENS)
    torch.manual_seed(seed)
    model = Transformer(replace(ready.model, norm_first=norm_first))
    trainer = Trainer(model, training)
    for group in trainer.optimizer.param_groups:
        group["betas"] = (0.9, beta2)
    start = time.process_time()
    batches = endless_batches(pairs, seed, trainer.cursor)
    for _ in range(steps):
        trainer.step(next(batches))
        trainer.read_losses()
    spent = time.process_time() - start
    model.eval()
    losses = torch.tensor(trainer.losses)
    return {
        **scores(model, ready),
        "training_loss": losses[-50:].mean().item(),
        "losses": losses.view(-1, EVERY).mean(dim=1).tolist(),
        "cpu_seconds": spent,
    }


@torch.no_grad()
def scores(model: Transformer, ready: Prepared) -> dict[str, float]:
    """Score whole translations, and single words where the right ones are read.

    `loss` is the plain cross-entropy, `confidence` the mean probability of the
    likeliest word, `accuracy` how often that word is right.
    """
    loss = confidence = right = words = 0.0
    for batch in ready.valid:
        logits = model(batch.src, batch.tgt).flatten(0, 1)[batch.real]  # (n, vocab)
        labels = batch.labels.flatten()[batch.real]
        best = logits.softmax(dim=-1).max(dim=-1)
        loss += F.cross_entropy(logits, labels, reduction="sum").item()
        confidence += best.values.sum().item()
        right += (best.indices == labels).sum().item()
        words += len(labels)
    translator = Translator(model, ready.source, ready.target, ready.about)
    pairs = grammar_test_pairs()[:SENTENCES]
    found = translator.translate([join_words(p.source) for p in pairs], beam_size=1)
    references = [join_words(pair.target) for pair in pairs]
    return {
        "exact": exact_match(as_words(found), as_words(references)),
        "alignment_error": alignment_error(translator, pairs),
        "loss": loss / words,
        "confidence": confidence / words,
        "accuracy": right / words,
    }


if __name__ == "__main__":
    main()
