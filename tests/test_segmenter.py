"""The segmenter: which token labels which pixel, and what a token may see."""

from itertools import product

import pytest
import torch
import torch.nn.functional as F

from tt_utils.blocks.patches import patchify, unpatchify
from tt_utils.data.scenes import SceneBatch
from tt_utils.models.segmenter import Segmenter, SegmenterConfig, labels_of
from tt_utils.models.vit import ViT, ViTConfig

BATCH, CHANNELS, SIDE, PATCH, LABELS = 3, 2, 25, 5, 7
SIZES = {"d_model": 22, "d_ff": 31, "n_heads": 2, "n_layers": 2, "max_len": 29}
SHAPE = {"image": SIDE, "channels": CHANNELS, "patch": PATCH, "n_labels": LABELS}
MIDDLE = 12  # the patch in row 2, column 2, of 5 × 5


def made(**changes):
    torch.manual_seed(0)
    config = SegmenterConfig(**SIZES | SHAPE | {"dropout": 0.0} | changes)
    return Segmenter(config).double().eval()


def images(channels=CHANNELS, side=SIDE):
    torch.manual_seed(1)
    return torch.randn(BATCH, channels, side, side).double()


def moved_by(model, place):
    """Say which patches' logits change when one patch of the image does."""
    patches = patchify(images(), PATCH)
    patches[:, place] += 1
    other = unpatchify(patches, SIDE, SIDE, PATCH)
    return changed(model(other) - model(images()))


def changed(difference):
    moved = patchify(difference, PATCH).abs().amax(dim=(0, 2)) > 1e-9
    return set(torch.nonzero(moved)[:, 0].tolist())


@torch.no_grad()
def test_each_token_labels_the_pixels_of_its_own_patch():
    model = made()
    before, states = model(images()), model.states(images())
    assert before.shape == (BATCH, LABELS, SIDE, SIDE)
    other = states.clone()
    other[:, 13] += 1
    logits = [unpatchify(model.head(x), SIDE, SIDE, PATCH) for x in (states, other)]
    assert torch.equal(logits[0], before)
    assert changed(logits[1] - logits[0]) == {13}


@torch.no_grad()
def test_a_token_has_logits_of_its_own_for_each_pixel():
    model = made()
    said = model.head(model.states(images()))[:, MIDDLE]
    said = said.view(BATCH, LABELS, PATCH, PATCH)
    assert torch.equal(model(images())[:, :, 10:15, 10:15], said)


@torch.no_grad()
def test_where_patches_overlap_their_logits_are_added():
    model = made(patch=7, stride=3, max_len=50)  # 7 × 7 patches
    states, found = model.states(images()), torch.zeros(BATCH, LABELS, SIDE, SIDE)
    said = model.head(states).view(BATCH, 7, 7, LABELS, 7, 7)
    found = found.double()
    for row, column in product(range(7), range(7)):
        down, across = slice(3 * row, 3 * row + 7), slice(3 * column, 3 * column + 7)
        found[:, :, down, across] += said[:, row, column]
    torch.testing.assert_close(model(images()), found)


@torch.no_grad()
def test_without_a_reach_every_patch_moves_every_other():
    assert all(moved_by(made(), place) == set(range(25)) for place in (0, 7, MIDDLE))


@torch.no_grad()
@pytest.mark.parametrize(
    ("reach", "layers", "wanted"),
    [
        (0, 2, {MIDDLE}),
        (1, 1, {6, 7, 8, 11, 12, 13, 16, 17, 18}),
        (1, 2, set(range(25))),  # the neighbours' neighbours
    ],
)
def test_layers_add_up_their_reach(reach, layers, wanted):
    assert moved_by(made(reach=reach, n_layers=layers), MIDDLE) == wanted


@torch.no_grad()
def test_a_reach_does_not_go_round_the_edge():
    """Patch 4 ends the first row; patch 5 begins the second."""
    model = made(reach=1, n_layers=1)
    assert moved_by(model, 4) == {3, 4, 8, 9}


@torch.no_grad()
def test_a_reach_of_all_is_no_reach():
    torch.testing.assert_close(made(reach=4)(images()), made()(images()))


@torch.no_grad()
@pytest.mark.parametrize(("positions", "follow"), [("none", True), ("learned", False)])
def test_without_positions_the_labels_follow_their_patches(positions, follow):
    model, order = made(positions=positions), torch.randperm(25)
    shuffled = unpatchify(patchify(images(), PATCH)[:, order], SIDE, SIDE, PATCH)
    wanted = patchify(model(images()), PATCH)[:, order]
    found = patchify(model(shuffled), PATCH)
    assert torch.allclose(found, wanted, atol=1e-10) == follow


@torch.no_grad()
def test_its_stack_is_the_vit_s_without_the_token_in_front():
    model = made()
    torch.manual_seed(0)
    other = ViT(ViTConfig(**SIZES | SHAPE | {"dropout": 0.0})).double().eval()
    own = model.state_dict()
    shared = {k: v for k, v in own.items() if not k.startswith("head")}
    missing, unknown = other.load_state_dict(shared, strict=False)
    assert set(missing) == {"first", "head.weight", "head.bias"}
    assert unknown == []


@torch.no_grad()
def test_its_loss_is_the_mean_over_all_pixels():
    model, pixels = made(), torch.randint(LABELS, (BATCH, SIDE, SIDE))
    batch = SceneBatch(
        images().float()[:, :1],
        torch.zeros(BATCH, 4, 4),
        torch.zeros(BATCH, 4).long(),
        pixels,
    )
    model = made(channels=1)
    logits = model(batch.images).movedim(1, -1).reshape(-1, LABELS)
    for smoothing in (0.0, 0.3):
        wanted = F.cross_entropy(logits, pixels.flatten(), label_smoothing=smoothing)
        torch.testing.assert_close(model.loss(batch, smoothing), wanted)


def test_labels_are_those_of_the_largest_logits_without_dropout():
    model = made(dropout=0.5).train()
    found = labels_of(model, images())
    assert torch.equal(found, model.eval()(images()).argmax(1))
    assert found.shape == (BATCH, SIDE, SIDE)


def test_what_does_not_fit_is_refused():
    with pytest.raises(
        ValueError, match=r"shape \(2, 20, 20\); the model reads \(2, 25"
    ):
        made()(images(side=20))
    with pytest.raises(ValueError, match="reach is -1"):
        SegmenterConfig(**SIZES | SHAPE | {"reach": -1})
    with pytest.raises(ValueError, match="don't cover"):
        SegmenterConfig(**SIZES | SHAPE | {"patch": 4})
