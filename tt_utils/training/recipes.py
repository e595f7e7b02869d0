"""What to train on which data, and for how long: settings that were tried.

The budget `quick` suits two CPU cores, `full` a GPU, or cores that may work longer.
"""

from dataclasses import dataclass, replace
from typing import Any, Literal

import torch

from tt_utils.data.batching import IdPair, PairBatches
from tt_utils.data.corpora import (
    Corpus,
    Data,
    encode_pairs,
    load_corpus,
    make_tokenizers,
)
from tt_utils.data.tokenizer import Tokenizer
from tt_utils.models.transformer import TransformerConfig
from tt_utils.runtime import fast_precision
from tt_utils.training.config import TrainingConfig
from tt_utils.training.distributed import join_processes

Budget = Literal["quick", "full"]
VALIDATION_TOKENS = 4_096  # in one batch


@dataclass(frozen=True)
class Recipe:
    """The sizes of a model, apart from its vocabularies, and how it learns.

    A step's batch holds at most `max_tokens` ids on either side, padding included.
    `length_penalty` is that of beam search, chosen on the validation sentences.
    """

    model: dict[str, Any]
    training: TrainingConfig
    max_tokens: int
    length_penalty: float = 0.6

    def config(self, source: Tokenizer, target: Tokenizer) -> TransformerConfig:
        """Add what the tokenizers say: the vocabularies' sizes and the special ids."""
        return TransformerConfig(
            len(source),
            len(target),
            pad_id=target.pad_id,
            bos_id=target.bos_id,
            eos_id=target.eos_id,
            **self.model,
        )


@dataclass(frozen=True)
class Prepared:
    """All that one training needs, and what its translator needs later."""

    corpus: Corpus
    source: Tokenizer
    target: Tokenizer
    model: TransformerConfig
    training: TrainingConfig
    data: PairBatches
    valid: PairBatches
    about: dict[str, Any]

    @property
    def vocabulary(self) -> dict[str, Any]:
        """What a checkpoint keeps for the translator; a joint vocabulary once."""
        kept = (
            [self.source] if self.source is self.target else [self.source, self.target]
        )
        return {"about": self.about, "tokenizers": [each.to_json() for each in kept]}


def prepare(
    data: Data,
    budget: Budget = "quick",
    source: str = "de",
    target: str = "en",
    seed: int = 0,
) -> Prepared:
    """Load a corpus, learn its vocabularies, encode it, and choose the settings.

    Raises:
        ValueError: data or a language that we don't have.
        DataError: multi30k could not be had.
    """
    recipe = RECIPES[data, budget]
    corpus = load_corpus(data, source, target)
    tokenizers = make_tokenizers(data, corpus)
    config = recipe.config(*tokenizers)

    def batches(pairs: list[IdPair], max_tokens: int) -> PairBatches:
        ids = config.pad_id, config.bos_id, config.eos_id
        return PairBatches(pairs, max_tokens, *ids)

    about = {"data": data, "budget": budget, "seed": seed}
    if data == "multi30k":
        about |= {"source": source, "target": target}
    about["length_penalty"] = recipe.length_penalty
    return Prepared(
        corpus,
        *tokenizers,
        config,
        replace(recipe.training, seed=seed),
        batches(encode_pairs(corpus.train, *tokenizers), recipe.max_tokens),
        batches(encode_pairs(corpus.valid, *tokenizers), VALIDATION_TOKENS),
        about,
    )


def suited(
    training: TrainingConfig, device: torch.device, compile: bool = False
) -> TrainingConfig:
    """Choose the precision that this device is fast in, where fp32 isn't asked for."""
    if training.precision != "fp32":
        # All processes must agree, whatever GPUs they have.
        fast = join_processes(device).broadcast(fast_precision(device))
        training = replace(training, precision=fast)
    return replace(training, compile=compile and device.type == "cuda")


SMALL = {
    "d_model": 64,
    "d_ff": 256,
    "n_heads": 4,
    "n_encoder_layers": 2,
    "n_decoder_layers": 2,
    "dropout": 0.0,
    "norm_first": True,
    "max_len": 64,
}
MEDIUM = {
    "d_model": 256,
    "d_ff": 512,
    "n_heads": 4,
    "n_encoder_layers": 3,
    "n_decoder_layers": 3,
    "dropout": 0.25,
    "norm_first": True,
    "tie_embeddings": "all",
    "max_len": 512,
}
CAPTIONS = TrainingConfig(
    steps=5_320,
    peak_lr=1.5e-3,
    warmup=400,
    weight_decay=0.01,
    label_smoothing=0.1,
    precision="bf16",
    average=500,
)
GRAMMAR = TrainingConfig(steps=4_000, peak_lr=8e-3, label_smoothing=0.1)
RECIPES: dict[tuple[Data, Budget], Recipe] = {
    ("grammar", "quick"): Recipe(SMALL, GRAMMAR, max_tokens=1_200),
    ("grammar", "full"): Recipe(
        SMALL | {"d_model": 128, "d_ff": 512},
        replace(GRAMMAR, steps=10_000, peak_lr=4e-3, warmup=400, precision="bf16"),
        max_tokens=4_096,
    ),
    ("multi30k", "quick"): Recipe(
        MEDIUM, CAPTIONS, max_tokens=2_000, length_penalty=1.4
    ),
    ("multi30k", "full"): Recipe(
        MEDIUM | {"dropout": 0.3},
        replace(CAPTIONS, steps=21_040, average=2_000),
        max_tokens=2_000,
        length_penalty=1.4,
    ),
}
