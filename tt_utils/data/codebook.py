"""Images as rows of codes: each patch becomes the number of the centre nearest to it.

The centres are found by k-means, written out here because it is five lines that the
chapter shows; scikit-learn's does the same faster, from better first centres.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from tt_utils.blocks.patches import patchify, unpatchify
from tt_utils.data.digits import KINDS, DigitBatches, seed_of
from tt_utils.data.examples import RowBatch

Images = Float[Tensor, "batch channels height width"]
Centres = Float[Tensor, "codes numbers"]
Codes = Int[Tensor, "batch patches"]


def nearest_centre(
    points: Float[Tensor, "*batch numbers"], centres: Centres
) -> Int[Tensor, "*batch"]:
    """Give the number of the centre nearest to each point; the first, if two are."""
    exact = "donot_use_mm_for_euclid_dist"  # a centre has the distance 0 to itself
    found = torch.cdist(points.flatten(0, -2), centres, compute_mode=exact).argmin(1)
    return found.view(points.shape[:-1])


def kmeans(
    points: Float[Tensor, "points numbers"], centres: Centres, rounds: int
) -> Centres:
    """Move each centre to the mean of the points nearest to it, again and again.

    A centre without points stays where it is. Source: Lloyd 1982.
    """
    for _ in range(rounds):
        nearest = nearest_centre(points, centres)  # (points,)
        sums = torch.zeros_like(centres).index_add_(0, nearest, points)
        counts = nearest.bincount(minlength=len(centres))[:, None]  # (codes, 1)
        centres = torch.where(counts > 0, sums / counts.clamp(min=1), centres)
    return centres


@dataclass(frozen=True)
class Codebook:
    """Patches to build images of: `size` pixels wide, a centre each.

    Source: van den Oord et al. 2017 for images as codes. Differs from it: the centres
    are found by k-means, before and apart from the model, as Chen et al. 2020 do it
    for the colours of single pixels.
    """

    centres: Centres
    size: int

    def __len__(self) -> int:
        return len(self.centres)

    @classmethod
    def learn(
        cls, images: Images, n_codes: int, size: int, rounds: int = 30, seed: int = 0
    ) -> "Codebook":
        """Find centres for the patches of images, from some patches taken by chance.

        Raises:
            ValueError: there are fewer different patches than centres, or none wanted.
        """
        points = patchify(images, size).flatten(0, 1)  # (points, numbers)
        kinds = points.unique(dim=0)
        if not 1 <= n_codes <= len(kinds):
            raise ValueError(
                f"Codebook: {n_codes} codes of {len(kinds)} different patches; choose "
                "at least 1 and no more than there are."
            )
        luck = torch.Generator().manual_seed(seed)
        first = kinds[torch.randperm(len(kinds), generator=luck)[:n_codes]]
        return cls(kmeans(points, first, rounds), size)

    def encode(self, images: Images) -> Codes:
        """Write images as codes, row by row from the top left."""
        return nearest_centre(patchify(images, self.size), self.centres)

    def decode(self, codes: Codes, height: int, width: int) -> Images:
        """Put together the images that codes stand for.

        Raises:
            ValueError: a code isn't in the book, or they are too many or too few.
        """
        if codes.numel() and not 0 <= codes.min() <= codes.max() < len(self):
            raise ValueError(
                f"Codebook: codes run from {int(codes.min())} to {int(codes.max())}; "
                f"this book has those from 0 to {len(self) - 1}."
            )
        return unpatchify(self.centres[codes], height, width, self.size)

    def quantise(self, images: Images) -> Images:
        """Show what is left of images that were written as codes."""
        return self.decode(self.encode(images), *images.shape[-2:])


@dataclass(frozen=True)
class CodeBatch(RowBatch):
    """Images as codes, and what each shows; a prediction a code."""

    codes: Codes
    labels: Int[Tensor, " batch"]

    @property
    def weight(self) -> int:
        """Count the codes: the loss is an average over them."""
        return self.codes.numel()


@dataclass(frozen=True)
class CodeBatches:
    """Digits in batches as codes; a share of them is labelled `KINDS`, "any digit".

    What is dropped is chosen anew in every epoch, and so are the distortions.

    Raises:
        ValueError: the share isn't between 0 and 1.
    """

    digits: DigitBatches
    codebook: Codebook
    dropped: float = 0.1

    def __post_init__(self) -> None:
        if not 0 <= self.dropped <= 1:
            raise ValueError(
                f"CodeBatches: dropped is {self.dropped}; it is a share from 0 to 1."
            )

    def epoch(self, seed: int | str = 0, start: int = 0) -> Iterator[CodeBatch]:
        """Yield every digit once, from batch number `start` on."""
        luck = torch.Generator().manual_seed(seed_of(f"{seed}, dropped"))
        for number, batch in enumerate(self.digits.epoch(seed)):
            drop = torch.rand(len(batch.labels), generator=luck) < self.dropped
            if number >= start:
                labels = batch.labels.masked_fill(drop, KINDS)
                yield CodeBatch(self.codebook.encode(batch.images), labels)

    def fingerprint(self) -> str:
        """Tell these batches from others."""
        book = f"{len(self.codebook)} codes of {self.codebook.size} pixels"
        sums = float(self.codebook.centres.double().sum())
        return f"{self.digits.fingerprint()}; {book}, {sums}; {self.dropped} dropped"
