"""How well does a ViT read digits of other hands, and how much data does it want?

The recipe of `tt_utils.training.recipes_digits`, then one change at a time: a share of
the digits to learn from; no positions; the patches of every image in another order, the
same for all. Each from three seeds, measured on the last quarter of the file. Beside
them logistic regression and nearest neighbours on the same digits. Of the recipe also:
how many verdicts change when patches are cut out, by what the gathering token attends
to.
"""

import argparse
import time
from dataclasses import replace
from typing import Any

import torch
from record import save
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from torch import nn

from tt_utils.blocks.patches import patchify
from tt_utils.data.digits import DigitBatches, Digits, load_digits
from tt_utils.evaluation.classification import accuracy, classify
from tt_utils.evaluation.cutting import cls_attention, highest
from tt_utils.models.vit import ViT
from tt_utils.runtime import seed_everything
from tt_utils.training.loop import train
from tt_utils.training.recipes_digits import (
    DISTORTION,
    ROWS,
    TRAINING,
    digit_config,
)

# What to change in the model, the share of the digits, and whether patches move.
VARIANTS: dict[str, tuple[dict[str, Any], float, bool]] = {
    "the recipe": ({}, 1.0, False),
    "no positions": ({"positions": "none"}, 1.0, False),
    "another order": ({}, 1.0, True),
    "30 %": ({}, 0.3, False),
    "10 %": ({}, 0.1, False),
}
CUTS = (2, 4, 8, 12)  # of the 25 patches


class Reorder(nn.Module):
    """Hand the patches on in another order."""

    def __init__(self, order: torch.Tensor) -> None:
        super().__init__()
        self.order = order

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        """Give (batch, patches, numbers) for the same."""
        return patches[:, self.order]


def main() -> None:
    """Train every variant from every seed, then measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--variants", nargs="+", default=list(VARIANTS))
    parser.add_argument("--steps", type=int, default=TRAINING.steps)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    rows: list[dict[str, Any]] = []
    for name in asked.variants:
        for seed in asked.seeds:
            rows.append({"variant": name, "seed": seed} | run(name, seed, asked.steps))
            print(rows[-1], flush=True)
            save("digits", {"steps": asked.steps, "rows": rows})


def run(name: str, seed: int, steps: int) -> dict[str, Any]:
    """Train one model, and the plain methods on the same digits."""
    changes, share, reordered = VARIANTS[name]
    learn, test = halves()
    luck = torch.Generator().manual_seed(seed)
    learn = learn[torch.randperm(len(learn), generator=luck)[: int(share * len(learn))]]
    seed_everything(seed)
    model = ViT(digit_config(**changes))
    if reordered:
        order = torch.randperm(model.config.n_patches, generator=luck)
        model.embed = nn.Sequential(Reorder(order), model.embed)
    start = time.process_time()
    train(
        model,
        DigitBatches(learn, ROWS, DISTORTION),
        replace(TRAINING, steps=steps, seed=seed),
    )
    found = {
        "digits": len(learn),
        "cpu_seconds": round(time.process_time() - start),
        "parameters": sum(p.numel() for p in model.parameters()),
    }
    found["test"] = accuracy(classify(model, test.images), test.labels).right
    found["plain"] = plain(learn, test)
    if name == "the recipe":
        found["cut"] = cut(model, test)
    return found


def halves() -> tuple[Digits, Digits]:
    """Give all digits to learn from, those of the validation too, and the test."""
    learn, valid, test = load_digits()
    return learn + valid, test


def plain(learn: Digits, test: Digits) -> dict[str, int]:
    """Count what the plain methods get right."""
    methods = {
        "logistic regression": LogisticRegression(max_iter=5_000),
        "nearest neighbours": KNeighborsClassifier(3),
    }
    return {
        name: accuracy(
            torch.from_numpy(
                method.fit(learn.images.flatten(1), learn.labels).predict(
                    test.images.flatten(1)
                )
            ),
            test.labels,
        ).right
        for name, method in methods.items()
    }


@torch.inference_mode()
def cut(model: ViT, test: Digits) -> dict[str, dict[str, float]]:
    """Measure the percentage of verdicts that change without some patches."""
    weights = cls_attention(model, test.images)[:, 1:]
    patches = patchify(test.images, model.config.patch, model.config.stride)
    chance = torch.rand(weights.shape, generator=torch.Generator().manual_seed(0))
    orders = {
        "most attended": weights,
        "most ink": patches.sum(dim=-1),
        "by chance": chance,
        "least attended": -weights,
    }
    before, every = model(test.images).argmax(-1), torch.ones_like(weights).bool()
    return {
        name: {
            str(k): percent(
                model(test.images, ~highest(order, every, k)).argmax(-1) != before
            )
            for k in CUTS
        }
        for name, order in orders.items()
    }


def percent(found: torch.Tensor) -> float:
    """Give the share of what is True."""
    return round(100 * found.float().mean().item(), 1)


if __name__ == "__main__":
    main()
