"""A loss without an order: found and true objects are matched before it is taken.

A box is left, top, right, bottom, along the last axis.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor

from tt_utils.data.scenes import EMPTY, SceneBatch

UNMATCHED = -1
L1_WEIGHT, GIOU_WEIGHT = 5.0, 2.0  # beside 1 for the label's cross-entropy
SURE_WEIGHT = 2.0  # of the label's probability, in the matching
Guess = Float[Tensor, "batch found 4"]


@dataclass(frozen=True)
class Outputs:
    """What each query says: logits of the labels, the last for "nothing", and a box.

    `guess` holds centre x and y, width and height, before a sigmoid makes shares of
    the image's side of them.
    """

    logits: Float[Tensor, "batch found kinds"]
    guess: Guess

    @property
    def boxes(self) -> Float[Tensor, "batch found 4"]:
        """Give left, top, right, bottom."""
        centre, size = self.guess.sigmoid().chunk(2, dim=-1)
        return torch.cat([centre - size / 2, centre + size / 2], dim=-1)


def area(boxes: Float[Tensor, "*batch 4"]) -> Float[Tensor, "*batch"]:
    """Give width times height; a box turned inside out has none."""
    return (boxes[..., 2:] - boxes[..., :2]).clamp(min=0).prod(dim=-1)


def iou(
    a: Float[Tensor, "*batch n 4"], b: Float[Tensor, "*batch m 4"]
) -> Float[Tensor, "*batch n m"]:
    """Share of each box of a with each of b: their intersection over their union.

    It is 1 for equal boxes, and 0 for boxes that are apart or empty.
    """
    both, union, _ = overlap(a, b)
    return both / union.clamp(min=1e-9)


def generalised_iou(
    a: Float[Tensor, "*batch n 4"], b: Float[Tensor, "*batch m 4"]
) -> Float[Tensor, "*batch n m"]:
    """IoU minus the share of the smallest box around both that neither covers.

    So boxes that are apart differ, too, by how far: it runs from −1 to 1.

    Source: Rezatofighi et al. 2019, algorithm 1.
    """
    both, union, around = overlap(a, b)
    return both / union.clamp(min=1e-9) - (around - union) / around.clamp(min=1e-9)


def overlap(
    a: Float[Tensor, "*batch n 4"], b: Float[Tensor, "*batch m 4"]
) -> tuple[
    Float[Tensor, "*batch n m"],
    Float[Tensor, "*batch n m"],
    Float[Tensor, "*batch n m"],
]:
    """Give the areas of intersection, union and smallest common box, pair by pair."""
    a, b = a[..., :, None, :], b[..., None, :, :]
    high, low = torch.maximum(a, b), torch.minimum(a, b)
    both = area(torch.cat([high[..., :2], low[..., 2:]], dim=-1))  # (…, n, m)
    around = area(torch.cat([low[..., :2], high[..., 2:]], dim=-1))
    return both, area(a) + area(b) - both, around


def match(
    cost: Float[Tensor, "batch found most"], wanted: Bool[Tensor, "batch most"]
) -> Int[Tensor, "batch most"]:
    """Give each wanted object one of the found, no two the same, as cheaply as can be.

    The sum of their costs is the smallest that any such choice has: the Hungarian
    algorithm finds it. Objects that aren't wanted get −1, and so do those that are
    left where fewer are found than wanted.

    Source: Kuhn 1955; Carion et al. 2020, equation 1.
    """
    from scipy.optimize import linear_sum_assignment

    chosen = torch.full(wanted.shape, UNMATCHED)
    costs, counts = cost.detach().double().cpu().numpy(), wanted.cpu().numpy()
    for row, (numbers, present) in enumerate(zip(costs, counts, strict=True)):
        columns = present.nonzero()[0]
        found, place = linear_sum_assignment(numbers[:, columns])
        chosen[row, columns[place]] = torch.from_numpy(found)
    return chosen.to(cost.device)


def matching_cost(
    outputs: Outputs, batch: SceneBatch
) -> Float[Tensor, "batch found most"]:
    """Say how badly each output fits each object: label, distance and overlap.

    Source: Carion et al. 2020, section 3.1 and appendix A.2. Differs from DETR: the
    distance is that of the edges, not of centre and size; the label's probability
    counts twice as much, as in Zhu et al. 2021.
    """
    labels = batch.labels.clamp(min=0)[:, None]  # (batch, 1, most)
    sure = outputs.logits.softmax(dim=-1)
    sure = sure.take_along_dim(labels.expand(-1, sure.shape[1], -1), dim=-1)
    far = torch.cdist(outputs.boxes, batch.boxes.to(sure.dtype), p=1)
    shared = generalised_iou(outputs.boxes, batch.boxes.to(sure.dtype))
    return L1_WEIGHT * far + GIOU_WEIGHT * (1 - shared) - SURE_WEIGHT * sure


def set_loss(
    outputs: Outputs,
    batch: SceneBatch,
    nothing_weight: float,
    label_smoothing: float = 0.0,
) -> Float[Tensor, " batch"]:
    """Match outputs and objects, then ask each output for its object, or for nothing.

    Gives a number for each scene: the cross-entropy of all labels, L1 distance and
    generalised IoU of the matched boxes, added up and divided by the places that a
    scene has for objects. The order of the objects doesn't matter, nor that of the
    outputs.
    """
    with torch.no_grad():
        cost = matching_cost(outputs, batch)
    chosen = match(cost, batch.labels != EMPTY)  # (batch, most)
    matched = chosen != UNMATCHED
    row, place = torch.nonzero(matched, as_tuple=True)
    column = chosen[row, place]

    nothing = outputs.logits.shape[-1] - 1
    wanted = torch.full(outputs.logits.shape[:2], nothing, device=chosen.device)
    wanted[row, column] = batch.labels[row, place]
    weights = outputs.logits.new_ones(nothing + 1)
    weights[nothing] = nothing_weight
    label = F.cross_entropy(
        outputs.logits.mT,
        wanted,
        weight=weights,
        reduction="none",
        label_smoothing=label_smoothing,
    ).sum(dim=1)  # (batch,)

    found = outputs.boxes[row, column]
    true = batch.boxes[row, place].to(found.dtype)
    far = (found - true).abs().sum(dim=-1)
    shared = generalised_iou(found[:, None], true[:, None])[:, 0, 0]
    box = L1_WEIGHT * far + GIOU_WEIGHT * (1 - shared)
    return label.index_add(0, row, box) / batch.labels.shape[1]
