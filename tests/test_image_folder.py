"""A reader's own images are read as they are, or refused with the way out."""

import pytest
import torch
from PIL import Image

from tt_utils.data.examples import ExampleBatches
from tt_utils.data.image_folder import ImageFolderError, image_batch, load_folder


@pytest.fixture
def folder(tmp_path):
    """Two red squares and a blue one, of different sizes and kinds of file."""
    save(tmp_path / "red" / "b.png", "RGB", (5, 5), (255, 0, 51))
    save(tmp_path / "red" / "a.PNG", "RGB", (10, 10), (255, 0, 51))
    save(tmp_path / "blue" / "c.bmp", "RGB", (7, 7), (0, 0, 255))
    (tmp_path / "blue" / "notes.txt").write_text("no image")
    return tmp_path


def save(path, mode, size, colour):
    path.parent.mkdir(exist_ok=True)
    Image.new(mode, size, colour).save(path)


def test_the_folders_are_the_kinds_in_the_order_of_their_names(folder):
    images, kinds = load_folder(folder, side=5, channels=3)
    assert kinds == ["blue", "red"]
    assert [label for _, label in images] == [0, 1, 1]
    for image, label in images:
        assert image.shape == (3, 5, 5)
        wanted = torch.tensor([[0, 0, 1.0], [1, 0, 0.2]][label])
        torch.testing.assert_close(image, wanted[:, None, None].expand(3, 5, 5))


def test_rows_are_rows_and_shrinking_takes_the_mean(tmp_path):
    image = Image.new("L", (4, 4), 0)
    image.putpixel((2, 0), 204)  # the third column of the first row
    (tmp_path / "dots").mkdir()
    image.save(tmp_path / "dots" / "dot.png")
    ((same, _),), _ = load_folder(tmp_path, side=4)
    assert torch.nonzero(same[0]).tolist() == [[0, 2]]
    ((small, _),), _ = load_folder(tmp_path, side=2)
    torch.testing.assert_close(small[0], torch.tensor([[0, 0.2], [0, 0]]))


def test_grey_and_colour_become_one_another(folder):
    save(folder / "blue" / "grey.png", "L", (5, 5), 102)
    images, _ = load_folder(folder, side=5, channels=3)
    assert torch.allclose(images[1][0], torch.tensor(0.4))
    images, _ = load_folder(folder, side=5)
    assert images[0][0].shape == (1, 5, 5)


def test_they_make_batches(folder):
    images, _ = load_folder(folder, side=5, channels=3)
    batches = list(ExampleBatches(images, 2, image_batch).epoch(0))
    assert [batch.images.shape for batch in batches] == [(2, 3, 5, 5), (1, 3, 5, 5)]
    for image, label in images:
        match = [
            bool((batch.images[i] == image).all())
            for batch in batches
            for i in range(len(batch.labels))
            if batch.labels[i] == label
        ]
        assert any(match)


@pytest.mark.parametrize(
    ("name", "mode", "size", "message"),
    [
        ("wide.png", "RGB", (6, 5), "wide.png is 6 × 5; crop it to a square."),
        ("clear.png", "RGBA", (5, 5), "clear.png has the mode RGBA; save it as grey"),
    ],
)
def test_an_image_of_another_form_is_refused(folder, name, mode, size, message):
    save(folder / "red" / name, mode, size, 0)
    with pytest.raises(ImageFolderError, match=message):
        load_folder(folder, side=5)


def test_what_is_no_image_is_named(folder):
    (folder / "red" / "z.jpg").write_bytes(b"not at all")
    with pytest.raises(ImageFolderError, match=r"z\.jpg is not an image that can be"):
        load_folder(folder, side=5)


@pytest.mark.parametrize("name", ["", "nowhere"])
def test_a_folder_without_images_is_refused(tmp_path, name):
    with pytest.raises(ImageFolderError, match="has no images; it needs a folder for"):
        load_folder(tmp_path / name, side=5)


@pytest.mark.parametrize(("side", "channels"), [(0, 1), (5, 2)])
def test_sizes_that_cannot_be_are_refused(folder, side, channels):
    message = f"^load_folder: side={side}, channels={channels}; a side is at least 1"
    with pytest.raises(ValueError, match=message):
        load_folder(folder, side, channels)
