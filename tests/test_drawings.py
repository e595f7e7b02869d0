"""What is measured of drawn digits."""

import pytest
import torch

from tt_utils.data.digits import load_digits
from tt_utils.evaluation.drawings import (
    draw_by_frequency,
    learn_judge,
    nearest,
    spread,
    told_apart,
)


def luck():
    return torch.Generator().manual_seed(0)


def test_the_judge_reads_digits_it_never_saw():
    train, _, test = load_digits()
    judge = learn_judge(train, copies=1)
    assert (judge(test.images) == test.labels).float().mean() > 0.94


def test_the_nearest_is_the_nearest():
    images = torch.rand(5, 2, 3, 7, generator=luck())
    others = torch.rand(11, 2, 3, 7, generator=luck())
    distance, which = nearest(images, others)
    for i, image in enumerate(images):
        wanted = [(image - other).square().sum().sqrt().item() for other in others]
        assert distance[i].item() == pytest.approx(min(wanted))
        assert which[i].item() == wanted.index(min(wanted))


def test_a_copy_is_at_no_distance():
    others = torch.rand(211, 1, 8, 8, generator=luck())
    distance, which = nearest(others[[7, 190]], others)
    assert distance.tolist() == [0.0, 0.0]
    assert which.tolist() == [7, 190]


def test_the_spread_is_that_within_a_label():
    """Three points on a line, 0, 1 and 3, and two far away, 5 apart."""
    images = torch.tensor([0.0, 100.0, 1.0, 105.0, 3.0]).view(5, 1, 1, 1)
    labels = torch.tensor([0, 1, 0, 1, 0])
    assert spread(images, labels) == pytest.approx(((1 + 3 + 2) / 3 + 5) / 2)


def test_a_label_on_one_image_has_no_spread():
    with pytest.raises(ValueError, match="a single image is labelled 1; give two"):
        spread(torch.zeros(3, 1, 2, 2), torch.tensor([0, 1, 0]))


def test_frequencies_are_those_of_the_label_and_the_place():
    codes = torch.tensor([[0, 4, 2], [0, 3, 2], [1, 4, 2], [9, 9, 9]])
    shown = torch.tensor([5, 5, 5, 6])
    rows = 10_007
    labels = torch.cat([torch.full((rows,), 5), torch.tensor([6, 6])])
    drawn = draw_by_frequency(codes, shown, labels, luck())
    assert drawn[rows:].tolist() == [[9, 9, 9], [9, 9, 9]]
    assert (drawn[:rows, 2] == 2).all()
    first, second = drawn[:rows, 0] == 0, drawn[:rows, 1] == 3
    assert first.float().mean().item() == pytest.approx(2 / 3, abs=0.02)
    assert second.float().mean().item() == pytest.approx(1 / 3, abs=0.02)
    together = (first & second).float().mean().item()
    assert together == pytest.approx(2 / 9, abs=0.02)  # one place knows not the other


def test_a_label_that_no_image_shows_is_refused():
    codes = torch.zeros(3, 2, dtype=torch.long)
    with pytest.raises(ValueError, match="no image shows 7"):
        draw_by_frequency(codes, codes[:, 0], torch.tensor([7]))


def test_only_sets_that_differ_are_told_apart():
    real = load_digits()[0].images
    mixed = real[torch.randperm(600, generator=luck())]
    first, second = mixed[:300], mixed[300:]
    assert 0.4 < told_apart(first, second) < 0.6
    inked = (second + 0.3).clamp(max=1)
    assert told_apart(first, inked) > 0.95
