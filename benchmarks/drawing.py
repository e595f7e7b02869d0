"""Are the digits that a model draws legible, new and varied? Three seeds.

The recipe of `tt_utils.training.recipes_drawing`, then one change at a time: patches
written in another order, the same for all images; no distortion. The recipe draws 1,000
digits at each of several temperatures and strengths of guidance, the others with its
own. Beside them: real digits, and codes drawn by how often they stand at their place,
without a model.
"""

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import torch
from record import save
from sklearn.neighbors import KNeighborsClassifier

from tt_utils.data.codebook import CodeBatch, CodeBatches, Codebook
from tt_utils.data.digits import KINDS, SIDE, Digits, Distortion, distort, load_digits
from tt_utils.evaluation.drawings import (
    draw_by_frequency,
    learn_judge,
    nearest,
    spread,
    told_apart,
)
from tt_utils.models.image_gpt import ImageGPT
from tt_utils.runtime import seed_everything
from tt_utils.training.loop import train
from tt_utils.training.recipes_drawing import (
    CODES,
    GUIDANCE,
    PATCH,
    TEMPERATURE,
    TRAINING,
    drawing_batches,
    drawing_config,
)

# What to change in the data.
VARIANTS: dict[str, dict[str, Any]] = {
    "the recipe": {},
    "another order": {},
    "no distortion": {"distortion": None},
}
TRIED = list(product((1.0, 0.8, 0.6), (1.0, 1.5, 2.0)))  # temperature, guidance
SAMPLES, COPIES = 1_000, 5  # drawn digits; distorted copies of a training image


def main() -> None:
    """Train every variant from every seed, then measure what it draws."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--variants", nargs="+", default=list(VARIANTS))
    parser.add_argument("--steps", type=int, default=TRAINING.steps)
    given = parser.parse_args()
    torch.set_num_threads(1)  # the model is tiny
    measure = Measure()
    result: dict[str, Any] = {
        "real": measure.real(),
        "loss_by_frequency": measure.loss_by_frequency(),
        "frequencies": [],
        "rows": [],
    }
    for seed in given.seeds:
        result["frequencies"].append({"seed": seed} | measure.frequencies(seed))
    print(result, flush=True)
    for name in given.variants:
        for seed in given.seeds:
            found = run(name, seed, given.steps, measure)
            result["rows"].append({"variant": name, "seed": seed} | found)
            print(result["rows"][-1], flush=True)
            save("drawing", result)


class Measure:
    """All that drawn digits are held against; it is the same for every model."""

    def __init__(self) -> None:
        """Learn the codebook and the judges, from training digits alone."""
        self.learn, self.valid, self.test = load_digits()
        images, labels = self.learn.images, self.learn.labels
        self.book = Codebook.learn(images, CODES, PATCH)
        self.judge = learn_judge(self.learn, seed=99)
        self.neighbours = KNeighborsClassifier(3)
        self.neighbours.fit(images.flatten(1).numpy(), labels.numpy())
        luck = torch.Generator().manual_seed(99)
        copies = [distort(images, Distortion(), luck) for _ in range(COPIES)]
        quantise = self.book.quantise
        self.known, self.real_ones = quantise(images), quantise(self.test.images)
        self.copies = torch.cat([self.known, quantise(torch.cat(copies))])
        self.median = nearest(self.real_ones, self.known)[0].median()
        self.median_copies = nearest(self.real_ones, self.copies)[0].median()

    def of(self, images: torch.Tensor, labels: torch.Tensor) -> dict[str, float]:
        """Measure images, in percent; but the spread, which is a distance."""
        found = nearest(images, self.known)[0]
        to_copies = nearest(images, self.copies)[0]
        by_neighbours = self.neighbours.predict(images.flatten(1).numpy())
        return {
            "agreement": percent(self.judge(images) == labels),
            "by_neighbours": percent(torch.from_numpy(by_neighbours) == labels),
            "near": percent(found < self.median),
            "near_distorted": percent(to_copies < self.median_copies),
            "copies": percent(found == 0),
            "spread": round(spread(images, labels), 3),
        }

    def of_drawn(self, images: torch.Tensor) -> dict[str, float]:
        """Measure drawn images, also whether they can be told from real ones."""
        return self.of(images, wanted()) | self.told(images)

    def told(self, images: torch.Tensor) -> dict[str, float]:
        """Tell as many images as there are test digits apart from these."""
        few = images[: len(self.real_ones)]
        return {"told_apart": round(100 * told_apart(few, self.real_ones), 2)}

    def real(self) -> dict[str, dict[str, float]]:
        """Measure real digits: those of the test, whole and quantised, and others."""
        labels, apart = self.test.labels, spread(self.known, self.learn.labels)
        return {
            "test": self.of(self.test.images, labels),
            "test, quantised": self.of(self.real_ones, labels),
            "train, quantised": {"spread": round(apart, 3)} | self.told(self.known),
        }

    def frequencies(self, seed: int) -> dict[str, float]:
        """Measure what is drawn without a model."""
        luck = torch.Generator().manual_seed(seed)
        shown = self.book.encode(self.learn.images), self.learn.labels
        codes = draw_by_frequency(*shown, wanted(), luck)
        return self.of_drawn(self.book.decode(codes, SIDE, SIDE))

    def loss_by_frequency(self) -> float:
        """Give the loss of frequencies on digits to validate on; each code once more.

        A code that was never seen would cost infinitely much.
        """
        shown, valid = (self.book.encode(d.images) for d in (self.learn, self.valid))
        counts = torch.ones(KINDS, shown.shape[1], len(self.book))
        for label, codes in zip(self.learn.labels, shown, strict=True):
            counts[label, torch.arange(len(codes)), codes] += 1
        logs = counts.log() - counts.sum(dim=-1, keepdim=True).log()
        rows = logs[self.valid.labels]  # (batch, places, codes)
        return round(-rows.gather(2, valid[:, :, None]).mean().item(), 4)


@dataclass(frozen=True)
class Reordered:
    """The same codes, in another order."""

    batches: CodeBatches
    order: torch.Tensor

    def epoch(self, seed: int | str = 0, start: int = 0) -> Iterator[CodeBatch]:
        """Yield every digit once, from batch number `start` on."""
        for batch in self.batches.epoch(seed, start):
            yield CodeBatch(batch.codes[:, self.order], batch.labels)

    def fingerprint(self) -> str:
        """Tell these batches from others."""
        return f"{self.batches.fingerprint()}, order {self.order.tolist()}"


def run(name: str, seed: int, steps: int, measure: Measure) -> dict[str, Any]:
    """Train one variant from one seed, and measure what it draws."""
    order = torch.arange((SIDE // PATCH) ** 2)
    if name == "another order":
        luck = torch.Generator().manual_seed(seed)
        order = order[torch.randperm(len(order), generator=luck)]
    data = Reordered(
        drawing_batches(measure.learn, measure.book, **VARIANTS[name]), order
    )
    seed_everything(seed)
    model = ImageGPT(drawing_config(measure.book))
    start = time.process_time()
    losses = train(model, data, replace(TRAINING, seed=seed, steps=steps))
    seconds = time.process_time() - start
    own = [(TEMPERATURE, 1.0), (TEMPERATURE, GUIDANCE)]
    how = TRIED if name == "the recipe" else own
    return {
        "cpu_seconds": round(seconds, 1),
        "loss": round(sum(losses[-100:]) / len(losses[-100:]), 4),
        "loss_train": loss_of(model, measure.learn, measure.book, order),
        "loss_valid": loss_of(model, measure.valid, measure.book, order),
        "drawn": [
            {"temperature": temperature, "guidance": guidance}
            | drawn(model, temperature, guidance, seed, order, measure)
            for temperature, guidance in how
        ],
    }


def drawn(
    model: ImageGPT,
    temperature: float,
    guidance: float,
    seed: int,
    order: torch.Tensor,
    measure: Measure,
) -> dict[str, float]:
    """Measure the digits that a model draws."""
    luck = torch.Generator().manual_seed(seed)
    codes = model.draw(wanted(), temperature, guidance, luck)
    return measure.of_drawn(measure.book.decode(codes[:, order.argsort()], SIDE, SIDE))


@torch.inference_mode()
def loss_of(
    model: ImageGPT, digits: Digits, book: Codebook, order: torch.Tensor
) -> float:
    """Average the loss over digits that aren't distorted, labels given."""
    codes = book.encode(digits.images)[:, order]
    return round(model.eval().loss(CodeBatch(codes, digits.labels)).item(), 4)


def wanted() -> torch.Tensor:
    """Ask for every digit equally often."""
    return torch.arange(SAMPLES) % KINDS


def percent(found: torch.Tensor) -> float:
    """Give the share of those found."""
    return round(100 * found.float().mean().item(), 2)


if __name__ == "__main__":
    main()
