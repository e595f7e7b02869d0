"""Images cut into patches and put together again."""

import pytest
import torch

from tt_utils.blocks.patches import patchify, unpatchify

BATCH, CHANNELS, SIZE, ROWS, COLUMNS = 2, 3, 5, 7, 11
HEIGHT, WIDTH = ROWS * SIZE, COLUMNS * SIZE


def images(height=HEIGHT, width=WIDTH):
    shape = BATCH, CHANNELS, height, width
    return torch.arange(torch.Size(shape).numel(), dtype=torch.float32).view(shape)


def test_a_patch_holds_the_numbers_of_its_place_channel_by_channel():
    found = patchify(images(), SIZE)
    assert found.shape == (BATCH, ROWS * COLUMNS, CHANNELS * SIZE * SIZE)
    for row in range(ROWS):
        for column in range(COLUMNS):
            down = slice(row * SIZE, (row + 1) * SIZE)
            across = slice(column * SIZE, (column + 1) * SIZE)
            patch = images()[:, :, down, across].flatten(1)
            assert torch.equal(found[:, row * COLUMNS + column], patch)


def test_patches_put_together_are_the_image():
    found = unpatchify(patchify(images(), SIZE), HEIGHT, WIDTH, SIZE)
    assert torch.equal(found, images())


def test_any_number_of_axes_may_stand_before_an_image():
    for shape in ((), (BATCH,), (BATCH, 13)):
        image = torch.randn(*shape, CHANNELS, HEIGHT, WIDTH)
        again = unpatchify(patchify(image, SIZE), HEIGHT, WIDTH, SIZE)
        assert torch.equal(again, image)


def test_patches_may_overlap():
    stride, height, width = 2, 5 + 2 * 3, 5 + 2 * 6
    found = patchify(images(height, width), SIZE, stride)
    assert found.shape == (BATCH, 4 * 7, CHANNELS * SIZE * SIZE)
    row, column = 3, 2
    down = slice(row * stride, row * stride + SIZE)
    across = slice(column * stride, column * stride + SIZE)
    patch = images(height, width)[:, :, down, across].flatten(1)
    assert torch.equal(found[:, row * 7 + column], patch)


@pytest.mark.parametrize(
    ("size", "stride"), [(4, None), (5, 3), (5, 6), (5, 0), (0, None), (36, None)]
)
def test_patches_that_do_not_cover_the_image_are_refused(size, stride):
    with pytest.raises(ValueError, match="don't cover an image of 35 × 55 evenly"):
        patchify(images(), size, stride)


@pytest.mark.parametrize(
    "shape", [(BATCH, ROWS * COLUMNS + 1, 75), (BATCH, ROWS * COLUMNS, 76)]
)
def test_patches_of_another_image_are_refused(shape):
    with pytest.raises(ValueError, match="an image of 35 × 55 in patches of 5 × 5 has"):
        unpatchify(torch.zeros(shape), HEIGHT, WIDTH, SIZE)
