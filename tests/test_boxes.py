"""What counts as found, and what average precision makes of it."""

import pytest
import torch

from tt_utils.data.scenes import SceneBatch
from tt_utils.evaluation.boxes import (
    Counts,
    average_precision,
    count,
    without_duplicates,
)
from tt_utils.models.detector import Detections

LEFT, RIGHT = [0.0, 0.0, 0.4, 0.5], [0.5, 0.0, 0.9, 0.5]
NEAR = [0.0, 0.0, 0.4, 0.35]  # 0.7 of LEFT
FAR = [0.0, 0.6, 0.4, 0.9]


def scenes(*shown):
    """Scenes of (box, label) pairs."""
    most = 3
    boxes = torch.zeros(len(shown), most, 4)
    labels = torch.full((len(shown), most), -1)
    for row, objects in enumerate(shown):
        for k, (box, label) in enumerate(objects):
            boxes[row, k], labels[row, k] = torch.tensor(box), label
    pixels = torch.zeros(len(shown), 5, 5, dtype=torch.long)
    return SceneBatch(torch.zeros(len(shown), 1, 5, 5), boxes, labels, pixels)


def found(*seen):
    """Detections of (box, label, score) triples."""
    boxes = torch.tensor([box for box, _, _ in seen]).reshape(-1, 4)
    labels = torch.tensor([label for _, label, _ in seen], dtype=torch.long)
    return Detections(boxes, labels, torch.tensor([float(s) for _, _, s in seen]))


BOTH = scenes([(LEFT, 3), (RIGHT, 3)])
ALL = (LEFT, 3, 0.9), (RIGHT, 3, 0.8)


def test_all_found_is_one_and_nothing_is_zero():
    assert average_precision([found(*ALL)], BOTH) == 1
    assert average_precision([found()], BOTH) == 0


@pytest.mark.parametrize(
    ("extra", "wanted"),
    [
        ((FAR, 3, 0.95), (1 / 2 + 2 / 3) / 2 + (2 / 3 - 1 / 2) / 2),  # the best after
        ((FAR, 3, 0.85), (1 + 2 / 3) / 2),
        ((FAR, 3, 0.1), 1),  # behind all that is right it costs nothing
        ((FAR, 5, 0.95), 1),  # no scene shows a 5
        ((NEAR, 3, 0.85), (1 + 2 / 3) / 2),  # a duplicate is a false alarm
    ],
)
def test_a_false_alarm_costs_by_its_score(extra, wanted):
    assert average_precision([found(*ALL, extra)], BOTH) == pytest.approx(wanted)


@pytest.mark.parametrize(("least", "wanted"), [(0.5, 1.0), (0.75, 0.25)])
def test_a_box_must_overlap_enough(least, wanted):
    seen = found((NEAR, 3, 0.9), (RIGHT, 3, 0.8))
    assert average_precision([seen], BOTH, least) == wanted


def test_every_label_counts_alike():
    three = scenes([(LEFT, 3), (RIGHT, 3)], [(LEFT, 0)])
    assert average_precision([found(*ALL), found()], three) == 0.5
    assert average_precision([found(), found((LEFT, 0, 0.2))], three) == 0.5


def test_scores_are_ordered_over_all_scenes():
    two = scenes([(LEFT, 3)], [(LEFT, 3)])
    seen = [found((FAR, 3, 0.7)), found((LEFT, 3, 0.9))]
    assert average_precision(seen, two) == 0.5
    seen = [found((FAR, 3, 0.95)), found((LEFT, 3, 0.9))]
    assert average_precision(seen, two) == 0.25


def test_the_surest_takes_the_object_whatever_the_order():
    one = scenes([(LEFT, 3)])
    seen = [(NEAR, 3, 0.6), (LEFT, 3, 0.9)]
    for order in (seen, seen[::-1]):
        assert average_precision([found(*order)], one) == 1
        assert count([found(*order)], one) == Counts(1, 1, 0, 1)


def test_a_box_takes_another_object_that_it_fits_before_it_is_a_duplicate():
    close = scenes([(LEFT, 3), (NEAR, 3)])
    assert count([found((LEFT, 3, 0.9), (LEFT, 3, 0.8))], close) == Counts(2, 0, 0, 0)


def test_false_alarms_misses_and_duplicates_are_told_apart():
    shown = scenes([(LEFT, 3), (RIGHT, 4)], [])
    seen = found((LEFT, 3, 0.9), (NEAR, 3, 0.8), (RIGHT, 3, 0.7), (RIGHT, 4, 0.4))
    empty = found((FAR, 1, 0.6))
    assert count([seen, empty], shown) == Counts(1, 3, 1, 1)
    assert count([seen, empty], shown, threshold=0.3) == Counts(2, 3, 0, 1)


def test_suppression_keeps_the_surest_of_what_overlaps():
    seen = found((NEAR, 5, 0.5), (LEFT, 3, 0.9), (RIGHT, 3, 0.2), (FAR, 1, 0.6))
    kept = without_duplicates(seen)
    assert kept.scores.tolist() == pytest.approx([0.9, 0.6, 0.2])
    assert kept.labels.tolist() == [3, 1, 3]
    assert len(without_duplicates(seen, most=0.8).scores) == 4
    assert len(without_duplicates(found()).scores) == 0


@pytest.mark.parametrize("measure", [average_precision, count])
def test_what_cannot_be_measured_is_named(measure):
    with pytest.raises(ValueError, match=r"^boxes: 2 results for 1 scenes"):
        measure([found(), found()], BOTH)
    with pytest.raises(ValueError, match=r"^boxes: the scenes show nothing"):
        measure([found()], scenes([]))
