"""Which idea gives a better translator in the same core-minutes? Multi30k, en to de.

The quick recipe on a part of the captions, so that short runs repeat them as often as
the whole recipe repeats all; then one idea at a time. What is told comes from the
validation captions: no test sentence is looked at.
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
TRIED = 30  # steps that tell what a step costs
LOOK_BACK = 9  # the average of the weights looks back on a ninth of the steps


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
        one, other = (self.scores(batch) for _ in range(2))
        right = sum(
            F.cross_entropy(scores, labels, label_smoothing=label_smoothing)
            for scores in (one, other)
        )
        logs = one.log_softmax(-1), other.log_softmax(-1)
        apart = sum(
            F.kl_div(p, q, reduction="batchmean", log_target=True)
            for p, q in (logs, logs[::-1])
        )
        return right / 2 + STRENGTH / 4 * apart

    def scores(self, batch: Batch) -> torch.Tensor:
        """Give the logits of the real places, (n, vocabulary), in fp32."""
        src_mask = padding_mask(batch.src, self.config.pad_id)
        x = self.decode(batch.tgt, self.encode(batch.src, src_mask), src_mask)
        return self.generator(x.flatten(0, 1)[batch.real]).float()


IDEAS = (
    Idea("the recipe"),
    Idea("the recipe, another start", seed=1),
    Idea("BPE-dropout", drops_merges=True),
    Idea("R-Drop", model=TwoPasses),
    Idea(
        "5 encoder layers, 1 decoder layer",
        sizes=(("n_encoder_layers", 5), ("n_decoder_layers", 1)),
    ),
    Idea("10,000 pieces", pieces=10_000),
)


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


def main() -> None:
    """Train every idea for the same core-minutes, and judge it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=12.0, help="of a core, each")
    parser.add_argument("--captions", type=int, default=5_800)
    given = parser.parse_args()
    corpus = load_corpus("multi30k", "en", "de")
    corpus = replace(corpus, train=corpus.train[: given.captions])
    rows = []
    for idea in IDEAS:
        for row in judged_training(idea, corpus, 60 * given.minutes):
            print(row, flush=True)
            rows.append(row)
    result = {
        "direction": "en-de",
        "captions": given.captions,
        "core_minutes": given.minutes,
        "sentences": len(corpus.valid),
        "rows": rows,
    }
    save("one_idea", result, best_device())


def judged_training(idea: Idea, corpus: Corpus, seconds: float) -> list[dict]:
    """Train for so many CPU-seconds; the rows of what came of it."""
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
    model = idea.model(config)
    trainer, started = make_trainer(model, recipe, idea.seed, steps=10**6), clock()
    stream = endless_batches(data, idea.seed, trainer.cursor)
    for _ in range(TRIED):
        trainer.step(next(stream))
    steps = int(seconds / ((clock() - started) / TRIED))

    seed_everything(idea.seed)
    model = idea.model(config)
    trainer, started = make_trainer(model, recipe, idea.seed, steps), clock()
    stream = endless_batches(data, idea.seed, trainer.cursor)
    longer = torch.optim.swa_utils.AveragedModel(
        model, multi_avg_fn=moving_average(steps // 3)
    ).eval()
    done = 0
    while done < steps and clock() - started < 1.1 * seconds:
        trainer.step(next(stream))
        trainer.read_losses()
        if idea is IDEAS[0]:
            longer.update_parameters(model)
        done += 1
    spent = clock() - started
    trainer.finish()
    ends = [(idea.name, model)]
    if idea is IDEAS[0]:
        ends.append(("average over a third of the steps", longer.module.eval()))
    about = {"length_penalty": recipe.length_penalty}
    return [
        {
            "name": name,
            "steps": done,
            "steps_planned": steps,
            "epochs": trainer.cursor.epoch,
            "cpu_seconds": spent,
            "parameters": sum(p.numel() for p in model.parameters()),
            "train_loss": sum(trainer.losses[-50:]) / 50,
        }
        | judged(Translator(end, tokenizer, tokenizer, about), corpus.valid, batches)
        for name, end in ends
    ]


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
            warmup=min(steps - 1, max(100, int(training.warmup * share))),
            average=max(1, steps // LOOK_BACK),
        ),
    )


def in_batches(pairs: list[IdPair], recipe: Recipe, ids: tuple) -> PairBatches:
    return PairBatches(pairs, recipe.max_tokens, *ids)


def clock() -> float:
    return time.process_time()


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
