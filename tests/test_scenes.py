"""Scenes of several digits: what is drawn, where, and that the labels tell the same."""

from collections.abc import Iterator

import pytest
import torch

from tt_utils.data.digits import Digits, load_digits
from tt_utils.data.examples import RowBatch
from tt_utils.data.scenes import (
    EMPTY,
    INK,
    MOST,
    SCENE,
    SceneBatch,
    SceneBatches,
    find_places,
    make_scenes,
    tight_boxes,
)

COUNT = 97


@pytest.fixture(scope="module")
def splits():
    return load_digits()


@pytest.fixture(scope="module")
def scenes(splits):
    return make_scenes(splits[0], COUNT, "some")


def in_pixels(scenes) -> Iterator[tuple[int, tuple[int, int, int, int], int]]:
    """Yield row, left, top, right, bottom and digit of every digit shown."""
    for row, k in torch.nonzero(scenes.labels != EMPTY).tolist():
        box = (scenes.boxes[row, k] * SCENE).round().long().tolist()
        yield row, tuple(box), int(scenes.labels[row, k])


def equal(one: RowBatch, other: RowBatch) -> bool:
    pairs = zip(one.parts(), other.parts(), strict=True)
    return all(torch.equal(a, b) for a, b in pairs)


def test_a_scene_shows_one_to_four_digits(scenes):
    assert scenes.images.shape == (COUNT, 1, SCENE, SCENE)
    assert scenes.boxes.shape == (COUNT, MOST, 4)
    assert scenes.labels.shape == (COUNT, MOST)
    assert scenes.pixels.shape == (COUNT, SCENE, SCENE)
    shown = (scenes.labels != EMPTY).sum(dim=1)
    assert set(shown.tolist()) == {1, 2, 3, 4}
    assert set(scenes.labels.unique().tolist()) == {EMPTY, *range(10)}
    assert (scenes.boxes[scenes.labels == EMPTY] == 0).all()


def test_a_box_is_tight_around_the_ink_of_its_digit(scenes):
    for row, (left, top, right, bottom), digit in in_pixels(scenes):
        assert 0 <= left < right <= SCENE
        assert 0 <= top < bottom <= SCENE
        inside = scenes.pixels[row, top:bottom, left:right]
        assert set(inside.unique().tolist()) <= {0, digit + 1}
        for edge in (inside[0], inside[-1], inside[:, 0], inside[:, -1]):
            assert (edge == digit + 1).any()


def test_boxes_do_not_overlap_and_hold_all_ink(scenes):
    covered = torch.zeros(COUNT, SCENE, SCENE, dtype=torch.long)
    for row, (left, top, right, bottom), _ in in_pixels(scenes):
        covered[row, top:bottom, left:right] += 1
    assert covered.max() == 1
    assert (covered[scenes.pixels > 0] == 1).all()


def test_pixels_say_where_an_image_has_ink(scenes):
    images = scenes.images[:, 0]
    assert torch.equal(scenes.pixels > 0, images > INK)
    assert (images[scenes.pixels == 0] == 0).all()
    assert images.max() <= 1


def test_a_digit_without_a_free_place_is_left_out():
    tight = torch.tensor([[2, 2, 7, 9]]).repeat(3, 1)
    whole, corner = [0, 0, SCENE, SCENE], [0, 0, SCENE - 5, SCENE]
    taken = torch.tensor([[whole], [corner], [[0, 0, 0, 0]]])
    places, free = find_places(tight, taken, torch.Generator().manual_seed(0))
    assert free.tolist()[::2] == [False, True]
    if free[1]:
        assert places[1, 0] == SCENE - 5


def test_places_lie_apart_from_what_is_taken():
    tight = torch.tensor([[1, 3, 6, 10]]).repeat(53, 1)
    taken = torch.tensor([[[4, 0, 11, 13], [13, 13, 24, 24]]]).repeat(53, 1, 1)
    places, free = find_places(tight, taken, torch.Generator().manual_seed(0))
    assert free.float().mean() > 0.9
    for (x, y), found in zip(places.tolist(), free.tolist(), strict=True):
        if found:
            assert x + 5 <= 4 or x >= 11 or y >= 13
            assert x + 5 <= 13 or y + 7 <= 13
            assert x + 5 <= SCENE
            assert y + 7 <= SCENE


def test_boxes_are_tight_around_one_pixel_or_many():
    inked = torch.zeros(2, 13, 13, dtype=torch.bool)
    inked[0, 5, 7] = True
    inked[1, 2:9, 3:4] = True
    inked[1, 4, 11] = True
    assert tight_boxes(inked).tolist() == [[7, 5, 8, 6], [3, 2, 12, 9]]


def test_the_same_seed_makes_the_same_scenes_and_another_others(splits):
    found = make_scenes(splits[1], 7, 3)
    assert equal(found, make_scenes(splits[1], 7, 3))
    for other in (4, "some words"):
        assert not torch.equal(found.images, make_scenes(splits[1], 7, other).images)


def test_scenes_show_the_digits_they_are_given_and_no_others(splits):
    """Those of the test have no image that training scenes are made of."""
    marked = Digits(splits[2].images[:1], torch.tensor([7]))
    scenes = make_scenes(marked, 13)
    assert set(scenes.labels.unique().tolist()) <= {EMPTY, 7}
    assert set(scenes.pixels.unique().tolist()) == {0, 8}
    train, valid, test = (
        {tuple(image.flatten().tolist()) for image in split.images} for split in splits
    )
    assert not train & test
    assert not valid & test


def test_an_epoch_goes_on_where_it_stopped(splits):
    batches = SceneBatches(splits[1], 3, batches=7)
    whole, rest = list(batches.epoch("run 1")), list(batches.epoch("run 1", start=5))
    assert [len(batch.labels) for batch in whole] == [3] * 7
    assert len(rest) == 2
    assert all(equal(a, b) for a, b in zip(whole[5:], rest, strict=True))
    assert not torch.equal(whole[0].images, whole[1].images)
    assert not torch.equal(whole[0].images, next(batches.epoch("run 2")).images)


def test_a_split_keeps_the_parts_of_a_scene_together(scenes):
    pieces = scenes.split(5)
    assert [piece.weight for piece in pieces] == [20, 20, 19, 19, 19]
    for piece in pieces:
        assert torch.equal(piece.pixels > 0, piece.images[:, 0] > INK)
        for row, (left, top, _, _), digit in in_pixels(piece):
            assert (piece.pixels[row, top:, left:] == digit + 1).any()
    again = [torch.cat(part) for part in zip(*(p.parts() for p in pieces), strict=True)]
    assert equal(SceneBatch(*again), scenes)


def test_other_scenes_have_another_fingerprint(splits):
    known = {
        SceneBatches(digits, rows, batches).fingerprint()
        for digits in splits[:2]
        for rows in (3, 5)
        for batches in (7, 11)
    }
    assert len(known) == 8
    again = Digits(splits[0].images.clone(), splits[0].labels)
    assert SceneBatches(again, 3, 7).fingerprint() in known


def test_scenes_of_nothing_are_refused(splits):
    for digits, count in ((splits[1][:0], 7), (splits[1], 0)):
        with pytest.raises(ValueError, match="give at least one of each"):
            make_scenes(digits, count)
    for digits, rows, batches in (
        (splits[1][:0], 3, 7),
        (splits[1], 0, 7),
        (splits[1], 3, 0),
    ):
        with pytest.raises(ValueError, match="give at least one of each"):
            SceneBatches(digits, rows, batches)
