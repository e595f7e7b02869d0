"""How often a verdict is right, and how far a sample of that size can be trusted."""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


@dataclass(frozen=True)
class Accuracy:
    """How many of `count` verdicts are right."""

    right: int
    count: int

    @property
    def share(self) -> float:
        """Give the share of right verdicts, from 0 to 1."""
        return self.right / self.count

    @property
    def interval(self) -> tuple[float, float]:
        """Give Wilson's 95 % interval of the share.

        It answers for the sample of images alone, not for another training.
        """
        from scipy.stats import binomtest

        found = binomtest(self.right, self.count).proportion_ci(method="wilson")
        return float(found.low), float(found.high)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.share:.1%} ({low:.1%} to {high:.1%})"


def accuracy(found: Int[Tensor, " n"], wanted: Int[Tensor, " n"]) -> Accuracy:
    """Count the labels that are as wanted.

    Raises:
        ValueError: there is nothing to count, or not as many of both.
    """
    if not len(found) or len(found) != len(wanted):
        raise ValueError(
            f"accuracy: {len(found)} labels found, {len(wanted)} wanted; give as many "
            "of both, and at least one."
        )
    return Accuracy(int((found == wanted).sum()), len(wanted))


@torch.inference_mode()
def classify(
    model: nn.Module, images: Float[Tensor, "n channels height width"], rows: int = 256
) -> Int[Tensor, " n"]:
    """Name the kind with the highest logit for each image, `rows` at a time."""
    model.eval()
    return torch.cat([model(part).argmax(dim=-1) for part in images.split(rows)])
