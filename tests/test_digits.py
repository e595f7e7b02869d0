"""The handwritten digits, their order and their distortions."""

import pytest
import torch

from tt_utils.data.digits import (
    SIDE,
    DigitBatches,
    Digits,
    Distortion,
    distort,
    load_digits,
)

STILL = Distortion(turn=0.0, scale=0.0, slant=0.0, shift=0.0)


@pytest.fixture(scope="module")
def splits():
    return load_digits()


def test_they_are_split_in_the_order_of_the_file(splits):
    assert [len(split) for split in splits] == [1_197, 150, 450]
    assert splits[0].labels[:12].tolist() == [*range(10), 0, 1]
    for split in splits:
        assert split.images.shape == (len(split), 1, SIDE, SIDE)
        assert (split.images.min(), split.images.max()) == (0, 1)
        share = torch.bincount(split.labels, minlength=10) / len(split)
        assert share.min() > 0.06


def test_no_distortion_changes_nothing(splits):
    images = splits[1].images
    torch.testing.assert_close(distort(images, STILL), images, atol=1e-5, rtol=0)


def test_each_image_is_distorted_by_itself_and_keeps_its_ink():
    image = load_digits()[0].images[:1]
    found = distort(image.repeat(97, 1, 1, 1), Distortion(), torch.manual_seed(0))
    assert len({tuple(each.flatten().tolist()) for each in found}) == 97
    ink = found.sum(dim=(1, 2, 3)) / image.sum()
    assert 0.6 < ink.min() < 1 < ink.max() < 1.5


@pytest.mark.parametrize(
    ("how", "moved"), [(Distortion(0.0, 0.0, 0.0, shift=2.0), 2.0), (STILL, 0.0)]
)
def test_a_shift_is_counted_in_pixels(how, moved):
    point = torch.zeros(499, 1, SIDE, SIDE)
    point[:, 0, 3, 3] = 1
    found = distort(point, how, torch.manual_seed(0))[:, 0]
    columns = (found.sum(dim=1) * torch.arange(SIDE)).sum(dim=1)
    assert (columns - 3).abs().max() <= moved + 1e-4
    assert (columns - 3).abs().max() >= 0.95 * moved


def test_an_epoch_has_every_digit_once_and_goes_on_where_it_stopped(splits):
    batches = DigitBatches(splits[1], 7, Distortion())
    whole = list(batches.epoch("run 3"))
    assert sum(len(batch.labels) for batch in whole) == 150
    labels = torch.cat([batch.labels for batch in whole])
    assert torch.equal(labels.bincount(), splits[1].labels.bincount())
    rest = list(batches.epoch("run 3", start=5))
    assert len(rest) == len(whole) - 5
    assert all(
        torch.equal(a.images, b.images) for a, b in zip(whole[5:], rest, strict=True)
    )
    assert not torch.equal(whole[0].labels, next(batches.epoch("run 4")).labels)


def test_batches_of_nothing_are_refused(splits):
    for digits, rows in ((splits[1][:0], 7), (splits[1], 0)):
        with pytest.raises(ValueError, match="give at least one of each"):
            DigitBatches(digits, rows)


def test_other_digits_have_another_fingerprint(splits):
    known = {
        DigitBatches(digits, rows, how).fingerprint()
        for digits in splits[:2]
        for rows in (5, 7)
        for how in (None, Distortion())
    }
    assert len(known) == 8
    again = Digits(splits[0].images.clone(), splits[0].labels)
    assert DigitBatches(again, 5).fingerprint() in known


def test_digits_are_put_behind_one_another():
    train, valid, _ = load_digits()
    both = train + valid
    assert len(both) == 1_347
    assert torch.equal(both.images[1_197:], valid.images)
    assert torch.equal(both.labels[:1_197], train.labels)
