"""Verdicts are counted right, and the interval is Wilson's."""

import math

import pytest
import torch
from torch import nn
from without_type_checks import types_unchecked

from tt_utils.evaluation.classification import Accuracy, accuracy, classify


def test_an_accuracy_counts_what_is_as_wanted():
    found = accuracy(torch.tensor([3, 0, 2, 2, 1]), torch.tensor([3, 1, 2, 2, 0]))
    assert found == Accuracy(right=3, count=5)
    assert found.share == 0.6


@pytest.mark.parametrize(("right", "count"), [(0, 7), (437, 450), (13, 13)])
def test_the_interval_is_wilsons(right, count):
    z, p = 1.959964, right / count
    middle = (p + z * z / (2 * count)) / (1 + z * z / count)
    half = (
        z
        / (1 + z * z / count)
        * math.sqrt(p * (1 - p) / count + z * z / (4 * count * count))
    )
    wanted = middle - half, middle + half
    assert Accuracy(right, count).interval == pytest.approx(wanted, abs=1e-6)


def test_it_is_told_with_its_interval():
    assert str(Accuracy(437, 450)) == "97.1% (95.1% to 98.3%)"


@pytest.mark.parametrize(("found", "wanted"), [(0, 0), (2, 3)])
def test_what_cannot_be_compared_is_refused(found, wanted):
    message = f"^accuracy: {found} labels found, {wanted} wanted;"
    with types_unchecked(), pytest.raises(ValueError, match=message):
        accuracy(torch.zeros(found).long(), torch.zeros(wanted).long())


def test_images_are_classified_in_pieces_in_their_order():
    """Dropout would change them; in evaluation mode it doesn't."""
    model = nn.Sequential(nn.Flatten(), nn.Dropout(0.9))
    wanted = torch.tensor([5, 0, 3, 3, 1, 4, 2])
    images = nn.functional.one_hot(wanted, 6).float().view(7, 1, 2, 3)
    assert torch.equal(classify(model, images, rows=3), wanted)
