"""Trains the Vision Transformer that reads digits inside the book's pages.

It learns from the training images alone. Those held back for validation chose its
sizes; the last quarter of the file says how well it reads digits of other hands.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from torch import Tensor

from tt_utils.atomic_write import write_atomically
from tt_utils.data.digits import DigitBatches, Digits, Distortion, load_digits
from tt_utils.evaluation.classification import accuracy, classify
from tt_utils.figures.bundle import MODEL
from tt_utils.figures.model_file import page_tensors, restore, write_info
from tt_utils.figures.vit_file import VIT_INFO, describe_vit, examples_of, pack_vit
from tt_utils.models.vit import ViT, ViTConfig
from tt_utils.runtime import seed_everything
from tt_utils.training.config import TrainingConfig
from tt_utils.training.loop import train

NAME = "digits"
SIZES = {"d_model": 48, "d_ff": 96, "n_heads": 4, "n_layers": 3, "dropout": 0.1}
PATCHES = {"patch": 3, "stride": 1, "max_len": 37}
ROWS = 64
TRAINING = {"steps": 2_000, "peak_lr": 2e-3, "label_smoothing": 0.1}
FIRST = 3  # the example that the page begins with
HARD = 2  # examples that it misreads


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, default=MODEL)
    given = parser.parse_args()
    seed_everything(given.seed)
    learned, valid, test = load_digits()
    model = ViT(ViTConfig(**SIZES, **PATCHES))
    data = DigitBatches(learned, ROWS, Distortion())
    train(model, data, TrainingConfig(seed=given.seed, **TRAINING))
    given.folder.mkdir(parents=True, exist_ok=True)
    origin = (
        f"tools/make_page_digits.py, seed {given.seed}: {TRAINING['steps']:,} steps on "
        f"the first {len(learned):,} images of scikit-learn's digits, distorted by "
        "chance"
    )
    write(model, given.folder, valid, test, origin)


def write(model: ViT, folder: Path, valid: Digits, test: Digits, origin: str) -> None:
    """Write the model's files, and how well it reads once it is rounded."""
    packed, entry = pack_vit(model, NAME)
    before = classify(model, test.images)
    restore(model, page_tensors(model))
    after = classify(model, test.images)
    found = accuracy(after, test.labels)
    figures = {
        "step": TRAINING["steps"],
        "validation": accuracy(classify(model, valid.images), valid.labels).share,
        "right": found.right,
        "of": found.count,
        "same_unrounded": accuracy(after, before).share,
    }
    print(figures, f"{len(packed):,} bytes")
    write_atomically(folder / entry["file"], packed)
    shown = examples_of(chosen(test, after))
    info = describe_vit(model, [figures | entry], origin=origin, examples=shown)
    write_info(folder, info, VIT_INFO)


def chosen(test: Digits, said: Tensor) -> Digits:
    """Choose of the test images the first of each digit, and the first misread ones."""
    order = [*range(FIRST, 10), *range(FIRST)]
    firsts = [(test.labels == digit).nonzero()[0, 0].item() for digit in order]
    wrong = (said != test.labels).nonzero()[:, 0].tolist()
    hard = [i for i in wrong if i not in firsts][:HARD]
    return test[torch.tensor([*firsts, *hard])]


if __name__ == "__main__":
    main()
