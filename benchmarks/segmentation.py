"""Which class does a pixel belong to? Mean IoU on 500 unseen scenes, three seeds.

The recipe of `tt_utils.training.recipes_segmentation`; the same with other reaches;
a U-shaped convolution net of about as many parameters, trained for about the same
time; and a logistic regression for each pixel, on the 9 × 9 pixels around it. Each
also with the share of right labels on ink that lies close to another digit, and on
the rest of the ink.
"""

import argparse
import time
from dataclasses import replace
from typing import Any

import torch
import torch.nn.functional as F
from record import save
from torch import Tensor, nn

from tt_utils.data.digits import load_digits
from tt_utils.data.scenes import SceneBatch, SceneBatches, make_scenes
from tt_utils.evaluation.regions import confusion, region_scores
from tt_utils.models.segmenter import Segmenter, labels_of
from tt_utils.runtime import seed_everything
from tt_utils.training.config import TrainingConfig
from tt_utils.training.loop import train
from tt_utils.training.recipes_segmentation import ROWS, TRAINING, segmenter_config

SCENES, CLASSES, CLOSE = 500, 11, 3  # pixels to another digit that count as close
# What to change in the model.
REACHES: dict[str, dict[str, Any]] = {
    "the recipe": {},
    "all patches": {"reach": None},
    "itself alone": {"reach": 0},
}
REGRESSION = TrainingConfig(steps=500, peak_lr=3e-2, warmup=50, weight_decay=0.0)
UNET = replace(TRAINING, steps=1_100)  # about the recipe's seconds


class UNet(nn.Module):
    """Halve an image twice and double it twice, each size joined with its equal.

    Source: Ronneberger et al. 2015. Differs from the paper: fewer sizes and features,
    padding, and batch normalisation.
    """

    def __init__(self, width: int = 20) -> None:
        super().__init__()
        w = width
        self.down = nn.ModuleList([block(1, w), block(w, 2 * w), block(2 * w, 4 * w)])
        self.up = nn.ModuleList([block(6 * w, 2 * w), block(3 * w, w)])
        self.head = nn.Conv2d(w, CLASSES, 1)

    def forward(self, images: Tensor) -> Tensor:
        """Give every pixel the logits of each label."""
        fine = self.down[0](images)
        middle = self.down[1](F.max_pool2d(fine, 2))
        x = self.down[2](F.max_pool2d(middle, 2))
        for skip, layer in ((middle, self.up[0]), (fine, self.up[1])):
            x = layer(torch.cat([F.interpolate(x, scale_factor=2.0), skip], dim=1))
        return self.head(x)

    def loss(self, batch: SceneBatch) -> Tensor:
        """Average the cross-entropy over the pixels."""
        return F.cross_entropy(self(batch.images), batch.pixels)


def block(inside: int, outside: int) -> nn.Sequential:
    """Look twice at 3 × 3 pixels."""
    steps: list[nn.Module] = []
    for features in (inside, outside):
        convolution = nn.Conv2d(features, outside, 3, padding=1, bias=False)
        steps += [convolution, nn.BatchNorm2d(outside), nn.ReLU()]
    return nn.Sequential(*steps)


class Regression(nn.Conv2d):
    """A logistic regression for each pixel: a weight for each pixel around it."""

    def __init__(self, around: int = 9) -> None:
        super().__init__(1, CLASSES, around, padding=around // 2)

    def loss(self, batch: SceneBatch) -> Tensor:
        """Average the cross-entropy over the pixels."""
        return F.cross_entropy(self(batch.images), batch.pixels)


VARIANTS = ["the recipe", "regression", "U-Net", "all patches", "itself alone"]


def main() -> None:
    """Train every variant from every seed, then measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--variants", nargs="+", default=VARIANTS)
    parser.add_argument("--steps", type=int, help="instead of each variant's own")
    given = parser.parse_args()
    torch.set_num_threads(1)  # the models are tiny
    rows = []
    for name in given.variants:
        for seed in given.seeds:
            rows.append({"variant": name, "seed": seed} | run(name, seed, given.steps))
            print(rows[-1], flush=True)
            save("segmentation", {"rows": rows})


def run(name: str, seed: int, steps: int | None) -> dict[str, Any]:
    """Train one variant from one seed, and score it on scenes of the test digits."""
    digits, _, test = load_digits()
    seed_everything(seed)
    model, config = made(name)
    config = replace(config, seed=seed, steps=steps or config.steps)
    start = time.process_time()
    train(model, SceneBatches(digits, ROWS), config)
    seconds = time.process_time() - start
    scenes = make_scenes(test, SCENES, "test")
    found = labels_of(model, scenes.images)
    scores = region_scores(confusion(scenes.pixels, found, CLASSES))
    close = close_to_another(scenes.pixels)
    right, ink = found == scenes.pixels, scenes.pixels > 0
    return {
        "parameters": sum(p.numel() for p in model.parameters()),
        "steps": config.steps,
        "cpu_seconds": round(seconds, 1),
        "mean_iou": round(scores.mean_iou, 4),
        "digits": round(scores.per_class[1:].mean().item(), 4),
        "per_class": [round(iou, 4) for iou in scores.per_class.tolist()],
        "accuracy": round(scores.accuracy, 4),
        "close": round(right[close].float().mean().item(), 4),
        "apart": round(right[ink & ~close].float().mean().item(), 4),
    }


def made(name: str) -> tuple[nn.Module, TrainingConfig]:
    """Build a variant's model, with how it is trained."""
    if name == "U-Net":
        return UNet(), UNET
    if name == "regression":
        return Regression(), REGRESSION
    return Segmenter(segmenter_config(**REACHES[name])), TRAINING


def close_to_another(pixels: Tensor) -> Tensor:
    """Mark the ink that has a pixel of another kind of digit close by."""
    kinds = F.one_hot(pixels, CLASSES)[..., 1:].movedim(-1, 1).float()
    around = F.max_pool2d(kinds, 2 * CLOSE + 1, stride=1, padding=CLOSE)
    return (around.sum(dim=1) > 1) & (pixels > 0)


if __name__ == "__main__":
    main()
