"""Images as rows of patches, and back: what makes a sentence of a picture."""

from jaxtyping import Float
from torch import Tensor


def patchify(
    images: Float[Tensor, "*batch channels height width"],
    size: int,
    stride: int | None = None,
) -> Float[Tensor, "*batch patches numbers"]:
    """Cut images into square patches, row by row from the top left.

    A patch has channels · size · size numbers, channel by channel. `stride` is the way
    from a patch to the next; left out, it is `size`, and none overlap.

    Raises:
        ValueError: the patches don't cover the image, or cover it with gaps.
    Source: Dosovitskiy et al. 2021, section 3.1.
    """
    stride = size if stride is None else stride
    rows, columns = grid_of(images.shape[-2], images.shape[-1], size, stride)
    cut = images.unfold(-2, size, stride).unfold(-2, size, stride)
    # (..., channels, rows, columns, size, size): the channels go behind the place.
    placed = cut.movedim(-5, -3)
    return placed.reshape(*images.shape[:-3], rows * columns, -1)


def unpatchify(
    patches: Float[Tensor, "*batch patches numbers"], height: int, width: int, size: int
) -> Float[Tensor, "*batch channels height width"]:
    """Put patches that don't overlap together again.

    Raises:
        ValueError: they aren't those of an image of this height and width.
    """
    rows, columns = grid_of(height, width, size, size)
    *batch, count, numbers = patches.shape
    if count != rows * columns or numbers % (size * size):
        raise ValueError(
            f"unpatchify: {count} patches of {numbers} numbers; an image of {height} × "
            f"{width} in patches of {size} × {size} has {rows * columns}, of "
            f"{size * size} numbers a channel."
        )
    placed = patches.reshape(*batch, rows, columns, -1, size, size)
    # (..., channels, rows, size, columns, size)
    return placed.movedim(-3, -5).movedim(-3, -2).reshape(*batch, -1, height, width)


def grid_of(height: int, width: int, size: int, stride: int) -> tuple[int, int]:
    """Count the rows and columns of patches.

    Raises:
        ValueError: the patches don't cover the image, or cover it with gaps.
    """
    fits = (height - size) % stride == (width - size) % stride == 0 if stride else False
    if not 1 <= stride <= size <= min(height, width) or not fits:
        raise ValueError(
            f"patches: {size} × {size} in steps of {stride} don't cover an image of "
            f"{height} × {width} evenly; choose sizes that do."
        )
    return (height - size) // stride + 1, (width - size) // stride + 1
