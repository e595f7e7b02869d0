"""What does each planted bug look like, and which test sees it?

Small Transformers on the book's grammar, trained with one wrong line each: loss and
gradients in training, the share of words right when the decoder reads the right words,
whole translations right, how many change beside a longer sentence. Some bugs are wrong
in writing alone: they get the weights that the right model learned. A record for each
seed, one of the tests, which need no training, and one of beams that trade places.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from statistics import median
from types import ModuleType
from typing import Any

import torch
from record import save
from torch import nn

from tt_utils.data.batching import IdPair
from tt_utils.data.tokenizer import EOS, PAD
from tt_utils.evaluation.exhibits import Exhibit, ShortSentences, short_sentences
from tt_utils.planted import BUGS, plant
from tt_utils.runtime import seed_everything

STEPS, EARLY = 700, 300

IN_PARTS = ("none, in two parts", "parts not divided")  # two micro-batches a step
REORDERED = "beams reordered, their keys not"
TRAINED_RIGHT = (  # wrong in writing alone
    "causal in training only",
    "position 0 for every written word",
    "dropout while writing",
    "writing begins with the end",
    REORDERED,
)


def trained(
    copy: ModuleType, sentences: ShortSentences, seed: int, steps: int, parts: int = 1
) -> tuple[nn.Module, dict[str, Any]]:
    """Train with the copy's own loop; say how loss and gradients were."""
    seed_everything(seed)
    model = Exhibit(copy, seed=seed).model.train()
    batches = copy.data.batching.PairBatches(sentences.learn, max_tokens=400)
    config = copy.training.TrainingConfig(
        steps=steps, warmup=100, peak_lr=0.008, accumulate=parts, seed=seed
    )
    norms: list[float] = []
    losses = copy.training.train(
        model, batches, config, lambda step: norms.append(step.gradient_norm)
    )
    return model, {
        "first_loss": round(losses[0], 3),
        "loss": round(sum(losses[-50:]) / 50, 4),
        "norm": round(median(norms), 3),
        "clipped": round(sum(norm > config.clip for norm in norms) / steps, 3),
    }


def scores(
    copy: ModuleType, model: nn.Module, sentences: ShortSentences
) -> dict[str, Any]:
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
    sources = [source for source, _ in sentences.test]
    greedy = written(copy, model, sources)
    beside = written(copy, model, [*sources, sentences.longest])[:-1]
    src = copy.data.batching.make_batch(sentences.test).src
    beams = copy.decoding.beam_search(model, src, max_len=20)
    return {
        "valid_loss": round(loss, 4),
        "words_right": round(100 * rights / words, 1),
        "greedy": exact(greedy, sentences.test),
        "beams": exact(beams.tolist(), sentences.test),
        "changed_beside": sum(a != b for a, b in zip(greedy, beside, strict=True)) / 2,
    } | places_of_words(greedy, sentences.test)


def written(
    copy: ModuleType, model: nn.Module, sources: list[list[int]]
) -> list[list[int]]:
    """Translate greedily, in one batch."""
    src = copy.data.batching.pad([[*ids, EOS] for ids in sources])
    out = copy.decoding.greedy_decode(model, src, max_len=20).tolist()
    return [ids[: ids.index(EOS) + 1] if EOS in ids else ids for ids in out]


def exact(written: list[list[int]], pairs: list[IdPair]) -> float:
    """Count the translations without any fault, in percent."""
    right = sum(
        EOS in ids and ids[: ids.index(EOS)] == target
        for ids, (_, target) in zip(written, pairs, strict=True)
    )
    return round(100 * right / len(pairs), 1)


def places_of_words(written: list[list[int]], pairs: list[IdPair]) -> dict[str, float]:
    """Say how many of the right words were written, and how many in their position."""
    words = anywhere = in_position = 0
    for ids, (_, target) in zip(written, pairs, strict=True):
        words += len(target)
        anywhere += (Counter(target) & Counter(ids)).total()
        in_position += sum(a == b for a, b in zip(ids, target, strict=False))
    return {
        "anywhere": round(100 * anywhere / words, 1),
        "in_position": round(100 * in_position / words, 1),
    }


# Beams that trade places, where they matter: early in training, one sentence at a time


def early_beams(sentences: ShortSentences, seed: int) -> Iterator[dict[str, Any]]:
    """Translate with eight beams after few steps, with the bug and without it.

    How likely are the translations, by a fresh pass over each?
    """
    model, _ = trained(plant(), sentences, seed, EARLY)
    for name in ("none", REORDERED):
        copy = plant(None if name == "none" else name)
        own = twin(copy, model)
        for width in (1, 8):
            found = [beams_of(copy, own, source, width) for source, _ in sentences.test]
            texts, log_ps = zip(*found, strict=True)
            yield {
                "bug": name,
                "width": width,
                "exact": exact(list(texts), sentences.test),
                "log_p": round(sum(log_ps) / len(log_ps), 3),
            }


@torch.no_grad()
def beams_of(
    copy: ModuleType, model: nn.Module, source: list[int], width: int
) -> tuple[list[int], float]:
    """Give a translation, and its log-probability read in one pass."""
    src = torch.tensor([[*source, EOS]])
    out = copy.decoding.beam_search(model, src, width, 0.0, max_len=20)
    begun = torch.cat([torch.tensor([[model.config.bos_id]]), out[:, :-1]], dim=1)
    log_p = model(src, begun).log_softmax(dim=-1)[0]  # (t, vocab)
    chosen = log_p.gather(-1, out[0, :, None])[:, 0]  # (t,)
    return out[0].tolist(), float(chosen[out[0] != PAD].sum())


def twin(copy: ModuleType, model: nn.Module) -> nn.Module:
    """Give a model of this copy with the weights of another."""
    own = Exhibit(copy).model
    own.load_state_dict(model.state_dict())
    return own


# Tests, each of a fresh model: what fails is seen


def tests(copy: ModuleType, sentences: ShortSentences) -> dict[str, bool]:
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
        beams_against_a_pass,
        parts_against_whole,
        asked_twice,
    ):
        seed_everything(0)
        model, name = (
            Exhibit(copy).model,
            test.__name__.replace("_", " "),
        )
        try:
            found[name] = not test(copy, model, sentences)
        except (RuntimeError, ValueError, IndexError):
            found[name] = True
    return found


def some(copy: ModuleType, sentences: ShortSentences, rows: int = 8) -> Any:
    """Make a batch of the first unseen sentences, of unequal lengths."""
    return copy.data.batching.make_batch(sentences.test[:rows])


def shapes_and_numbers(copy: ModuleType, model: nn.Module, on: ShortSentences) -> bool:
    """Logits of the right shape, all finite, and a finite loss."""
    batch = some(copy, on)
    logits = model(batch.src, batch.tgt)
    right = logits.shape == (*batch.tgt.shape, len(on.spanish))
    return right and bool(logits.isfinite().all() and model.loss(batch).isfinite())


@torch.no_grad()
def parity(copy: ModuleType, model: nn.Module, on: ShortSentences) -> bool:
    """The logits of a model that is trusted, with the same weights."""
    trusted = twin(plant(), model)
    batch = some(copy, on)
    same = trusted(batch.src, batch.tgt) - model(batch.src, batch.tgt)
    return bool(same.abs().max() < 1e-4)


@torch.no_grad()
def leak(copy: ModuleType, model: nn.Module, on: ShortSentences) -> bool:
    """Another last word moves no logit before it."""
    src = torch.tensor([on.test[0][0]])
    tgt = torch.tensor([[1, *range(4, 10)]])
    other = tgt.clone()
    other[0, -1] += 1
    moved = (model(src, tgt) - model(src, other)).abs()[0, :-1]
    return bool(moved.max() < 1e-5)


@torch.no_grad()
def padding(copy: ModuleType, model: nn.Module, on: ShortSentences) -> bool:
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
def order_of_words(copy: ModuleType, model: nn.Module, on: ShortSentences) -> bool:
    """The encoder tells a sentence from the same words in another order."""
    src = torch.arange(4, 9)[None]
    mask = copy.blocks.masks.padding_mask(src, 0)
    turned = model.encode(src.flip(1), mask).flip(1)
    return bool((model.encode(src, mask) - turned).abs().max() > 1e-3)


def one_batch(copy: ModuleType, model: nn.Module, on: ShortSentences) -> bool:
    """Eight sentences are learned by heart in 100 steps, and then written."""
    batch = some(copy, on)
    learner = Exhibit(copy, dropout=0.0).model.train()
    optimizer = torch.optim.Adam(learner.parameters(), lr=0.003)
    for _ in range(100):
        optimizer.zero_grad()
        learner.loss(batch).backward()
        optimizer.step()
    written = copy.decoding.greedy_decode(learner, batch.src, max_len=20)
    return exact(written.tolist(), on.test[:8]) == 100


@torch.no_grad()
def pass_against_steps(copy: ModuleType, model: nn.Module, on: ShortSentences) -> bool:
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
def beams_against_a_pass(
    copy: ModuleType, model: nn.Module, on: ShortSentences
) -> bool:
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


def parts_against_whole(copy: ModuleType, model: nn.Module, on: ShortSentences) -> bool:
    """A step in two parts has the gradients and the loss of a whole one, twice."""
    found = []
    for parts in (1, 2):
        config = copy.training.TrainingConfig(
            steps=2, warmup=1, peak_lr=0.001, clip=0, accumulate=parts
        )
        seed_everything(0)
        trainer = copy.training.trainer.Trainer(
            Exhibit(copy, dropout=0.0).model.train(), config
        )
        norms = [float(trainer.step(some(copy, on))) for _ in range(2)]
        trainer.read_losses()
        found.append([*norms, *trainer.losses])
    whole, cut = torch.tensor(found)
    fresh = Exhibit(copy, dropout=0.0).model.train()
    fresh.load_state_dict(trainer.model.state_dict())
    fresh.loss(some(copy, on)).backward()
    learning = [p for p in fresh.parameters() if p.grad is not None]
    clean = sum(float(p.grad.norm() ** 2) for p in learning) ** 0.5
    third = float(trainer.step(some(copy, on)))  # its gradients are of this step alone
    return torch.allclose(whole, cut, rtol=1e-3) and abs(third - clean) < 1e-2 * clean


@torch.no_grad()
def asked_twice(copy: ModuleType, model: nn.Module, on: ShortSentences) -> bool:
    """A model left in training mode has the same logits twice while it writes."""
    batch = some(copy, on)
    with copy.modes.evaluating(model.train()):
        first, second = (model(batch.src, batch.tgt) for _ in "ab")
    return torch.equal(first, second)


def measured(
    names: list[str], sentences: ShortSentences, seed: int
) -> Iterator[dict[str, Any]]:
    """Train for the first of these bugs; give its weights to the others, too."""
    copies = {name: plant(name if name in BUGS else None) for name in names}
    parts = 2 if names[0] in IN_PARTS else 1
    model, curve = trained(copies[names[0]], sentences, seed, STEPS, parts)
    for name, copy in copies.items():
        own = twin(copy, model)
        yield {"bug": name} | curve | scores(copy, own, sentences)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, help="train from it; without one, test")
    parser.add_argument("--beams", action="store_true", help="only beams that trade")
    parser.add_argument("--bugs", nargs="*", default=[IN_PARTS[0], *BUGS])
    given = parser.parse_args()
    torch.set_num_threads(1)  # the models are tiny
    sentences = short_sentences()
    if given.beams:
        early = {seed: list(early_beams(sentences, seed)) for seed in range(3)}
        save("bug_beams", {"steps": EARLY, "early": early})
        return
    if given.seed is None:
        seen = {"none": tests(plant(), sentences)} | {
            name: tests(plant(name), sentences) for name in given.bugs if name in BUGS
        }
        save("bug_tests", {"seen": seen})
        return
    alone = [[name] for name in given.bugs if name not in TRAINED_RIGHT]
    jobs = [["none", *(name for name in given.bugs if name in TRAINED_RIGHT)], *alone]
    rows: list[dict[str, Any]] = []
    for job in jobs:
        for row in measured(job, sentences, given.seed):
            rows.append(row)
            print(row, flush=True)
    result = {"seed": given.seed, "steps": STEPS, "rows": rows}
    save(f"bugs_seed_{given.seed}", result)


if __name__ == "__main__":
    main()
