"""Which kinds of review does a classifier read that it never saw? Three seeds.

The recipe of `tt_utils.training.recipes_reviews`, then one change at a time: longer
reviews to learn from, other positions, and a few of a kind that was held out. Of the
recipe also: how many verdicts change when [CLS] may not attend to its favourite word,
or to any other; and, where there is one, to another behind "but" that bears an opinion
or a negation.
"""

import argparse
import time
from dataclasses import replace
from typing import Any

import torch
from record import save

from tt_utils.data.reviews import (
    Review,
    ReviewsData,
    encode_review,
    labelled_batch,
    reviews_data,
)
from tt_utils.data.reviews.lexicon import ADJECTIVES, NOT
from tt_utils.data.tokenizer import WordTokenizer
from tt_utils.evaluation.cutting import (
    cls_attention,
    highest,
    logits_without,
    words_of,
)
from tt_utils.models.bert import Classifier
from tt_utils.runtime import seed_everything
from tt_utils.training.loop import train
from tt_utils.training.recipes_reviews import (
    REVIEWS,
    ROWS,
    TRAINING,
    classifier_config,
)

# What to change in the data, and in the model.
VARIANTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "the recipe": ({}, {}),
    "longer stories": ({"stretch": 6}, {}),
    "learned positions": ({}, {"positions": "learned"}),
    "40 shown": ({"shown": {"although behind": 40}}, {}),
    "400 shown": ({"shown": {"although behind": 400}}, {}),
}
CUT_IN = ("but", "new negations")  # kinds with a "but"
WEIGHTY = frozenset((*ADJECTIVES[0], *ADJECTIVES[1], *NOT))


def main() -> None:
    """Train every variant from every seed, then measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--variants", nargs="+", default=list(VARIANTS))
    parser.add_argument("--steps", type=int, default=TRAINING.steps)
    given = parser.parse_args()
    torch.set_num_threads(1)  # the model is tiny
    rows = []
    for name in given.variants:
        for seed in given.seeds:
            rows.append({"variant": name, "seed": seed} | run(name, seed, given.steps))
            print(rows[-1], flush=True)
    save("sentiment", {"rows": rows})


def run(name: str, seed: int, steps: int) -> dict[str, Any]:
    """Train one variant from one seed, and score it on every kind."""
    of_data, of_model = VARIANTS[name]
    data = reviews_data(REVIEWS, ROWS, seed, **of_data)
    seed_everything(seed)
    model = Classifier(classifier_config(data.tokenizer, **of_model))
    start = time.process_time()
    train(model, data.batches, replace(TRAINING, seed=seed, steps=steps))
    seconds = time.process_time() - start
    model.eval()
    found = {
        "cpu_seconds": round(seconds, 1),
        "longest": max(len(review.words) for review in data.train),
        "valid": accuracy(model, data.valid, data.tokenizer),
        "held_out": {
            kind: accuracy(model, test, data.tokenizer)
            for kind, test in data.test.items()
        },
    }
    if name == "the recipe":
        found["changed"] = {kind: changed(model, data, kind) for kind in CUT_IN}
    return found


def tokens_of(reviews: list[Review], tokenizer: WordTokenizer) -> torch.Tensor:
    """Put reviews in one batch."""
    return labelled_batch([encode_review(each, tokenizer) for each in reviews]).tokens


@torch.inference_mode()
def accuracy(
    model: Classifier, reviews: list[Review], tokenizer: WordTokenizer
) -> float:
    """Give the percentage of right verdicts."""
    found = model(tokens_of(reviews, tokenizer)).argmax(dim=-1)
    wanted = torch.tensor([review.label for review in reviews])
    return round(100 * (found == wanted).float().mean().item(), 2)


def changed(model: Classifier, data: ReviewsData, kind: str) -> dict[str, float]:
    """Give the percentage of verdicts that change when one word is cut."""
    reviews = data.test.get(kind) or [r for r in data.valid if r.kind == kind]
    tokens, number = tokens_of(reviews, data.tokenizer), data.tokenizer.ids
    ids = data.tokenizer.bos_id, data.tokenizer.eos_id, data.tokenizer.pad_id
    words = words_of(tokens, *ids)
    favourite = highest(cls_attention(model, tokens), words, 1)
    others = words & ~favourite
    chance = torch.rand(tokens.shape, generator=torch.Generator().manual_seed(0))
    weighty = torch.tensor([number[word] for word in sorted(WEIGHTY)])
    behind = (tokens == number["but"]).cumsum(dim=1).bool()
    rivals = others & behind & torch.isin(tokens, weighty)
    rows = rivals.any(dim=1)
    rival = highest(chance[rows], rivals[rows], 1)
    return {
        "reviews": len(reviews),
        "favourite": changing(model, tokens, favourite),
        "any other": changing(model, tokens, highest(chance, others, 1)),
        "reviews with a rival": int(rows.sum()),
        "favourite there": changing(model, tokens[rows], favourite[rows]),
        "rival": changing(model, tokens[rows], rival),
    }


@torch.inference_mode()
def changing(model: Classifier, tokens: torch.Tensor, cut: torch.Tensor) -> float:
    """Give the percentage of verdicts that this cut changes."""
    verdict = model(tokens).argmax(dim=-1)
    after = logits_without(model, tokens, cut).argmax(dim=-1)
    return round(100 * (after != verdict).float().mean().item(), 2)


if __name__ == "__main__":
    main()
