"""Scenes of several handwritten digits: what is in them, where, and pixel by pixel.

A scene is composed of real digits, each turned, scaled and slanted by itself. Training
scenes are made of the digits to learn from alone, test scenes of the test digits.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor

from tt_utils.data.digits import SIDE, Digits, Distortion, distort, seed_of
from tt_utils.data.examples import RowBatch

SCENE, MOST = 24, 4  # pixels of a side; digits in one scene
EMPTY = -1  # the label where a scene has fewer digits
INK = 0.2  # lighter pixels count as paper
ROOM = SIDE + 4  # a digit is distorted on this many pixels, so that none is cut
TRIES = 30  # places that are tried for a digit before it is left out
CHANGES = Distortion(turn=12.0, scale=0.25, slant=0.1, shift=0.0)

Boxes = Float[Tensor, "batch most 4"]


@dataclass(frozen=True)
class SceneBatch(RowBatch):
    """Scenes with what they show.

    A box is left, top, right, bottom as shares of the side, tight around the ink. A
    label is a digit, or −1 where there is no further one. `pixels` holds 0 for paper
    and digit + 1 for ink.
    """

    images: Float[Tensor, "batch 1 side side"]
    boxes: Boxes
    labels: Int[Tensor, "batch most"]
    pixels: Int[Tensor, "batch side side"]


def make_scenes(digits: Digits, count: int, seed: int | str = 0) -> SceneBatch:
    """Compose scenes of 1 to 4 digits whose boxes don't overlap.

    Raises:
        ValueError: there are no digits, or no scenes are asked for.
    """
    if not len(digits) or count < 1:
        raise ValueError(
            f"make_scenes: {count} scenes of {len(digits)} digits; give at least one "
            "of each."
        )
    luck = torch.Generator().manual_seed(seed_of(seed))
    wanted = torch.randint(1, MOST + 1, (count,), generator=luck)
    images = torch.zeros(count, SCENE, SCENE)
    pixels = torch.zeros(count, SCENE, SCENE, dtype=torch.long)
    corners = torch.zeros(count, MOST, 4, dtype=torch.long)
    labels = torch.full((count, MOST), EMPTY)
    for k in range(MOST):
        chosen = torch.randint(len(digits), (count,), generator=luck)
        margin = (ROOM - SIDE) // 2
        ink = F.pad(digits.images[chosen], (margin,) * 4)
        ink = distort(ink, CHANGES, luck)[:, 0]  # (count, ROOM, ROOM)
        tight = tight_boxes(ink > INK)
        places, free = find_places(tight, corners[:, :k], luck)
        rows = torch.nonzero(free & (wanted > k))[:, 0]
        draw(images, pixels, ink, digits.labels[chosen], tight, places, rows)
        moved = tight + (places - tight[:, :2]).repeat(1, 2)
        corners[rows, k] = moved[rows]
        labels[rows, k] = digits.labels[chosen[rows]]
    return SceneBatch(images[:, None], corners / SCENE, labels, pixels)


def tight_boxes(inked: Bool[Tensor, "batch side side"]) -> Int[Tensor, "batch 4"]:
    """Find the smallest left, top, right, bottom around all that is True.

    Right and bottom are the first column and row behind it.
    """
    across, down = inked.any(dim=1).byte(), inked.any(dim=2).byte()
    side = inked.shape[-1]
    ends = [
        across.argmax(dim=1),
        down.argmax(dim=1),
        side - across.flip(1).argmax(dim=1),
        side - down.flip(1).argmax(dim=1),
    ]
    return torch.stack(ends, dim=1)


def find_places(
    tight: Int[Tensor, "batch 4"],
    taken: Int[Tensor, "batch k 4"],
    luck: torch.Generator,
) -> tuple[Int[Tensor, "batch 2"], Bool[Tensor, " batch"]]:
    """Choose a left and top for each digit where it covers none, if one is found."""
    size = tight[:, 2:] - tight[:, :2]  # (batch, 2)
    chance = torch.rand(len(tight), TRIES, 2, generator=luck)
    start = (chance * (SCENE - size + 1)[:, None]).long()  # (batch, tries, 2)
    end = start + size[:, None]
    apart = (end[:, :, None] <= taken[:, None, :, :2]).any(-1)
    apart |= (start[:, :, None] >= taken[:, None, :, 2:]).any(-1)
    free = apart.all(-1)  # (batch, tries)
    first = free.byte().argmax(dim=1)
    return start[torch.arange(len(tight)), first], free.any(dim=1)


def draw(
    images: Float[Tensor, "batch side side"],
    pixels: Int[Tensor, "batch side side"],
    ink: Float[Tensor, "batch room room"],
    labels: Int[Tensor, " batch"],
    tight: Int[Tensor, "batch 4"],
    places: Int[Tensor, "batch 2"],
    rows: Int[Tensor, " rows"],
) -> None:
    """Put the inked part of each digit into the scenes of these rows, in place."""
    reach = torch.arange(ROOM)
    # Where pixel (y, x) of the room lies in the scene.
    moved = (places - tight[:, :2])[rows]
    x, y = moved[:, :1] + reach, moved[:, 1:] + reach  # (rows, ROOM)
    inside = ink[rows] > INK
    row, i, j = torch.nonzero(inside, as_tuple=True)
    at = rows[row], y[row, i], x[row, j]
    images[at] = ink[rows][inside]
    pixels[at] = labels[rows][row] + 1


@dataclass(frozen=True)
class SceneBatches:
    """Scenes in batches of `rows`, composed anew in every epoch of `batches`.

    Raises:
        ValueError: there are no digits, no rows in a batch, or no batches.
    """

    digits: Digits
    rows: int
    batches: int = 100

    def __post_init__(self) -> None:
        if not len(self.digits) or self.rows < 1 or self.batches < 1:
            raise ValueError(
                f"SceneBatches: {self.batches} batches of {self.rows} scenes of "
                f"{len(self.digits)} digits; give at least one of each."
            )

    def epoch(self, seed: int | str = 0, start: int = 0) -> Iterator[SceneBatch]:
        """Yield the batches from number `start` on; each has a seed of its own."""
        for number in range(start, self.batches):
            yield make_scenes(self.digits, self.rows, f"{seed} {number}")

    def fingerprint(self) -> str:
        """Tell these scenes from others."""
        ink = float(self.digits.images.double().sum())
        digits = f"{len(self.digits)} digits of {ink} ink"
        return f"scenes of {digits}, {self.rows} a batch, {self.batches} batches"
