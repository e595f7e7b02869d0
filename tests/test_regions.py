"""Mean IoU and pixel accuracy, beside another count and at their edges."""

import math

import pytest
import torch
from sklearn.metrics import confusion_matrix, jaccard_score
from without_type_checks import types_unchecked

from tt_utils.evaluation.regions import confusion, region_scores

CLASSES, BATCH, HEIGHT, WIDTH = 7, 3, 5, 11


def maps(seed, classes=CLASSES):
    luck = torch.Generator().manual_seed(seed)
    return torch.randint(classes, (BATCH, HEIGHT, WIDTH), generator=luck)


def test_a_case_counted_by_hand():
    truth = torch.tensor([[0, 0, 0, 0], [0, 2, 2, 0], [0, 2, 2, 0]])
    found = torch.tensor([[0, 0, 0, 0], [0, 0, 2, 2], [0, 0, 2, 3]])
    count = confusion(truth, found, 4)
    # Rows are the truth: two pixels of class 2 were taken for class 0.
    assert count.tolist() == [[6, 0, 1, 1], [0] * 4, [2, 0, 2, 0], [0] * 4]
    scores = region_scores(count)
    zero, one, two, three = scores.per_class.tolist()
    assert (zero, two, three) == (6 / 10, 2 / 5, 0)
    assert math.isnan(one)
    assert scores.mean_iou == pytest.approx((6 / 10 + 2 / 5 + 0) / 3)
    assert scores.accuracy == pytest.approx(8 / 12)


@pytest.mark.parametrize("seed", range(5))
def test_scikit_learn_counts_the_same(seed):
    truth, found = maps(seed), maps(seed + 100)
    count, flat = confusion(truth, found, CLASSES), (truth.flatten(), found.flatten())
    labels = list(range(CLASSES))
    assert count.tolist() == confusion_matrix(*flat, labels=labels).tolist()
    wanted = jaccard_score(*flat, labels=labels, average=None)
    assert region_scores(count).per_class.tolist() == pytest.approx(wanted.tolist())


def test_all_pixels_are_counted_together_before_dividing():
    truth, found = maps(0), maps(1)
    pieces = sum(confusion(truth[i], found[i], CLASSES) for i in range(BATCH))
    assert torch.equal(pieces, confusion(truth, found, CLASSES))


def test_a_class_that_is_nowhere_leaves_the_mean_alone():
    few, many = (confusion(maps(0, 3), maps(1, 3), n) for n in (3, CLASSES))
    assert region_scores(few).mean_iou == region_scores(many).mean_iou
    assert region_scores(many).per_class[3:].isnan().all()


@pytest.mark.parametrize(("shift", "share"), [(0, 1.0), (1, 0.0)])
def test_all_right_is_one_and_all_wrong_is_zero(shift, share):
    scores = region_scores(confusion(maps(0), (maps(0) + shift) % CLASSES, CLASSES))
    assert scores.mean_iou == scores.accuracy == share


def test_maps_that_cannot_be_compared_are_refused():
    match = r"shape \(3, 5, 11\), the prediction \(2, 5"
    with types_unchecked(), pytest.raises(ValueError, match=match):
        confusion(maps(0), maps(0)[1:], CLASSES)
    for wrong in (-1, CLASSES):
        found = maps(0)
        found[0, 0, 0] = wrong
        with pytest.raises(ValueError, match="with 7 classes they go from 0 to 6"):
            confusion(maps(0), found, CLASSES)
    with pytest.raises(ValueError, match="no pixel was counted"):
        region_scores(torch.zeros(CLASSES, CLASSES, dtype=torch.long))
