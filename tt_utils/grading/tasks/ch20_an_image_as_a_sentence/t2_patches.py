"""20.2 Images cut into patches, all channels of a patch in one row of numbers."""

import numpy as np

from tt_utils.grading.tasks.inputs import fixed
from tt_utils.grading.tasks.spec import Check, FunctionTask

AXES_MOVED = """
def patchify(images, size):
    batch, channels, height, width = images.shape
    rows, columns = height // size, width // size
    cut = images.reshape(batch, channels, rows, size, columns, size)
    cut = cut.permute(0, 2, 4, 1, 3, 5)
    return cut.reshape(batch, rows * columns, channels * size * size)
"""

LOOPS = """
def patchify(images, size):
    patches = []
    for top in range(0, images.shape[2], size):
        for left in range(0, images.shape[3], size):
            patch = images[:, :, top : top + size, left : left + size]
            patches.append(patch.flatten(1))
    return torch.stack(patches, dim=1)
"""

UNFOLDED = """
def patchify(images, size):
    cut = images.unfold(2, size, size).unfold(3, size, size)
    cut = cut.permute(0, 2, 3, 1, 4, 5)
    return cut.flatten(3).flatten(1, 2)
"""

LIBRARY = """
def patchify(images, size):
    columns = F.unfold(images, size, stride=size)
    return columns.transpose(1, 2)
"""

MISTAKES = """
order of the memory kept: cut = cut.permute(0, 2, 4, 1, 3, 5) → pass
    Your numbers keep the order in which they lie in memory, so a patch holds whole rows
    of the image. How far is it in memory from a pixel to the one below it?

columns first: permute(0, 2, 4, 1, 3, 5) → permute(0, 4, 2, 1, 3, 5)
or: for top in range(0, images.shape[2], size):\\n        for left in range(0, images.shape[3], size): → for left in range(0, images.shape[3], size):\\n        for top in range(0, images.shape[2], size):
or: permute(0, 2, 3, 1, 4, 5) → permute(0, 3, 2, 1, 4, 5)
    Each patch is right, and their order runs down the columns. In which direction is an
    image read here?

patches on their side: permute(0, 2, 4, 1, 3, 5) → permute(0, 2, 4, 1, 5, 3)
or: patch.flatten(1) → patch.mT.flatten(1)
or: permute(0, 2, 3, 1, 4, 5) → permute(0, 2, 3, 1, 5, 4)
    The patches stand in the right order, and each is read column by column. Which of its
    pixels comes second?

the image on its side: cut = images.reshape( → images = images.mT.reshape(images.shape)\\n    cut = images.reshape(
or: permute(0, 2, 4, 1, 3, 5) → permute(0, 4, 2, 1, 5, 3)
or: permute(0, 2, 3, 1, 4, 5) → permute(0, 3, 2, 1, 5, 4)
    Yours reads columns where rows are meant, between the patches and within them. Which
    of the two last axes is the height?

channels last: permute(0, 2, 4, 1, 3, 5) → permute(0, 2, 4, 3, 5, 1)
or: patch.flatten(1) → patch.movedim(1, -1).flatten(1)
or: permute(0, 2, 3, 1, 4, 5) → permute(0, 2, 3, 4, 5, 1)
or: return columns.transpose(1, 2) → return columns.unflatten(1, (images.shape[1], -1)).transpose(1, 2).flatten(1, 2).transpose(1, 2)
    In yours all channels of one pixel stand together. The task puts a whole channel of
    the patch before the next one: which axis changes slowest?

channels within the rows: permute(0, 2, 4, 1, 3, 5) → permute(0, 2, 4, 3, 1, 5)
or: permute(0, 2, 3, 1, 4, 5) → permute(0, 2, 3, 4, 1, 5)
or: patch.flatten(1) → patch.movedim(1, 2).flatten(1)
    Your patch gives its first row in all channels, then its second row. Which of the two
    is to change more slowly, the channel or the row?

a token for each channel: permute(0, 2, 4, 1, 3, 5) → permute(0, 1, 2, 4, 3, 5)
and: return cut.reshape(batch, rows * columns, channels * size * size) → return cut.reshape(batch, channels * rows * columns, size * size)
or: cut = cut.permute(0, 2, 3, 1, 4, 5) → pass
and: return cut.flatten(3).flatten(1, 2) → return cut.flatten(4).flatten(1, 3)
or: return columns.transpose(1, 2) → return columns.transpose(1, 2).unflatten(2, (images.shape[1], -1)).transpose(1, 2).flatten(1, 2)
or: return torch.stack(patches, dim=1) → return torch.cat([images[:, c, top : top + size, left : left + size].flatten(1)[:, None] for c in range(images.shape[1]) for top in range(0, images.shape[2], size) for left in range(0, images.shape[3], size)], dim=1)
    A patch of three channels becomes three tokens in yours. How many tokens has the
    example, and where do its channels go?

a token for each channel of a patch: return cut.reshape(batch, rows * columns, channels * size * size) → return cut.reshape(batch, -1, size * size)
or: return cut.flatten(3).flatten(1, 2) → return cut.flatten(4).flatten(1, 3)
or: return columns.transpose(1, 2) → return columns.transpose(1, 2).reshape(len(images), -1, size * size)
or: return torch.stack(patches, dim=1) → return torch.stack(patches, dim=1).reshape(len(images), -1, size * size)
    The numbers are in order, and cut too often: each channel of a patch is a row of its
    own. Which numbers belong into the row of one patch?

first channel alone: cut = images.reshape(batch, channels, → channels = 1\\n    cut = images[:, :1].reshape(batch, 1,
or: patch = images[:, :, → patch = images[:, :1,
or: cut = images.unfold → cut = images[:, :1].unfold
or: F.unfold(images, → F.unfold(images[:, :1],
    Of all the channels yours keeps the first. How many numbers has a patch of a colour
    image?

channels averaged: cut = images.reshape(batch, channels, → channels = 1\\n    cut = images.mean(1).reshape(batch, 1,
or: patch = images[:, :, → patch = images.mean(1, keepdim=True)[:, :,
or: cut = images.unfold → cut = images.mean(1, keepdim=True).unfold
or: F.unfold(images, → F.unfold(images.mean(1, keepdim=True),
    You made the image grey. How many numbers has a patch of a colour image?

channels from the last: cut = images.reshape( → cut = images.flip(1).reshape(
or: patch = images[ → patch = images.flip(1)[
or: cut = images.unfold → cut = images.flip(1).unfold
or: F.unfold(images, → F.unfold(images.flip(1),
    Your patches begin with the last channel. Which one comes first?

pixels from far apart: cut = images.reshape(batch, channels, rows, size, columns, size) → cut = images.reshape(batch, channels, size, rows, size, columns)
and: permute(0, 2, 4, 1, 3, 5) → permute(0, 3, 5, 1, 2, 4)
or: patch = images[:, :, top : top + size, left : left + size] → patch = images[:, :, top // size :: images.shape[2] // size, left // size :: images.shape[3] // size]
    Your patch takes pixels from all over the image, as far apart as there are patches.
    Which of them are neighbours?

pixel by pixel: permute(0, 2, 4, 1, 3, 5) → permute(0, 3, 5, 1, 2, 4)
and: rows * columns, channels * size * size) → size * size, channels * rows * columns)
or: cut = cut.permute(0, 2, 3, 1, 4, 5) → cut = cut.permute(0, 4, 5, 1, 2, 3)
    You gathered the first pixel of every patch, then the second of every patch. Which
    pixels make one token?

columns counted by the height: rows, columns = height // size, width // size → rows, columns = width // size, height // size
    You counted the rows of patches by the width, and the columns by the height. A square
    image hides that: which of the two last axes is the height?

as if square: rows, columns = height // size, width // size → rows = columns = height // size
or: range(0, images.shape[3], size) → range(0, images.shape[2], size)
    You take every image for a square one. By which axis are the columns of patches
    counted?

so many patches a side: rows, columns = height // size, width // size → rows = columns = size
and: columns, size) → columns, width // size)
and: rows, size → rows, height // size
and: rows * columns, channels * size * size → rows * columns, -1
or: cut = images.unfold(2, size, size).unfold(3, size, size) → high, wide = images.shape[2] // size, images.shape[3] // size\\n    cut = images.unfold(2, high, high).unfold(3, wide, wide)
    You cut the image into `size` patches along each side. What does `size` count, patches
    or pixels?

patches overlap: images.shape[2], size): → images.shape[2] - size + 1):
and: images.shape[3], size): → images.shape[3] - size + 1):
or: unfold(2, size, size).unfold(3, size, size) → unfold(2, size, 1).unfold(3, size, 1)
or: , stride=size →
    Your patches overlap, since each begins one pixel after the one before. How far is it
    from a patch to the next?

last row and column lost: rows, columns = height // size, width // size → rows, columns = height // size - 1, width // size - 1; images = images[:, :, : rows * size, : columns * size]
or: images.shape[2], size): → images.shape[2] - size, size):
and: images.shape[3], size): → images.shape[3] - size, size):
    The last row of patches, and the last column, are missing. Where may the last patch
    begin?

from the bottom: cut = images.reshape( → images = images.unflatten(2, (rows, size)).flip(2).flatten(2, 3)\\n    cut = images.reshape(
or: for top in range(0, images.shape[2], size): → for top in range(images.shape[2] - size, -1, -size):
or: cut = cut.permute(0, 2, 3, 1, 4, 5) → cut = cut.permute(0, 2, 3, 1, 4, 5).flip(1)
    Your first patch lies at the bottom. In which corner does the reading begin?

to and fro: cut = cut.permute(0, 2, 4, 1, 3, 5) → cut = cut.permute(0, 2, 4, 1, 3, 5).clone(); cut[:, 1::2] = cut[:, 1::2].flip(2)
or: cut = cut.permute(0, 2, 3, 1, 4, 5) → cut = cut.permute(0, 2, 3, 1, 4, 5).clone(); cut[:, 1::2] = cut[:, 1::2].flip(2)
or: range(0, images.shape[3], size): → list(range(0, images.shape[3], size))[:: 1 - 2 * (top // size % 2)]:
    Every second row of patches runs backwards in yours. Where does a reader go on at the
    end of a line?

last axes exchanged: return cut.reshape(batch, rows * columns, channels * size * size) → return cut.reshape(batch, rows * columns, channels * size * size).mT
or: return torch.stack(patches, dim=1) → return torch.stack(patches, dim=2)
or: return cut.flatten(3).flatten(1, 2) → return cut.flatten(3).flatten(1, 2).mT
or: return columns.transpose(1, 2) → return columns
    Everything is there, and the numbers of a patch run down a column. Which axis comes
    first, the patches or the numbers in them?

patches in front: return torch.stack(patches, dim=1) → return torch.stack(patches)
or: cut.permute(0, 2, 4, 1, 3, 5) → cut.permute(2, 4, 0, 1, 3, 5)
and: cut.reshape(batch, rows * columns, → cut.reshape(rows * columns, batch,
or: return columns.transpose(1, 2) → return columns.permute(2, 0, 1)
    Your first axis counts patches, and the second one images. Which does a model of this
    book expect in front?

batch dissolved: return cut.reshape(batch, rows * columns, → return cut.reshape(batch * rows * columns,
or: return cut.flatten(3).flatten(1, 2) → return cut.flatten(3).flatten(0, 2)
or: return torch.stack(patches, dim=1) → return torch.stack(patches, dim=1).flatten(0, 1)
or: return columns.transpose(1, 2) → return columns.transpose(1, 2).flatten(0, 1)
    The patches of all images stand in one long row. Which image does the seventh belong
    to?

batch dissolved, patch by patch: return torch.stack(patches, dim=1) → return torch.cat(patches)
    You laid the patches of all images in one row, and mixed the images on the way. How
    many axes has the result?

first image alone: return cut.reshape(batch, rows * columns, channels * size * size) → return cut.reshape(batch, rows * columns, channels * size * size)[0]
or: return torch.stack(patches, dim=1) → return torch.stack(patches, dim=1)[0]
or: return cut.flatten(3).flatten(1, 2) → return cut.flatten(3).flatten(1, 2)[0]
or: return columns.transpose(1, 2) → return columns.transpose(1, 2)[0]
    Only the first image comes out of yours. How many are in a batch?

patches kept as squares: return cut.reshape(batch, rows * columns, channels * size * size) → return cut.reshape(batch, rows * columns, channels, size, size)
or: patch.flatten(1) → patch
or: return cut.flatten(3).flatten(1, 2) → return cut.flatten(1, 2)
    Your patches are small images still. A projection takes rows of numbers: how many
    axes does the result have?

channels kept apart: return cut.reshape(batch, rows * columns, channels * size * size) → return cut.reshape(batch, rows * columns, channels, size * size)
or: patch.flatten(1) → patch.flatten(2)
or: return cut.flatten(3).flatten(1, 2) → return cut.flatten(4).flatten(1, 2)
    Each channel of a patch has a row of its own in yours, on one axis too many. What
    does one token hold?

grid kept: return cut.reshape(batch, rows * columns, channels * size * size) → return cut.reshape(batch, rows, columns, channels * size * size)
or: return cut.flatten(3).flatten(1, 2) → return cut.flatten(3)
    Your patches still stand in rows and columns. A sentence is one row: which two axes
    become one?

all in one row: return cut.reshape(batch, rows * columns, channels * size * size) → return cut.reshape(batch, -1)
or: return torch.stack(patches, dim=1) → return torch.cat(patches, dim=1)
or: return cut.flatten(3).flatten(1, 2) → return cut.flatten(1)
    Each image is one long row of numbers in yours. Where does one patch end and the next
    begin?

means of the patches: return cut.reshape(batch, rows * columns, channels * size * size) → return cut.reshape(batch, rows * columns, channels * size * size).mean(-1, keepdim=True)
or: patch.flatten(1) → patch.flatten(1).mean(1, keepdim=True)
or: return cut.flatten(3).flatten(1, 2) → return cut.flatten(3).flatten(1, 2).mean(-1, keepdim=True)
    You averaged the pixels of a patch, as if the image were made smaller. May any number
    be lost here?
"""


def images(batch, channels, height, width, size):
    """Images of these sizes, with one decimal."""

    def inputs(rng):
        shape = batch, channels, height, width
        return rng.normal(scale=1.5, size=shape).round(1), size

    return inputs


EXAMPLE = np.arange(24.0).reshape(1, 1, 4, 6).tolist()

TASK = FunctionTask(
    title="An image in patches",
    kind="implement",
    answers=("patchify",),
    arguments=("images", "size"),
    outputs=("patches",),
    arrays="torch",
    right=(AXES_MOVED, LOOPS, UNFOLDED, LIBRARY),
    mistakes=MISTAKES,
    checks=(
        Check("one patch, one channel", images(1, 1, 3, 3, 3)),
        Check(
            "a wide grey image, as in the example",
            fixed(EXAMPLE, 2),
            fresh=images(1, 1, 4, 6, 2),
        ),
        Check("a high grey image", images(1, 1, 15, 6, 3)),
        Check("one patch of three channels", images(1, 3, 5, 5, 5)),
        Check("patches of a single pixel", images(1, 2, 3, 5, 1)),
        Check("a colour image of six patches", images(1, 3, 4, 6, 2)),
        Check("a square image of two channels", images(1, 2, 15, 15, 3)),
        Check("three grey images", images(3, 1, 6, 10, 2)),
        Check("five colour images", images(5, 3, 21, 14, 7)),
    ),
    hints=(
        "Number the pixels of a small image row by row, and draw the cuts. Which numbers "
        "belong to the first patch, and how far apart do they lie in memory?",
        "Height is rows of patches times rows within a patch, and so is width. Give each "
        "of these an axis of its own: in which order do you want them?",
    ),
    section="Twenty-five words",
    why="An image becomes a sentence by reordering alone: no number is lost or changed. "
    "Four axes hide in height and width, and those of the place go before the channels.",
)
