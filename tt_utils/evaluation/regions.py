"""How well a map of labels agrees with the truth: mean IoU and pixel accuracy."""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

Labels = Int[Tensor, "*batch height width"]


@dataclass(frozen=True)
class RegionScores:
    """What a count of confusions says, as shares from 0 to 1.

    `per_class` is each class's IoU, NaN for a class that is neither in the truth nor in
    the prediction; `mean_iou` is the mean of the others. `accuracy` is the share of all
    pixels whose label is right.
    """

    per_class: Float[Tensor, " classes"]
    mean_iou: float
    accuracy: float


def confusion(
    truth: Labels, predicted: Labels, classes: int
) -> Int[Tensor, "classes classes"]:
    """Count the pixels of each true class (rows) by the label they got (columns).

    Counts of several batches can be added.

    Raises:
        ValueError: the maps have different shapes, or a label isn't among the classes.
    """
    if truth.shape != predicted.shape:
        raise ValueError(
            f"confusion: the truth has shape {tuple(truth.shape)}, the prediction "
            f"{tuple(predicted.shape)}; compare the same pixels."
        )
    both = torch.stack([truth, predicted]).flatten(1)  # (2, pixels)
    if both.numel() and not 0 <= int(both.min()) <= int(both.max()) < classes:
        raise ValueError(
            f"confusion: labels from {int(both.min())} to {int(both.max())}; with "
            f"{classes} classes they go from 0 to {classes - 1}."
        )
    pairs = both[0] * classes + both[1]
    return pairs.bincount(minlength=classes**2).view(classes, classes)


def region_scores(count: Int[Tensor, "classes classes"]) -> RegionScores:
    """Score a count of confusions.

    The IoU (intersection over union, the Jaccard index) of a class is the number of
    its pixels that were found, divided by the number that belong to it or were given
    its label. All pixels of all images are counted together before dividing, as PASCAL
    VOC does it; a mean over images would be another number. A class that the truth
    lacks counts with IoU 0 as soon as one pixel gets its label; one that both lack is
    left out of the mean.

    Raises:
        ValueError: no pixel was counted.
    Source: Everingham et al. 2010.
    """
    pixels = count.sum()
    if not pixels:
        raise ValueError("region_scores: no pixel was counted; give at least one.")
    found = count.diagonal().double()
    union = count.sum(dim=0) + count.sum(dim=1) - found
    per_class = found / union  # 0/0 is NaN
    accuracy = found.sum() / pixels
    return RegionScores(per_class, per_class.nanmean().item(), accuracy.item())
