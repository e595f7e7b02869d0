"""What does each planted bug look like, and which test sees it? Three seeds.

Small Transformers on the book's grammar, trained with one wrong line each: loss in
training and on unseen sentences, the share of words right when the decoder reads the
right words, whole translations right, greedily and with four beams.
"""

import argparse
from types import ModuleType
from typing import Any

import torch
from record import save
from torch import Tensor, nn

from tt_utils.data.batching import IdPair
from tt_utils.data.corpora import encode_pairs
from tt_utils.data.grammar import SentencePair, sentence_pairs
from tt_utils.data.tokenizer import EOS, WordTokenizer
from tt_utils.planted import BUGS, plant
from tt_utils.runtime import seed_everything

STEPS, LONGEST = 1_000, 6  # words of the English sentence
SIZES = {"d_model": 64, "d_ff": 256, "n_heads": 4, "norm_first": True, "max_len": 40}
LAYERS = {"n_encoder_layers": 2, "n_decoder_layers": 2}


class Sentences:
    """Short sentences to learn from, and 200 to test on that none of these is."""

    def __init__(self) -> None:
        learn = short(sentence_pairs(14_000, seed=0))
        test = short(sentence_pairs(3_000, seed=1, split="test"))[:200]
        self.source, self.target = (
            WordTokenizer.from_sentences(getattr(pair, side) for pair in learn)
            for side in ("source", "target")
        )
        self.learn, self.test = (
            encode_pairs(
                [(p.source, p.target) for p in pairs], self.source, self.target
            )
            for pairs in (learn, test)
        )


def short(pairs: list[SentencePair]) -> list[SentencePair]:
    """Keep those of few words."""
    return [pair for pair in pairs if len(pair.source) <= LONGEST]


def build(copy: ModuleType, sentences: Sentences, dropout: float) -> nn.Module:
    """Give a model of the copy, as the seed draws it."""
    config = copy.models.TransformerConfig(
        len(sentences.source), len(sentences.target), dropout=dropout, **SIZES, **LAYERS
    )
    return copy.models.Transformer(config)


def trained(
    copy: ModuleType, sentences: Sentences, seed: int
) -> tuple[nn.Module, list[float]]:
    """Train with the copy's own loop, in two parts a step, as little memory would."""
    seed_everything(seed)
    model = build(copy, sentences, dropout=0.1)
    batches = copy.data.batching.PairBatches(sentences.learn, max_tokens=600)
    config = copy.training.TrainingConfig(
        steps=STEPS, warmup=100, peak_lr=0.004, accumulate=2, seed=seed
    )
    return model, copy.training.train(model, batches, config)


def scores(copy: ModuleType, model: nn.Module, sentences: Sentences) -> dict[str, Any]:
    """Measure the trained model on the unseen sentences."""
    batches = copy.data.batching.PairBatches(sentences.test, max_tokens=2_000)
    rights = words = 0
    model.eval()
    with torch.no_grad():
        for batch in batches:
            said = model(batch.src, batch.tgt).argmax(-1).flatten()[batch.real]
            rights += int((said == batch.labels.flatten()[batch.real]).sum())
            words += batch.weight
    loss = copy.training.loss.validation_loss(model, batches)
    model.train()  # decoding itself must switch dropout off
    src = copy.data.batching.make_batch(sentences.test).src
    greedy = copy.decoding.greedy_decode(model, src, max_len=20)
    beams = copy.decoding.beam_search(model, src, max_len=20)
    return {
        "valid_loss": round(loss, 4),
        "words_right": round(100 * rights / words, 1),
        "greedy": exact(greedy, sentences.test),
        "beams": exact(beams, sentences.test),
    }


def exact(written: Tensor, pairs: list[IdPair]) -> float:
    """Count the translations without any fault, in percent."""
    right = sum(
        EOS in ids and ids[: ids.index(EOS)] == target
        for ids, (_, target) in zip(written.tolist(), pairs, strict=True)
    )
    return round(100 * right / len(pairs), 1)


# Tests, each of a fresh model: what fails is seen


def tests(copy: ModuleType, sentences: Sentences) -> dict[str, bool]:
    """Say of each test whether it sees the bug: fails, or stops with an error."""
    found = {}
    for test in (
        shapes_and_numbers,
        parity,
        leak,
        padding,
        order_of_words,
        one_batch,
        pass_against_steps,
        beams_against_greedy,
        parts_against_whole,
        written_twice,
    ):
        seed_everything(0)
        model, name = (
            build(copy, sentences, 0.1).eval(),
            test.__name__.replace("_", " "),
        )
        try:
            found[name] = not test(copy, model, sentences)
        except (RuntimeError, ValueError, IndexError):
            found[name] = True
    return found


def some(copy: ModuleType, sentences: Sentences, rows: int = 8) -> Any:
    """Make a batch of the first unseen sentences, of unequal lengths."""
    return copy.data.batching.make_batch(sentences.test[:rows])


def shapes_and_numbers(copy: ModuleType, model: nn.Module, on: Sentences) -> bool:
    """Logits of the right shape, all finite, and a finite loss."""
    batch = some(copy, on)
    logits = model(batch.src, batch.tgt)
    right = logits.shape == (*batch.tgt.shape, len(on.target))
    return right and bool(logits.isfinite().all() and model.loss(batch).isfinite())


@torch.no_grad()
def parity(copy: ModuleType, model: nn.Module, on: Sentences) -> bool:
    """The logits of a model that is trusted, with the same weights."""
    trusted = build(plant(), on, dropout=0.1).eval()
    trusted.load_state_dict(model.state_dict())
    batch = some(copy, on)
    same = trusted(batch.src, batch.tgt) - model(batch.src, batch.tgt)
    return bool(same.abs().max() < 1e-4)


@torch.no_grad()
def leak(copy: ModuleType, model: nn.Module, on: Sentences) -> bool:
    """Another last word moves no logit before it."""
    src = torch.tensor([on.test[0][0]])
    tgt = torch.tensor([[1, *range(4, 10)]])
    other = tgt.clone()
    other[0, -1] += 1
    moved = (model(src, tgt) - model(src, other)).abs()[0, :-1]
    return bool(moved.max() < 1e-5)


@torch.no_grad()
def padding(copy: ModuleType, model: nn.Module, on: Sentences) -> bool:
    """A sentence gets the same logits and loss alone and beside a longer one."""
    short_pair, long_pair = sorted(on.test, key=lambda pair: len(pair[1]))[
        :: len(on.test) - 1
    ]
    make = copy.data.batching.make_batch
    alone, both = make([short_pair]), make([short_pair, long_pair])
    t = alone.tgt.shape[1]
    gap = model(alone.src, alone.tgt)[0] - model(both.src, both.tgt)[0, :t]
    return bool(gap.abs().max() < 1e-4) and int(both.weight) == sum(
        len(target) + 1 for _, target in (short_pair, long_pair)
    )


@torch.no_grad()
def order_of_words(copy: ModuleType, model: nn.Module, on: Sentences) -> bool:
    """The encoder tells a sentence from the same words in another order."""
    src = torch.arange(4, 9)[None]
    mask = copy.blocks.masks.padding_mask(src, 0)
    turned = model.encode(src.flip(1), mask).flip(1)
    return bool((model.encode(src, mask) - turned).abs().max() > 1e-3)


def one_batch(copy: ModuleType, model: nn.Module, on: Sentences) -> bool:
    """Eight sentences are learned by heart in 100 steps, and then written."""
    batch = some(copy, on)
    learner = build(copy, on, dropout=0.0)
    optimizer = torch.optim.Adam(learner.parameters(), lr=0.003)
    for _ in range(100):
        optimizer.zero_grad()
        learner.loss(batch).backward()
        optimizer.step()
    written = copy.decoding.greedy_decode(learner, batch.src, max_len=20)
    return exact(written, on.test[:8]) == 100


@torch.no_grad()
def pass_against_steps(copy: ModuleType, model: nn.Module, on: Sentences) -> bool:
    """One pass over a sentence gives the logits that writing it word by word gives."""
    batch = some(copy, on, rows=1)
    whole = model(batch.src, batch.tgt)[0]
    stepper = copy.decoding.stepper.TranslationStepper(model, batch.src, max_len=20)
    for word, logits in zip(batch.labels[0], whole, strict=True):
        if (stepper.next_logits()[0] - logits).abs().max() > 1e-4:
            return False
        stepper.word = word[None]
    return True


@torch.no_grad()
def beams_against_greedy(copy: ModuleType, model: nn.Module, on: Sentences) -> bool:
    """Each beam's score is that of its words read in one pass."""
    stepper = copy.decoding.stepper.TranslationStepper(
        model, some(copy, on, rows=1).src.repeat(2, 1), max_len=20
    )
    stepper.next_logits()
    stepper.word = torch.tensor([5, 6])
    stepper.next_logits()
    stepper.select(torch.tensor([1, 0]))  # the beams trade their rows
    stepper.word = torch.tensor([7, 7])
    steps = stepper.next_logits()
    texts = torch.tensor([[1, 6, 7], [1, 5, 7]])
    whole = model(some(copy, on, rows=1).src.repeat(2, 1), texts)[:, -1]
    return bool((steps - whole).abs().max() < 1e-4)


def parts_against_whole(copy: ModuleType, model: nn.Module, on: Sentences) -> bool:
    """A step in two parts has the gradients and the loss of a whole one, twice."""
    found = []
    for parts in (1, 2):
        config = copy.training.TrainingConfig(
            steps=2, warmup=1, peak_lr=0.001, clip=0, accumulate=parts
        )
        seed_everything(0)
        trainer = copy.training.trainer.Trainer(build(copy, on, dropout=0.0), config)
        norms = [float(trainer.step(some(copy, on))) for _ in range(2)]
        trainer.read_losses()
        found.append([*norms, *trainer.losses])
    whole, cut = torch.tensor(found)
    fresh = build(copy, on, dropout=0.0)
    fresh.load_state_dict(trainer.model.state_dict())
    fresh.loss(some(copy, on)).backward()
    learning = [p for p in fresh.parameters() if p.grad is not None]
    clean = sum(float(p.grad.norm() ** 2) for p in learning) ** 0.5
    third = float(trainer.step(some(copy, on)))  # its gradients are of this step alone
    return torch.allclose(whole, cut, rtol=1e-3) and abs(third - clean) < 1e-2 * clean


def written_twice(copy: ModuleType, model: nn.Module, on: Sentences) -> bool:
    """A model left in training mode writes the same sentences twice."""
    src = some(copy, on).src
    model.train()
    first, second = (copy.decoding.greedy_decode(model, src, max_len=9) for _ in "ab")
    return torch.equal(first, second)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, nargs="*", default=[0, 1, 2])
    parser.add_argument("--bugs", nargs="*", default=["none", *BUGS])
    given = parser.parse_args()
    torch.set_num_threads(1)  # the models are tiny
    sentences, rows = Sentences(), []
    for name in given.bugs:
        copy = plant(None if name == "none" else name)
        seen = tests(copy, sentences)
        for seed in given.seeds:
            model, losses = trained(copy, sentences, seed)
            row = {"bug": name, "seed": seed, "loss": round(sum(losses[-50:]) / 50, 4)}
            rows.append(row | scores(copy, model, sentences) | {"seen": seen})
            print(rows[-1], flush=True)
        save("bugs", {"steps": STEPS, "rows": rows})


if __name__ == "__main__":
    main()
