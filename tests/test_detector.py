"""The detector, and the loss that knows no order."""

from itertools import permutations

import pytest
import torch
from without_type_checks import types_unchecked

from tt_utils.data.scenes import SceneBatch
from tt_utils.models.detector import Detector, DetectorConfig
from tt_utils.models.matching import (
    Outputs,
    generalised_iou,
    iou,
    match,
    matching_cost,
    set_loss,
)

BATCH, CHANNELS, SIDE, PATCH, LABELS, QUERIES, MOST = 3, 1, 15, 5, 7, 5, 4
SIZES = {"d_model": 22, "d_ff": 31, "n_heads": 2, "dropout": 0.0}
SHAPE = {"image": SIDE, "channels": CHANNELS, "patch": PATCH, "n_labels": LABELS}
LAYERS = {"n_encoder_layers": 2, "n_decoder_layers": 3, "n_queries": QUERIES}
STAGES = {"learned": 3, "proposals": 4, "patches": 1}
every_kind = pytest.mark.parametrize("queries", STAGES)


def made(**changes):
    torch.manual_seed(0)
    config = DetectorConfig(**SIZES | SHAPE | LAYERS | changes)
    return Detector(config).double().eval()


def batch():
    luck = torch.Generator().manual_seed(1)
    images = torch.randn(BATCH, CHANNELS, SIDE, SIDE, generator=luck).double()
    start = torch.rand(BATCH, MOST, 2, generator=luck) / 2
    boxes = torch.cat([start, start + 0.3], dim=2)
    labels = torch.tensor([[3, 0, 6, 3], [5, -1, -1, -1], [1, 1, 4, -1]])
    pixels = torch.zeros(BATCH, SIDE, SIDE, dtype=torch.long)
    return SceneBatch(images, boxes.double(), labels, pixels)


def answers(found=QUERIES):
    luck = torch.Generator().manual_seed(2)
    logits = torch.randn(BATCH, found, LABELS + 1, generator=luck).double()
    return Outputs(logits, torch.randn(BATCH, found, 4, generator=luck).double())


# Boxes


def test_iou_is_what_two_boxes_share():
    a = torch.tensor([[0.0, 0, 2, 3], [5, 5, 5, 9]])
    b = torch.tensor([[1.0, 1, 3, 3], [0, 0, 2, 3], [4, 0, 6, 3]])
    wanted = torch.tensor([[2 / 8, 1, 0], [0, 0, 0]])
    torch.testing.assert_close(iou(a, b), wanted)


def test_generalised_iou_tells_how_far_boxes_are_apart():
    a = torch.tensor([[0.0, 0, 2, 3]])
    b = torch.tensor([[1.0, 1, 3, 3], [0, 0, 2, 3], [4, 0, 6, 3], [98, 0, 100, 3]])
    wanted = torch.tensor([[2 / 8 - 1 / 9, 1, -6 / 18, -288 / 300]])
    torch.testing.assert_close(generalised_iou(a, b), wanted)


# Matching


@pytest.mark.parametrize("objects", range(1, 6))
@pytest.mark.parametrize("found", [5, 7])
def test_matching_is_the_best_of_all_assignments(objects, found):
    cost = torch.rand(11, found, objects, generator=torch.Generator().manual_seed(3))
    chosen = match(cost, torch.ones(11, objects, dtype=torch.bool))
    ways, places = torch.tensor([*permutations(range(found), objects)]), range(objects)
    for row, given in zip(cost, chosen, strict=True):
        assert len(set(given.tolist())) == objects
        best = row[ways, places].sum(dim=1).min().item()
        assert row[given, places].sum() == pytest.approx(best)


def test_what_is_not_there_is_not_matched():
    cost = torch.rand(2, 5, 3, generator=torch.Generator().manual_seed(3))
    wanted = torch.tensor([[True, False, True], [False, False, False]])
    chosen = match(cost, wanted)
    assert torch.equal(chosen == -1, ~wanted)


def test_the_cheapest_objects_get_the_outputs_where_these_are_few():
    cost = torch.tensor([[[5.0, 1.0, 4.0]]])
    assert match(cost, torch.ones(1, 3, dtype=torch.bool)).tolist() == [[-1, 0, -1]]


def test_the_cost_counts_label_distance_and_overlap():
    outputs, scenes = answers(), batch()
    found = matching_cost(outputs, scenes)
    assert found.shape == (BATCH, QUERIES, MOST)
    box, true = outputs.boxes[2, 3], scenes.boxes[2, 1]
    shared = generalised_iou(box[None], true[None]).item()
    sure = outputs.logits[2, 3].softmax(-1)[1].item()
    wanted = 5 * (box - true).abs().sum().item() + 2 * (1 - shared) - 2 * sure
    assert found[2, 3, 1].item() == pytest.approx(wanted)


# The loss


def test_the_loss_does_not_know_the_order_of_the_objects():
    scenes = batch()
    order = torch.tensor([[2, 3, 0, 1], [3, 0, 1, 2], [3, 2, 1, 0]])
    rows = torch.arange(BATCH)[:, None]
    mixed = SceneBatch(
        scenes.images,
        scenes.boxes[rows, order],
        scenes.labels[rows, order],
        scenes.pixels,
    )
    before, after = (set_loss(answers(), each, 0.1) for each in (scenes, mixed))
    torch.testing.assert_close(after, before)


def test_the_loss_does_not_know_the_order_of_the_outputs():
    outputs, order = answers(), [3, 0, 4, 1, 2]
    mixed = Outputs(outputs.logits[:, order], outputs.guess[:, order])
    before, after = (set_loss(each, batch(), 0.1) for each in (outputs, mixed))
    torch.testing.assert_close(after, before)


@torch.no_grad()
def test_shuffled_queries_give_shuffled_answers_and_the_same_loss():
    model, order = made(queries="learned"), [3, 0, 4, 1, 2]
    before, loss = model(batch().images)[-1], model.loss(batch())
    model.learned.data = model.learned[order]
    after = model(batch().images)[-1]
    torch.testing.assert_close(after.logits, before.logits[:, order])
    torch.testing.assert_close(after.boxes, before.boxes[:, order])
    torch.testing.assert_close(model.loss(batch()), loss)


def test_perfect_answers_cost_nothing_and_others_do():
    scenes = batch()
    labels = torch.where(scenes.labels < 0, LABELS, scenes.labels)
    logits = 50.0 * torch.eye(LABELS + 1).double()[labels]
    centre = (scenes.boxes[..., :2] + scenes.boxes[..., 2:]) / 2
    size = scenes.boxes[..., 2:] - scenes.boxes[..., :2]
    outputs = Outputs(logits, torch.cat([centre, size], dim=-1).logit())
    zeros = torch.zeros(BATCH).double()
    torch.testing.assert_close(set_loss(outputs, scenes, 0.1), zeros)
    wrong = Outputs(logits.flip(-1), outputs.guess)
    assert set_loss(wrong, scenes, 0.1).gt(0.5).all()


@every_kind
def test_the_loss_is_the_mean_over_scenes_of_all_stages(queries):
    model, scenes = made(queries=queries), batch()
    outputs = model(scenes.images)
    assert len(outputs) == STAGES[queries]
    wanted = sum(set_loss(each, scenes, 0.1, 0.2) for each in outputs).mean()
    torch.testing.assert_close(model.loss(scenes, label_smoothing=0.2), wanted)


@every_kind
def test_every_part_learns(queries):
    model = made(queries=queries)
    model.loss(batch()).backward()
    still = [name for name, p in model.named_parameters() if p.grad is None]
    assert still == []


# The answers


@torch.no_grad()
def test_queries_attend_to_each_other_in_both_directions():
    model = made(queries="learned")
    before = model(batch().images)[-1].logits
    for k in range(QUERIES):
        model.learned.data[k] += torch.arange(22)
        moved = (model(batch().images)[-1].logits - before).abs().amax(dim=(0, 2))
        model.learned.data[k] -= torch.arange(22)
        assert moved.gt(1e-9).all()


@torch.no_grad()
def test_the_surest_proposals_become_queries():
    model, images = made(), batch().images
    memory = model.encode(images)
    proposed = model.propose(memory, model.anchors.expand(BATCH, -1, -1))
    sure = proposed.logits.softmax(-1)[..., :-1].amax(-1)
    queries, guess = model.best(proposed, memory)
    for row in range(BATCH):
        chosen = sure[row].argsort(descending=True)[:QUERIES]
        assert torch.equal(guess[row], proposed.guess[row, chosen])
        wanted = memory[row, chosen] + model.place(guess[[row]])[0]
        torch.testing.assert_close(queries[row], wanted)


def test_a_patch_guesses_around_itself():
    boxes = Outputs(torch.zeros(1, 9, 1), made().anchors[None].float()).boxes[0]
    wanted = torch.tensor([1 / 3, 1 / 3, 2 / 3, 2 / 3])
    torch.testing.assert_close(boxes[4], wanted)
    torch.testing.assert_close(boxes[5], wanted + torch.tensor([1.0, 0, 1, 0]) / 3)


@every_kind
def test_find_gives_what_is_surer_than_the_threshold(queries):
    model, images = made(queries=queries), batch().images
    outputs = model(images)[-1]
    everything, some = model.find(images, 0.0), model.find(images, 0.21)
    for row in range(BATCH):
        scores = everything[row].scores
        assert len(scores) == outputs.logits.shape[1]
        assert torch.equal(scores, scores.sort(descending=True).values)
        assert len(some[row].scores) == int((scores > 0.21).sum())
        sure, label = outputs.logits[row].softmax(-1)[:, :-1].max(-1)
        first = sure.argmax()
        assert everything[row].labels[0] == label[first]
        torch.testing.assert_close(everything[row].boxes[0], outputs.boxes[row, first])
    assert 0 < sum(len(each.scores) for each in some) < BATCH * len(scores)


# What is refused


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"patch": 4}, "patches: 4 × 4 in steps of 4 don't cover an image of 15 × 15"),
        ({"n_queries": 10}, "DetectorConfig: 10 queries from the proposals of 9"),
        ({"n_queries": 0}, "DetectorConfig: n_queries is 0"),
    ],
)
def test_what_cannot_be_is_named(changes, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        made(**changes)


def test_unknown_queries_are_named():
    with types_unchecked(), pytest.raises(ValueError, match=r"queries is 'asked'"):
        made(queries="asked")


@pytest.mark.parametrize(("channels", "side"), [(3, SIDE), (CHANNELS, 20)])
def test_images_of_another_size_are_refused(channels, side):
    with pytest.raises(ValueError, match=r"the model reads \(1, 15, 15\): channels"):
        made()(torch.zeros(BATCH, channels, side, side))
