"""k-means on patches, and images written in its codes."""

from itertools import pairwise

import pytest
import torch

from tt_utils.blocks.patches import patchify
from tt_utils.data.codebook import (
    CodeBatch,
    CodeBatches,
    Codebook,
    kmeans,
    nearest_centre,
)
from tt_utils.data.digits import KINDS, DigitBatches, Digits, Distortion, load_digits

BATCH, CHANNELS, SIZE, ROWS, COLUMNS, CODES = 5, 3, 2, 7, 11, 13
HEIGHT, WIDTH = ROWS * SIZE, COLUMNS * SIZE


@pytest.fixture(scope="module")
def train():
    return load_digits()[0]


def images():
    luck = torch.Generator().manual_seed(0)
    return torch.rand(BATCH, CHANNELS, HEIGHT, WIDTH, generator=luck)


def book():
    return Codebook.learn(images(), CODES, SIZE)


def test_two_rounds_by_hand():
    """Four points on a line, two centres; the second point changes its centre."""
    points = torch.tensor([[0.0], [4.0], [6.0], [17.0]])
    first = torch.tensor([[0.0], [6.0]])
    assert nearest_centre(points, first).tolist() == [0, 1, 1, 1]
    assert kmeans(points, first, 1).tolist() == [[0.0], [9.0]]
    assert kmeans(points, first, 2).tolist() == [[2.0], [11.5]]


def test_it_is_that_of_scikit_learn():
    from sklearn.cluster import KMeans

    luck = torch.Generator().manual_seed(0)
    points = torch.rand(211, 3, generator=luck, dtype=torch.float64)
    first = points[:CODES]
    theirs = KMeans(CODES, init=first.numpy(), n_init=1, max_iter=100, tol=0)
    theirs.fit(points.numpy())
    found = kmeans(points, first, 100)
    wanted = torch.from_numpy(theirs.cluster_centers_)
    torch.testing.assert_close(found, wanted, atol=1e-9, rtol=0)


def test_each_round_brings_the_centres_nearer(train):
    points = patchify(train.images, SIZE).flatten(0, 1)
    centres = points.unique(dim=0)[:: len(points.unique(dim=0)) // 17][:17]
    found = []
    for rounds in range(5):
        moved = kmeans(points, centres, rounds)
        found.append((points - moved[nearest_centre(points, moved)]).square().sum())
    assert all(later < before for before, later in pairwise(found))


def test_a_centre_without_points_stays():
    points, centres = torch.tensor([[1.0], [3.0]]), torch.tensor([[0.0], [99.0]])
    assert kmeans(points, centres, 3).tolist() == [[2.0], [99.0]]


def test_a_code_names_the_nearest_centre():
    known, patches = book(), patchify(images(), SIZE)
    codes = known.encode(images())
    assert codes.shape == (BATCH, ROWS * COLUMNS)
    for point, code in zip(patches.flatten(0, 1), codes.flatten(), strict=True):
        distances = (known.centres - point).square().sum(dim=1)
        assert distances[code] <= distances.min() + 1e-6


def test_codes_come_back_from_their_image():
    luck = torch.Generator().manual_seed(1)
    codes = torch.randint(CODES, (BATCH, ROWS * COLUMNS), generator=luck)
    decoded = book().decode(codes, HEIGHT, WIDTH)
    assert decoded.shape == (BATCH, CHANNELS, HEIGHT, WIDTH)
    assert torch.equal(book().encode(decoded), codes)
    assert torch.equal(book().quantise(decoded), decoded)


def test_with_a_code_for_each_patch_nothing_is_lost():
    every = Codebook.learn(images(), BATCH * ROWS * COLUMNS, SIZE)
    torch.testing.assert_close(every.quantise(images()), images())


@pytest.mark.parametrize("n_codes", [0, BATCH * ROWS * COLUMNS + 1])
def test_codes_without_patches_are_refused(n_codes):
    with pytest.raises(ValueError, match=f"Codebook: {n_codes} codes of 385 different"):
        Codebook.learn(images(), n_codes, SIZE)


@pytest.mark.parametrize("code", [-1, CODES])
def test_a_code_outside_the_book_is_refused(code):
    codes = torch.full((BATCH, ROWS * COLUMNS), code)
    with pytest.raises(ValueError, match="this book has those from 0 to 12"):
        book().decode(codes, HEIGHT, WIDTH)


def batches(train, rows=101, **changes):
    known = Codebook.learn(train.images, CODES, SIZE)
    return CodeBatches(DigitBatches(train, rows, Distortion()), known, **changes)


def test_a_share_of_the_labels_is_dropped_anew_in_every_epoch(train):
    data = batches(train, dropped=0.25)
    first, second = (
        torch.cat([batch.labels for batch in data.epoch(seed)]) for seed in (0, 1)
    )
    for labels in (first, second):
        assert (labels == KINDS).float().mean().item() == pytest.approx(0.25, abs=0.05)
    kept = torch.cat([batch.labels for batch in batches(train, dropped=0.0).epoch(0)])
    assert torch.equal(first[first != KINDS], kept[first != KINDS])
    assert not torch.equal(first == KINDS, second == KINDS)


def test_the_codes_are_those_of_the_distorted_digits(train):
    data = batches(train)
    for coded, batch in zip(data.epoch(3), data.digits.epoch(3), strict=True):
        assert torch.equal(coded.codes, data.codebook.encode(batch.images))
        assert coded.weight == 16 * len(batch.labels)


def test_an_epoch_goes_on_where_it_stopped(train):
    whole, rest = (list(batches(train).epoch("run", start)) for start in (0, 5))
    assert len(rest) == len(whole) - 5
    for wanted, found in zip(whole[5:], rest, strict=True):
        assert torch.equal(wanted.codes, found.codes)
        assert torch.equal(wanted.labels, found.labels)


def test_pieces_of_a_batch_weigh_as_much_as_the_whole():
    codes = torch.zeros(7, 3, dtype=torch.long)
    batch = CodeBatch(codes, torch.arange(7))
    assert sum(piece.weight for piece in batch.split(3)) == batch.weight == 21


def test_other_batches_have_another_fingerprint(train):
    few = Digits(train.images[:50], train.labels[:50])
    known = {
        batches(digits, rows, dropped=dropped).fingerprint()
        for digits in (train, few)
        for rows in (5, 7)
        for dropped in (0.0, 0.1)
    }
    assert len(known) == 8


@pytest.mark.parametrize("dropped", [-0.1, 1.1])
def test_a_share_that_is_none_is_refused(train, dropped):
    with pytest.raises(ValueError, match="it is a share from 0 to 1"):
        batches(train, dropped=dropped)
