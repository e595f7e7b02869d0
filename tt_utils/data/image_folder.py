"""A reader's own images: a folder with one folder for each kind."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from tt_utils.data.examples import ImageBatch

MODES = {1: "L", 3: "RGB"}  # by the number of channels
ENDINGS = frozenset((".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp"))

LabelledImage = tuple[Float[Tensor, "channels side side"], int]


class ImageFolderError(Exception):
    """A folder of images that can't be used, and why."""


def load_folder(
    folder: Path | str, side: int, channels: int = 1
) -> tuple[list[LabelledImage], list[str]]:
    """Read square images, shrunk or enlarged to `side`, and the names of their kinds.

    The folders in `folder`, in the order of their names, are the kinds; an image's
    label is the number of its own. Numbers run from 0 to 1, black to white; `channels`
    is 1 for grey, 3 for colour.

    Raises:
        ImageFolderError: there are no images, one can't be read, is not square, or is
            neither grey nor in colours without transparency.
        ValueError: a side below 1, or another number of channels.
    """
    if channels not in MODES or side < 1:
        raise ValueError(
            f"load_folder: side={side}, channels={channels}; a side is at least 1, "
            "channels are 1 or 3."
        )
    folder = Path(folder)
    found = sorted(
        path for path in folder.glob("*/*") if path.suffix.lower() in ENDINGS
    )
    if not found:
        raise ImageFolderError(
            f"load_folder: {folder} has no images; it needs a folder for each kind, "
            f"with files that end in {', '.join(sorted(ENDINGS))}."
        )
    kinds = sorted({path.parent.name for path in found})
    images = [read_image(path, side, MODES[channels]) for path in found]
    labels = [kinds.index(path.parent.name) for path in found]
    return list(zip(images, labels, strict=True)), kinds


def read_image(path: Path, side: int, mode: str) -> Float[Tensor, "channels side side"]:
    """Read one square image.

    Raises:
        ImageFolderError: as for `load_folder`.
    """
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(path) as image:
            image.load()
    except (OSError, UnidentifiedImageError) as error:
        raise ImageFolderError(
            f"load_folder: {path} is not an image that can be read; take it away or "
            "save it anew."
        ) from error
    width, height = image.size
    if width != height:
        raise ImageFolderError(
            f"load_folder: {path} is {width} × {height}; crop it to a square."
        )
    if image.mode not in MODES.values():
        raise ImageFolderError(
            f"load_folder: {path} has the mode {image.mode}; save it as grey (L) or "
            "in colours without transparency (RGB), with 8 bits per channel."
        )
    fitted = image.convert(mode).resize((side, side), Image.Resampling.BOX)
    numbers = torch.from_numpy(np.array(fitted)).float() / 255
    return numbers.view(side, side, -1).permute(2, 0, 1).contiguous()


def image_batch(examples: Sequence[LabelledImage]) -> ImageBatch:
    """Make one batch of labelled images; `ExampleBatches` takes it as its `collate`."""
    images, labels = zip(*examples, strict=True)
    return ImageBatch(torch.stack(images), torch.tensor(labels))
