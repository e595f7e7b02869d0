"""What the studies change in the recipe for captions: cuts, data, models, sizes."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice, pairwise
from operator import attrgetter

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tt_utils.blocks.cache import DecoderCache
from tt_utils.blocks.masks import padding_mask
from tt_utils.data.batching import Batch, IdPair
from tt_utils.data.corpora import MULTI30K_PIECES, encode_pairs
from tt_utils.data.tokenizer import BPETokenizer
from tt_utils.models.transformer import Transformer
from tt_utils.training.recipes import Prepared
from tt_utils.training.trainer import TrainingData

DROPPED = 0.1  # the share of merges that BPE-dropout leaves out
WAYS = 16  # to cut a word, drawn once; each epoch chooses among them
STRENGTH = 5.0  # of R-Drop's second term


# Models


class TwoPasses(Transformer):
    """R-Drop: the same batch twice, and the two answers must agree.

    Source: Liang et al. 2021, equation 4, divided by 2.
    """

    def loss(self, batch: Batch, label_smoothing: float = 0.0) -> Tensor:
        """Average both cross-entropies; add how far the two answers lie apart."""
        if not self.training:
            return super().loss(batch, label_smoothing)
        labels = batch.labels.flatten()[batch.real]
        one, other = (self.scores(batch).log_softmax(-1) for _ in range(2))
        right = sum(smoothed(logs, labels, label_smoothing) for logs in (one, other))
        apart = ((one.exp() - other.exp()) * (one - other)).sum(-1).mean()
        return right / 2 + STRENGTH / 4 * apart  # both divergences together

    def scores(self, batch: Batch) -> Tensor:
        """Give the logits of the real places, (n, vocabulary), in fp32."""
        src_mask = padding_mask(batch.src, self.config.pad_id)
        x = self.decode(batch.tgt, self.encode(batch.src, src_mask), src_mask)
        return self.generator(x.flatten(0, 1)[batch.real]).float()


def smoothed(logs: Tensor, labels: Tensor, share: float) -> Tensor:
    """Give the cross-entropy with smoothed labels, from logarithms."""
    return (1 - share) * F.nll_loss(logs, labels) - share * logs.mean()


class Vote(nn.Module):
    """Models of one vocabulary, to a search like one: their numbers side by side."""

    def __init__(self, models: Sequence[Transformer]) -> None:
        super().__init__()
        self.models = nn.ModuleList(models)
        self.widths = [model.config.d_model for model in models]
        layers = sum(model.config.n_decoder_layers for model in models)
        self.config = replace(models[0].config, n_decoder_layers=layers)

    def encode(self, src: Tensor, src_mask: Tensor) -> Tensor:
        """Give all memories side by side, (batch, t_src, sum of widths)."""
        return torch.cat([model.encode(src, src_mask) for model in self.models], -1)

    def decode(
        self, tgt: Tensor, memory: Tensor, src_mask: Tensor, cache: DecoderCache
    ) -> Tensor:
        """Run each decoder on its own memory, with its own layers of the cache."""
        layers, found = iter(cache.layers), []
        for model, own in zip(
            self.models, memory.split(self.widths, dim=-1), strict=True
        ):
            part = DecoderCache(0, 0, 0)
            part.layers = list(islice(layers, model.config.n_decoder_layers))
            found.append(model.decode(tgt, own, src_mask, part))
        return torch.cat(found, dim=-1)

    def generator(self, x: Tensor) -> Tensor:
        """Give the logits: the logarithm of the sum of all probabilities.

        That it is not their mean makes no difference: a softmax follows.
        """
        parts = zip(self.models, x.split(self.widths, dim=-1), strict=True)
        logs = [model.generator(own).log_softmax(dim=-1) for model, own in parts]
        return torch.stack(logs).logsumexp(dim=0)


# Data


class ManyCuts:
    """A word's pieces with some merges left out, each epoch anew by its seed.

    Source: Provilkov et al. 2020, algorithm 1.
    """

    def __init__(self, tokenizer: BPETokenizer, seed: int) -> None:
        model = tokenizer.to_json()["model"]
        self.ids = model["vocab"]
        self.ranks = {tuple(pair): n for n, pair in enumerate(model["merges"])}
        self.inner = tokenizer.inner
        self.rng = random.Random(f"cuts {seed}")
        self.ways = cache(self.cut_often)

    def words(self, text: str) -> list[str]:
        """Split a text into the words within which pieces lie."""
        return [w for w, _ in self.inner.pre_tokenizer.pre_tokenize_str(" " + text)]

    def cut_often(self, word: str) -> list[list[int]]:
        """Cut a word in `WAYS` ways."""
        return [[self.ids[piece] for piece in self.cut(word)] for _ in range(WAYS)]

    def cut(self, word: str) -> list[str]:
        """Merge neighbours, the earliest learned first, each left out by chance."""
        pieces = list(word)
        while True:
            open_merges = [
                (self.ranks[pair], i)
                for i, pair in enumerate(pairwise(pieces))
                if pair in self.ranks and self.rng.random() >= DROPPED
            ]
            if not open_merges:
                return pieces
            _, i = min(open_merges)
            pieces[i : i + 2] = [pieces[i] + pieces[i + 1]]


class CutAnew:
    """BPE-dropout: batches whose words are cut into other pieces in every epoch."""

    def __init__(self, ready: Prepared) -> None:
        self.plain = ready.data
        self.cuts = ManyCuts(ready.target, seed=0)
        self.texts = [
            [self.cuts.words(side) for side in pair] for pair in ready.corpus.train
        ]

    def epoch(self, seed: str, start: int = 0) -> Iterator[Batch]:
        """Yield every pair once, in batches of like length."""
        rng = random.Random(f"cuts {seed}")
        pairs: list[IdPair] = [
            tuple(
                [i for word in side for i in rng.choice(self.cuts.ways(word))]
                for side in pair
            )
            for pair in self.texts
        ]
        return replace(self.plain, pairs=pairs).epoch(seed, start)

    def fingerprint(self) -> str:
        """Tell this data from other data."""
        return f"cut anew, {self.plain.fingerprint()}"


class BothFirst:
    """Every pair both ways for about a third of the steps, then as it is.

    Source: Ding et al. 2021.
    """

    def __init__(self, ready: Prepared) -> None:
        self.one = ready.data
        turned = [(target, source) for source, target in self.one.pairs]
        self.both = replace(self.one, pairs=[*self.one.pairs, *turned])
        in_epoch = len(self.both.order(0))
        self.epochs = round(ready.training.steps / 3 / in_epoch)
        self.steps = self.epochs * in_epoch

    def epoch(self, seed: str, start: int = 0) -> Iterator[Batch]:
        """Yield an epoch; the last word of its seed is its number."""
        data = self.both if int(seed.split()[-1]) < self.epochs else self.one
        return data.epoch(seed, start)

    def fingerprint(self) -> str:
        """Tell this data from other data."""
        return f"{self.epochs} epochs both ways, then {self.one.fingerprint()}"


# The table


@dataclass(frozen=True)
class Variant:
    """What differs from the recipe: nothing, or one thing."""

    name: str
    pieces: int = MULTI30K_PIECES
    data: Callable[[Prepared], TrainingData] = attrgetter("data")
    model: type[Transformer] = Transformer
    sizes: dict[str, int] = field(default_factory=dict)
    peak_lr: float | None = None
    seed: int = 0


RECIPE = Variant("the recipe")
BPE_DROPOUT = Variant("BPE-dropout", data=CutAnew)
BOTH_FIRST = Variant("both first", data=BothFirst)
IDEAS = (
    RECIPE,
    Variant("the recipe, second start", seed=1),
    Variant("the recipe, third start", seed=2),
    BPE_DROPOUT,
    Variant("R-Drop", model=TwoPasses),
    Variant(
        "5 encoder layers, 1 decoder layer",
        sizes={"n_encoder_layers": 5, "n_decoder_layers": 1},
    ),
    Variant("10,000 pieces", pieces=10_000),
)
LAYERS = {"n_encoder_layers": 4, "n_decoder_layers": 4}
# The learning rate rises as the width falls.
NARROW = {
    192: Variant("192 wide", sizes={"d_model": 192, "d_ff": 384}, peak_lr=2e-3),
    128: Variant(
        "128 wide", sizes={"d_model": 128, "d_ff": 256} | LAYERS, peak_lr=3e-3
    ),
}


def varied(
    ready: Prepared,
    variant: Variant,
    steps: int | None = None,
    warmup: int | None = None,
) -> Prepared:
    """Change what the variant changes, and how long it learns.

    The average is in proportion to the steps; the warm-up is the recipe's if not given.
    """
    if variant.pieces != RECIPE.pieces:
        ready = cut_into(variant.pieces, ready)
    recipe = ready.training
    steps = steps or recipe.steps
    training = replace(
        recipe,
        steps=steps,
        warmup=warmup or recipe.warmup,
        average=max(1, round(steps / recipe.steps * recipe.average)),
        peak_lr=variant.peak_lr or recipe.peak_lr,
        seed=variant.seed,
    )
    return replace(
        ready,
        model=replace(ready.model, **variant.sizes),
        training=training,
        about=ready.about | {"seed": variant.seed},
    )


def cut_into(pieces: int, ready: Prepared) -> Prepared:
    """Learn so many pieces from the training captions, and encode with them."""
    corpus = ready.corpus
    cut = BPETokenizer.train([text for pair in corpus.train for text in pair], pieces)
    data, valid = (
        replace(batches, pairs=encode_pairs(pairs, cut, cut))
        for batches, pairs in ((ready.data, corpus.train), (ready.valid, corpus.valid))
    )
    model = replace(ready.model, src_vocab_size=len(cut), tgt_vocab_size=len(cut))
    return replace(ready, source=cut, target=cut, model=model, data=data, valid=valid)
