"""Handwritten digits: scikit-learn's 1,797 real images of 8 × 8 grey pixels.

They come with scikit-learn; nothing is downloaded. 13 people wrote them, and neighbours
in the file look alike: so the last quarter in the file's order is the test, and nothing
is shuffled before. Source: Alpaydin and Kaynak 1998, the test set of their Optical
Recognition of Handwritten Digits.
"""

import math
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from tt_utils.data.examples import ImageBatch

SIDE, GREYS, KINDS = 8, 16, 10
TRAIN, VALID = 1_197, 150  # images in the file's order; the other 450 are the test

Images = Float[Tensor, "batch 1 8 8"]


@dataclass(frozen=True)
class Digits:
    """Images from 0 (paper) to 1 (ink), each with its digit."""

    images: Images
    labels: Int[Tensor, " batch"]

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, chosen: slice | Tensor) -> "Digits":
        return Digits(self.images[chosen], self.labels[chosen])

    def __add__(self, other: "Digits") -> "Digits":
        images = torch.cat([self.images, other.images])
        return Digits(images, torch.cat([self.labels, other.labels]))

    def batch(self) -> ImageBatch:
        """Give all as one batch."""
        return ImageBatch(self.images, self.labels)


def load_digits() -> tuple[Digits, Digits, Digits]:
    """Read the images to learn from, those to validate on, and the test."""
    from sklearn import datasets

    found = datasets.load_digits()
    images = torch.from_numpy(found.images).float()[:, None] / GREYS
    digits = Digits(images, torch.from_numpy(found.target))
    held = TRAIN + VALID
    return digits[:TRAIN], digits[TRAIN:held], digits[held:]


@dataclass(frozen=True)
class Distortion:
    """How far an image may be changed by chance, and still shows its digit.

    Turned by so many degrees, made larger or smaller by a share, slanted by a share of
    its height, and moved by so many pixels.
    """

    turn: float = 12.0
    scale: float = 0.12
    slant: float = 0.1
    shift: float = 0.7


def distort(
    images: Float[Tensor, "batch 1 side side"],
    how: Distortion,
    generator: torch.Generator | None = None,
) -> Float[Tensor, "batch 1 side side"]:
    """Change each image by itself, by chance."""
    rows = len(images)
    chance = torch.rand(rows, 5, generator=generator) * 2 - 1  # from -1 to 1
    angle = chance[:, 0] * math.radians(how.turn)
    size = 1 + chance[:, 1] * how.scale
    slant = chance[:, 2] * how.slant
    turn = torch.stack([angle.cos(), -angle.sin(), angle.sin(), angle.cos()], dim=1)
    lean = torch.eye(2).repeat(rows, 1, 1)
    lean[:, 0, 1] = slant
    matrix = turn.view(rows, 2, 2) @ lean / size[:, None, None]
    # An image reaches from -1 to 1, whatever its side.
    moved = chance[:, 3:] * how.shift * 2 / images.shape[-1]
    maps = torch.cat([matrix, moved[:, :, None]], dim=2)  # (batch, 2, 3)
    grid = F.affine_grid(maps, list(images.shape), align_corners=False)
    return F.grid_sample(images, grid, align_corners=False)


@dataclass(frozen=True)
class DigitBatches:
    """Digits in shuffled batches of `rows`, distorted anew in every epoch.

    Raises:
        ValueError: there are no digits, or no rows in a batch.
    """

    digits: Digits
    rows: int
    distortion: Distortion | None = None

    def __post_init__(self) -> None:
        if not len(self.digits) or self.rows < 1:
            raise ValueError(
                f"DigitBatches: {len(self.digits)} digits in batches of {self.rows}; "
                "give at least one of each."
            )

    def epoch(self, seed: int | str = 0, start: int = 0) -> Iterator[ImageBatch]:
        """Yield every digit once, from batch number `start` on."""
        luck = torch.Generator().manual_seed(seed_of(seed))
        order = torch.randperm(len(self.digits), generator=luck)
        for number, chosen in enumerate(order.split(self.rows)):
            found = self.digits[chosen]
            if self.distortion:
                images = distort(found.images, self.distortion, luck)
                found = Digits(images, found.labels)
            if number >= start:
                yield found.batch()

    def fingerprint(self) -> str:
        """Tell these batches from others."""
        ink = float(self.digits.images.double().sum())
        digits = f"{len(self.digits)} digits of {ink} ink"
        return f"{digits}, {self.rows} a batch, {self.distortion}"


def seed_of(seed: int | str) -> int:
    """Make a number of a seed that may be words."""
    return zlib.crc32(str(seed).encode())
