"""Which idea gives a better translator in the same computing time? Multi30k, en to de.

The quick recipe on a part of the captions, so that short runs repeat them as often as
the whole recipe repeats all; then one idea at a time, each with as many steps as cost
what the recipe's cost. A step's cost is taken in turns with the recipe's steps, so that
a machine whose speed wavers favours nobody. What is told comes from the validation
captions: no test sentence is looked at.
"""

import argparse
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from itertools import pairwise

import torch
from record import save
from torch.nn import functional as F

from tt_utils.blocks.masks import padding_mask
from tt_utils.data.batching import Batch, IdPair, PairBatches
from tt_utils.data.corpora import Corpus, TextPair, encode_pairs, load_corpus
from tt_utils.data.tokenizer import BPETokenizer
from tt_utils.decoding.translator import Translator
from tt_utils.evaluation.bleu import corpus_bleu
from tt_utils.models.transformer import Transformer
from tt_utils.runtime import best_device, seed_everything
from tt_utils.training.loss import validation_loss
from tt_utils.training.recipes import RECIPES, Recipe, suited
from tt_utils.training.trainer import Trainer, endless_batches, moving_average

PIECES = 6_000
DROPPED = 0.1  # the share of merges that BPE-dropout leaves out
WAYS = 16  # to cut a word, drawn once; each epoch chooses among them
STRENGTH = 5.0  # of R-Drop's second term
WARM = 5  # steps before a step's cost is taken
TRIED = 50  # steps that tell it, about an epoch


@dataclass(frozen=True)
class Idea:
    """What differs from the recipe: nothing, or one thing."""

    name: str
    pieces: int = PIECES
    drops_merges: bool = False
    model: Callable[..., Transformer] = Transformer
    sizes: tuple[tuple[str, int], ...] = ()
    seed: int = 0


class TwoPasses(Transformer):
    """R-Drop: the same batch twice, and the two answers must agree.

    Source: Liang et al. 2021, equation 4, divided by 2.
    """

    def loss(self, batch: Batch, label_smoothing: float = 0.0) -> torch.Tensor:
        """Average both cross-entropies; add how far the two answers lie apart."""
        if not self.training:
            return super().loss(batch, label_smoothing)
        labels = batch.labels.flatten()[batch.real]
        one, other = (self.scores(batch).log_softmax(-1) for _ in range(2))
        right = sum(smoothed(logs, labels, label_smoothing) for logs in (one, other))
        apart = ((one.exp() - other.exp()) * (one - other)).sum(-1).mean()
        return right / 2 + STRENGTH / 4 * apart  # both divergences together

    def scores(self, batch: Batch) -> torch.Tensor:
        """Give the logits of the real places, (n, vocabulary), in fp32."""
        src_mask = padding_mask(batch.src, self.config.pad_id)
        x = self.decode(batch.tgt, self.encode(batch.src, src_mask), src_mask)
        return self.generator(x.flatten(0, 1)[batch.real]).float()


def smoothed(logs: torch.Tensor, labels: torch.Tensor, share: float) -> torch.Tensor:
    """Give the cross-entropy with smoothed labels, from logarithms."""
    return (1 - share) * F.nll_loss(logs, labels) - share * logs.mean()


IDEAS = (
    Idea("the recipe"),
    Idea("the recipe, second start", seed=1),
    Idea("the recipe, third start", seed=2),
    Idea("BPE-dropout", drops_merges=True),
    Idea("R-Drop", model=TwoPasses),
    Idea(
        "5 encoder layers, 1 decoder layer",
        sizes=(("n_encoder_layers", 5), ("n_decoder_layers", 1)),
    ),
    Idea("10,000 pieces", pieces=10_000),
)
RECIPE = IDEAS[0]
SHORT = "the recipe, the fewest steps of all"


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
    """Batches whose words are cut into other pieces in every epoch."""

    def __init__(
        self, texts: list[TextPair], tokenizer: BPETokenizer, batches: Callable
    ) -> None:
        self.cuts = ManyCuts(tokenizer, seed=0)
        self.texts = [[self.cuts.words(side) for side in pair] for pair in texts]
        self.batches = batches

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
        return self.batches(pairs).epoch(seed, start)

    def fingerprint(self) -> str:
        """Nothing is saved or resumed here."""
        return "cut anew"


@dataclass
class Run:
    """One training of an idea, a step at a time."""

    tokenizer: BPETokenizer
    batches: Callable
    trainer: Trainer
    stream: Iterator[Batch]

    def step(self) -> float:
        """Learn from the next batch; tell the CPU-seconds that it took."""
        started = time.process_time()
        self.trainer.step(next(self.stream))
        self.trainer.read_losses()
        return time.process_time() - started


def main() -> None:
    """Train every idea for the same computing time, and judge it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=800, help="of the recipe")
    parser.add_argument("--captions", type=int, default=5_800)
    given = parser.parse_args()
    corpus = load_corpus("multi30k", "en", "de")
    corpus = replace(corpus, train=corpus.train[: given.captions])
    rows = []
    for idea in IDEAS:
        rows += judged_training(idea, corpus, given.steps)
    fewest = min(row["steps"] for row in rows)
    rows += judged_training(replace(RECIPE, name=SHORT), corpus, fewest)
    result = {
        "direction": "en-de",
        "captions": given.captions,
        "plain_steps": given.steps,
        "sentences": len(corpus.valid),
        "rows": rows,
    }
    save("one_idea", result, best_device())


def judged_training(idea: Idea, corpus: Corpus, plain_steps: int) -> list[dict]:
    """Train for what so many steps of the recipe cost; the rows of what came of it."""
    cost = cost_of_step(idea, corpus)
    steps = round(plain_steps / cost)
    run = begin(idea, corpus, steps)
    model = run.trainer.model
    slower = torch.optim.swa_utils.AveragedModel(
        model, multi_avg_fn=moving_average(steps // 3)
    ).eval()
    spent = 0.0
    for _ in range(steps):
        spent += run.step()
        if idea is RECIPE:
            slower.update_parameters(model)
    run.trainer.finish()
    ends = [(idea.name, model)]
    if idea is RECIPE:
        ends.append(("the recipe, a slower average", slower.module.eval()))
    about = {"length_penalty": RECIPES["multi30k", "quick"].length_penalty}
    rows = [
        {
            "name": name,
            "step_cost": cost,
            "steps": steps,
            "epochs": run.trainer.cursor.epoch,
            "cpu_seconds": spent,
            "parameters": sum(p.numel() for p in model.parameters()),
            "train_loss": sum(run.trainer.losses[-50:]) / 50,
        }
        | judged(
            Translator(end, run.tokenizer, run.tokenizer, about),
            corpus.valid,
            run.batches,
        )
        for name, end in ends
    ]
    print(*rows, sep="\n", flush=True)
    return rows


def cost_of_step(idea: Idea, corpus: Corpus) -> float:
    """Tell what a step costs, in steps of the recipe; 1 for a start of the recipe."""
    if replace(idea, name=RECIPE.name, seed=RECIPE.seed) == RECIPE:
        return 1.0
    runs = [begin(one, corpus, steps=10**6) for one in (RECIPE, idea)]
    for run in runs:
        for _ in range(WARM):
            run.step()
    spent = [[run.step() for run in runs] for _ in range(TRIED)]
    plain, other = map(sum, zip(*spent, strict=True))
    return other / plain


def begin(idea: Idea, corpus: Corpus, steps: int) -> Run:
    """Make a training of so many steps ready."""
    recipe = RECIPES["multi30k", "quick"]
    tokenizer = BPETokenizer.train(
        [text for pair in corpus.train for text in pair], idea.pieces
    )
    config = replace(recipe.config(tokenizer, tokenizer), **dict(idea.sizes))
    ids = tokenizer.pad_id, tokenizer.bos_id, tokenizer.eos_id
    batches = partial(in_batches, recipe=recipe, ids=ids)
    data = (
        CutAnew(corpus.train, tokenizer, batches)
        if idea.drops_merges
        else batches(encode_pairs(corpus.train, tokenizer, tokenizer))
    )
    seed_everything(idea.seed)
    trainer = make_trainer(idea.model(config), recipe, idea.seed, steps)
    stream = endless_batches(data, idea.seed, trainer.cursor)
    return Run(tokenizer, batches, trainer, stream)


def make_trainer(model: Transformer, recipe: Recipe, seed: int, steps: int) -> Trainer:
    """The recipe's training, its warm-up and average in proportion."""
    training = suited(recipe.training, best_device())
    share = min(1.0, steps / training.steps)
    return Trainer(
        model,
        replace(
            training,
            steps=steps,
            seed=seed,
            warmup=max(1, round(training.warmup * share)),
            average=max(1, round(training.average * share)),
        ),
    )


def in_batches(pairs: list[IdPair], recipe: Recipe, ids: tuple) -> PairBatches:
    return PairBatches(pairs, recipe.max_tokens, *ids)


def judged(
    translator: Translator, pairs: list[TextPair], batches: Callable
) -> dict[str, object]:
    """The loss per word, comparable between vocabularies, and BLEU, beam 4."""
    sources, references = map(list, zip(*pairs, strict=True))
    valid = batches(encode_pairs(pairs, translator.source, translator.target))
    pieces = sum(batch.weight for batch in valid)
    words = sum(len(text.split()) for text in references)
    bleu = asdict(corpus_bleu(translator.translate(sources), references))
    return {
        "nats_per_word": validation_loss(translator.model, valid) * pieces / words,
        "bleu": bleu.pop("score"),
        **bleu,
    }


if __name__ == "__main__":
    main()
