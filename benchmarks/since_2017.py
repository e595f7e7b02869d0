"""What did each change since 2017 buy, alone? Quality, memory and speed, three seeds.

A small encoder-decoder in the paper's form learns short sentences of the book's
grammar; each variant changes one thing in it. Its steps are timed in turns with the
baseline's. Every variant may choose between two learning rates by the validation loss
of its first seed. What it learned is read after the baseline's steps, and after as many
as cost what the baseline's did.
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import cycle, islice
from multiprocessing import get_context
from typing import Any
from unittest.mock import patch

import torch
from one_change import written_out
from record import save
from timing import interleaved
from torch import Tensor

from tt_utils.blocks import attention
from tt_utils.blocks import cache as caches
from tt_utils.blocks.attention import MultiHeadAttention
from tt_utils.blocks.cache_in_8_bits import CacheIn8Bits
from tt_utils.blocks.experts import Experts
from tt_utils.blocks.qk_norm import add_qk_norm
from tt_utils.data.batching import Batch, IdPair, PairBatches, make_batch
from tt_utils.data.corpora import encode_pairs
from tt_utils.data.grammar import SentencePair, sentence_pairs
from tt_utils.data.tokenizer import EOS, WordTokenizer
from tt_utils.decoding import greedy_decode
from tt_utils.models.transformer import Transformer, TransformerConfig
from tt_utils.runtime import seed_everything
from tt_utils.training.config import TrainingConfig
from tt_utils.training.loop import Step, train
from tt_utils.training.loss import validation_loss
from tt_utils.training.trainer import Trainer

BASELINE = "2017"
RATES = 0.004, 0.008
WARM_UP = 60
SEEDS = 0, 1, 2
LONGEST = 6  # words of the English sentence
LAYERS = {"n_encoder_layers": 2, "n_decoder_layers": 2}
SIZES = {"d_model": 64, "d_ff": 256, "n_heads": 4, "dropout": 0.0, "max_len": 64}
BALANCE = 0.01  # how much the routers' unevenness adds to the loss
BYTES = 4  # of a number in fp32


@dataclass(frozen=True)
class Variant:
    """What differs from the paper's form: settings, or a change to the built model."""

    settings: dict[str, Any] = field(default_factory=dict)
    change: Callable[[Transformer], None] = lambda model: None
    written_out: bool = False


def norm_queries_and_keys(model: Transformer) -> None:
    """Change every attention."""
    for part in model.modules():
        if isinstance(part, MultiHeadAttention):
            add_qk_norm(part)


def experts(d_ff: int) -> Callable[[Transformer], None]:
    """Put four experts, two of them active, in the place of every feed-forward one."""

    def change(model: Transformer) -> None:
        config = replace(model.config, d_ff=d_ff)
        for layer in [*model.encoder.layers, *model.decoder.layers]:
            layer.feed_forward = Experts(config, n_experts=4, n_active=2)

    return change


TOGETHER = {
    "norm_first": True,
    "norm": "rms",
    "activation": "swiglu",
    "positions": "rotary",
    "n_kv_heads": 2,
    "bias": False,
    "d_ff": 206,  # as many parameters as the paper's form
}
VARIANTS = {
    BASELINE: Variant(),
    "pre-norm": Variant({"norm_first": True}),
    "RMSNorm": Variant({"norm": "rms"}),
    "SwiGLU, same size": Variant({"activation": "swiglu", "d_ff": 170}),
    "SwiGLU, same width": Variant({"activation": "swiglu"}),
    "rotary positions": Variant({"positions": "rotary"}),
    "grouped queries, smaller": Variant({"n_kv_heads": 2}),
    "grouped queries, same size": Variant({"n_kv_heads": 2, "d_ff": 304}),
    "attention written out": Variant(written_out=True),
    "untied, same size": Variant({"tie_embeddings": "none", "d_ff": 164}),
    "untied, larger": Variant({"tie_embeddings": "none"}),
    "no biases": Variant({"bias": False}),
    "QK-norm": Variant(change=norm_queries_and_keys),
    "experts, same size": Variant(change=experts(63)),
    "experts, same active": Variant(change=experts(128)),
    "all of these": Variant(TOGETHER, norm_queries_and_keys),
}


class Balanced(Transformer):
    """In training the loss also counts how unevenly routers choose their experts."""

    def loss(self, batch: Batch, label_smoothing: float = 0.0) -> Tensor:
        """Add each router's unevenness, if there are routers."""
        found = super().loss(batch, label_smoothing)
        if not self.training:
            return found
        routed = [part for part in self.modules() if isinstance(part, Experts)]
        return found + BALANCE * sum(part.balance for part in routed)


def short(pairs: list[SentencePair]) -> list[SentencePair]:
    """Keep those of few words."""
    return [pair for pair in pairs if len(pair.source) <= LONGEST]


class Sentences:
    """Pairs to learn from, to choose by, and unseen combinations to test on."""

    def __init__(self, drawn: int, tests: int) -> None:
        pairs = short(sentence_pairs(drawn, seed=0))
        learned, held_out = pairs[tests:], pairs[:tests]
        unseen = short(sentence_pairs(4 * tests, seed=1, split="test"))[:tests]
        self.source, self.target = (
            WordTokenizer.from_sentences(getattr(pair, side) for pair in learned)
            for side in ("source", "target")
        )
        self.learn, self.valid, self.test = (
            encode_pairs([(p.source, p.target) for p in s], self.source, self.target)
            for s in (learned, held_out, unseen)
        )
        self.batches = PairBatches(self.learn, max_tokens=600)

    def build(self, name: str) -> Transformer:
        """Make a model of this variant, as the seed draws it."""
        variant = VARIANTS[name]
        model = Balanced(
            TransformerConfig(
                len(self.source),
                len(self.target),
                **SIZES | LAYERS | variant.settings,
            )
        )
        variant.change(model)
        return model


@contextmanager
def attending(name: str) -> Iterator[None]:
    """Hold all weights where the variant does."""
    way = patch.object(attention, "fused_attention", written_out)
    with way if VARIANTS[name].written_out else nullcontext():
        yield


# Speed and memory


def costs(name: str, sentences: Sentences, rounds: int) -> dict[str, Any]:
    """Say what a step and a token of this variant cost, and how large it is."""
    turns = {"base": Steps(sentences, BASELINE), "own": Steps(sentences, name)}
    times = interleaved(turns, rounds)
    model = sentences.build(name)
    config = model.config
    kv = (config.n_kv_heads or config.n_heads) * config.d_model // config.n_heads
    some = list(islice(sentences.batches, 6))
    return {
        **middle(times["own"], times["base"]),
        "parameters": sum(p.numel() for p in model.parameters()),
        "active_parameters": active(model),
        "held_mb": statistics.mean(held(name, model, b) for b in some) / 1e6,
        "cache_bytes": 2 * kv * config.n_decoder_layers * BYTES,
    }


def middle(own: list[float], base: list[float]) -> dict[str, Any]:
    """Give the median of the ratios within rounds, and the middle half of them."""
    found = [a / b for a, b in zip(own, base, strict=True)]
    low, median, high = statistics.quantiles(found, n=4)
    return {"ratio": median, "ratio_range": [low, high]}


class Steps:
    """A training whose calls take one step each, all trainings on the same batches."""

    def __init__(self, sentences: Sentences, name: str) -> None:
        config = TrainingConfig(steps=10**6, peak_lr=1e-3)
        self.name, self.trainer = name, Trainer(sentences.build(name), config)
        self.batches = cycle(islice(sentences.batches, 6))

    def __call__(self) -> None:
        with attending(self.name):
            self.trainer.step(next(self.batches))


def active(model: Transformer) -> int:
    """Count the parameters that a position passes through."""
    idle = 0
    for part in model.modules():
        if isinstance(part, Experts):
            one = sum(p.numel() for p in part.experts[0].parameters())
            idle += one * (len(part.experts) - part.n_active)
    return sum(p.numel() for p in model.parameters()) - idle


def held(name: str, model: Transformer, batch: Batch) -> int:
    """Count the bytes that a step keeps for its way back, parameters apart."""
    own = {p.untyped_storage().data_ptr() for p in model.parameters()}
    kept: dict[int, int] = {}

    def keep(x: Tensor) -> Tensor:
        storage = x.untyped_storage()
        if storage.data_ptr() not in own:
            kept[storage.data_ptr()] = storage.nbytes()
        return x

    with attending(name), torch.autograd.graph.saved_tensors_hooks(keep, lambda x: x):
        loss = model.train().loss(batch)
    del loss
    return sum(kept.values())


# Quality


def trained(
    name: str, sentences: Sentences, rate: float, seed: int, at: list[int]
) -> tuple[Transformer, dict[str, Any]]:
    """Train to the last of these steps; measure at each."""
    seed_everything(seed)
    model, before = sentences.build(name), time.process_time()
    found: dict[str, Any] = {"variant": name, "peak_lr": rate, "seed": seed}

    def look(step: Step) -> None:
        if step.number + 1 in at:
            found[str(step.number + 1)] = scores(model, sentences)

    config = TrainingConfig(
        steps=max(at), peak_lr=rate, warmup=WARM_UP, seed=seed, schedule="inverse-root"
    )
    with attending(name):
        train(model, sentences.batches, config, after_step=look)
    found["cpu_seconds"] = round(time.process_time() - before, 1)
    print(found, flush=True)
    return model.eval(), found


def scores(model: Transformer, sentences: Sentences) -> dict[str, float]:
    """Give losses in nats per word, and the percentage of exact translations."""
    model.eval()
    valid, test = (
        validation_loss(model, PairBatches(pairs, 4_096))
        for pairs in (sentences.valid, sentences.test)
    )
    written, wanted = (
        translations(model, sentences.test),
        [target for _, target in sentences.test],
    )
    right = sum(ids == target for ids, target in zip(written, wanted, strict=True))
    return {
        "valid": round(valid, 4),
        "test": round(test, 4),
        "exact": round(100 * right / len(written), 2),
    }


@torch.no_grad()
def translations(model: Transformer, pairs: list[IdPair]) -> list[list[int]]:
    """Translate greedily; an unfinished sentence keeps what no reference has."""
    rows = greedy_decode(model, make_batch(pairs).src, max_len=24).tolist()
    return [row[: row.index(EOS)] if EOS in row else [*row, EOS] for row in rows]


def in_8_bits(model: Transformer, sentences: Sentences) -> dict[str, Any]:
    """Translate with a cache of 8 bits, and with the usual one."""
    before = translations(model, sentences.test)
    with patch.object(caches, "KeyValueCache", CacheIn8Bits):
        after = translations(model, sentences.test)
    wanted = [target for _, target in sentences.test]
    same, right, still = (
        100 * statistics.mean(a == b for a, b in zip(*both, strict=True))
        for both in ((before, after), (before, wanted), (after, wanted))
    )
    config = model.config
    d_head = config.d_model // config.n_heads
    vectors = 2 * config.n_heads * config.n_decoder_layers
    return {
        "unchanged": same,
        "exact": right,
        "exact_in_8_bits": still,
        "cache_bytes": vectors * d_head * BYTES,
        "cache_bytes_in_8_bits": vectors * (d_head + BYTES),  # a scale each
    }


def measured(name: str, given: argparse.Namespace) -> dict[str, Any]:
    """Measure one variant: its costs, its learning rate, its three seeds."""
    torch.set_num_threads(1)  # the model is tiny
    sentences = read(given.drawn, given.tests)
    cost = costs(name, sentences, given.rounds)
    # The paper's form against itself shows how far a ratio is from exact.
    equal = given.steps if name == BASELINE else round(given.steps / cost["ratio"])
    at = sorted({given.steps, equal})
    first = [trained(name, sentences, rate, SEEDS[0], at) for rate in RATES]
    best = min(first, key=lambda found: found[1][str(given.steps)]["valid"])
    rate = best[1]["peak_lr"]
    more = [trained(name, sentences, rate, seed, at) for seed in SEEDS[1:]]
    chosen = [run for _, run in (best, *more)]
    found = {
        "row": {
            "variant": name,
            **cost,
            "peak_lr": rate,
            "steps_at_equal_cost": equal,
            "equal_steps": [run[str(given.steps)] for run in chosen],
            "equal_cost": [run[str(equal)] for run in chosen],
        },
        "runs": [run for _, run in (*first, *more)],
    }
    if name == BASELINE:
        found["rounded"] = [in_8_bits(model, sentences) for model, _ in (best, *more)]
    print(found["row"], flush=True)
    return found


@cache
def read(drawn: int, tests: int) -> Sentences:
    """Draw the sentences once in each process."""
    return Sentences(drawn, tests)


def main() -> None:
    """Measure all variants, several at a time on a machine that others use, too."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=36)
    parser.add_argument("--drawn", type=int, default=20_000)
    parser.add_argument("--tests", type=int, default=200)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    torch.set_num_threads(1)
    new = get_context("spawn")
    # Linux shares its cores out among sessions: a worker's share shall not depend on
    # how many there are.
    with ProcessPoolExecutor(
        given.workers, mp_context=new, initializer=os.setsid
    ) as pool:
        found = list(pool.map(partial(measured, given=given), VARIANTS))
    sentences = read(given.drawn, given.tests)
    result = {
        "steps": given.steps,
        "pairs": len(sentences.learn),
        "test_sentences": len(sentences.test),
        "words": [len(sentences.source), len(sentences.target)],
        "seeds": SEEDS,
        "peak_lrs": RATES,
        "rows": [one["row"] for one in found],
        "cache_in_8_bits": found[0]["rounded"],
        "runs": [run for one in found for run in one["runs"]],
    }
    save("since_2017", result)


if __name__ == "__main__":
    main()
