"""How well boxes with labels were found: average precision, false alarms, misses."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from tt_utils.data.scenes import EMPTY, SceneBatch
from tt_utils.models.detector import Detections
from tt_utils.models.matching import iou


@dataclass(frozen=True)
class Counts:
    """Found boxes counted: right ones, false alarms, and the objects that were missed.

    `duplicates` are those false alarms whose object another box has found already.
    """

    right: int
    false_alarms: int
    missed: int
    duplicates: int


def judge(
    found: Detections,
    boxes: Float[Tensor, "most 4"],
    labels: Int[Tensor, " most"],
    least: float,
) -> tuple[Bool[Tensor, " found"], Bool[Tensor, " found"]]:
    """Say of each box, the surest first, if it is right, and if it is a duplicate.

    The surest goes first, and takes the true box of its label that it overlaps most,
    if their IoU is `least` or more and no surer box has taken it.
    """
    ious = iou(found.boxes, boxes.to(found.boxes.dtype))
    shared = ious.where(found.labels[:, None] == labels, -1.0).numpy()
    right, duplicate = np.zeros((2, len(found.labels)), dtype=bool)
    taken = np.zeros(len(labels), dtype=bool)
    for i in found.scores.argsort(descending=True, stable=True).tolist():
        fits = shared[i] >= least
        free = fits & ~taken
        if free.any():
            right[i] = True
            taken[np.where(free, shared[i], -1).argmax()] = True
        else:
            duplicate[i] = fits.any()
    return torch.from_numpy(right), torch.from_numpy(duplicate)


def average_precision(
    found: Sequence[Detections], scenes: SceneBatch, least: float = 0.5
) -> float:
    """Average the precision over all recalls, then over the labels that occur.

    All boxes of a label, the surest first, are right or wrong as `judge` says. After
    each, precision is the share of right ones so far, recall the share of the label's
    true boxes that they are; the precision at a recall is the best at this one or a
    higher (all-point interpolation). `least` is the IoU that is asked for: 0.5 gives
    AP50. Boxes below a threshold aren't seen here, so give all.

    Raises:
        ValueError: there are not as many results as scenes, or nothing to find.
    Source: Everingham et al. 2010, with all points, as since 2010.
    """
    check(found, scenes)
    labels = torch.cat([each.labels for each in found]).numpy()
    scores = torch.cat([each.scores for each in found]).numpy()
    pairs = zip(found, scenes.boxes, scenes.labels, strict=True)
    right = torch.cat([judge(*each, least)[0] for each in pairs]).numpy()
    true = scenes.labels[scenes.labels != EMPTY].numpy()
    precisions = []
    for label in np.unique(true):
        mine = labels == label
        order = np.argsort(-scores[mine], kind="stable")
        hits = right[mine][order]
        precision = hits.cumsum() / np.arange(1, len(hits) + 1)
        best = np.maximum.accumulate(precision[::-1])[::-1]
        precisions.append(best[hits].sum() / (true == label).sum())
    return float(np.mean(precisions))


def count(
    found: Sequence[Detections],
    scenes: SceneBatch,
    threshold: float = 0.5,
    least: float = 0.5,
) -> Counts:
    """Count what boxes with a score above `threshold` get right and wrong.

    Raises:
        ValueError: there are not as many results as scenes, or nothing to find.
    """
    check(found, scenes)
    right = alarms = duplicates = 0
    for each, boxes, labels in zip(found, scenes.boxes, scenes.labels, strict=True):
        sure = each.scores > threshold
        kept = Detections(each.boxes[sure], each.labels[sure], each.scores[sure])
        good, again = judge(kept, boxes, labels, least)
        right += int(good.sum())
        alarms += int((~good).sum())
        duplicates += int(again.sum())
    wanted = int((scenes.labels != EMPTY).sum())
    return Counts(right, alarms, wanted - right, duplicates)


def check(found: Sequence[Detections], scenes: SceneBatch) -> None:
    """Refuse results that don't belong to the scenes.

    Raises:
        ValueError: there are not as many results as scenes, or nothing to find.
    """
    if len(found) != len(scenes.labels):
        raise ValueError(
            f"boxes: {len(found)} results for {len(scenes.labels)} scenes; give one "
            "for each."
        )
    if not (scenes.labels != EMPTY).any():
        raise ValueError("boxes: the scenes show nothing, so nothing can be found.")


def without_duplicates(found: Detections, most: float = 0.5) -> Detections:
    """Drop each box that overlaps a surer one by more than `most` IoU.

    That is non-maximum suppression, over all labels together.
    """
    near = iou(found.boxes, found.boxes) > most
    dropped = torch.zeros(len(found.scores), dtype=torch.bool)
    kept: list[int] = []
    for i in found.scores.argsort(descending=True, stable=True).tolist():
        if not dropped[i]:
            kept.append(i)
            dropped |= near[i]
    chosen = torch.tensor(kept, dtype=torch.long)
    return Detections(found.boxes[chosen], found.labels[chosen], found.scores[chosen])
