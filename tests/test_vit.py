"""The Vision Transformer: what it sees of an image, and what it doesn't."""

import pytest
import torch
import torch.nn.functional as F

from tt_utils.blocks.patches import patchify, unpatchify
from tt_utils.data.examples import ImageBatch
from tt_utils.models.vit import ViT, ViTConfig

BATCH, CHANNELS, SIDE, PATCH, LABELS = 3, 2, 15, 5, 7
SIZES = {"d_model": 22, "d_ff": 31, "n_heads": 2, "n_layers": 2, "max_len": 11}
SHAPE = {"image": SIDE, "channels": CHANNELS, "patch": PATCH, "n_labels": LABELS}


def made(**changes):
    torch.manual_seed(0)
    config = ViTConfig(**SIZES | SHAPE | {"dropout": 0.0} | changes)
    model = ViT(config).double().eval()
    torch.nn.init.normal_(model.first)
    return model


def images(channels=CHANNELS, side=SIDE):
    torch.manual_seed(1)
    return torch.randn(BATCH, channels, side, side).double()


@torch.no_grad()
def test_every_patch_moves_the_verdict():
    model, before = made(), made()(images())
    assert before.shape == (BATCH, LABELS)
    for place in range(9):
        patches = patchify(images(), PATCH)
        patches[:, place] += 1
        after = model(unpatchify(patches, SIDE, SIDE, PATCH))
        assert (after - before).abs().amax(dim=1).gt(1e-6).all()


@torch.no_grad()
@pytest.mark.parametrize(("positions", "same"), [("none", True), ("learned", False)])
def test_only_positions_tell_the_order_of_the_patches(positions, same):
    model, patches = made(positions=positions), patchify(images(), PATCH)
    shuffled = patches[:, [4, 8, 0, 3, 7, 1, 2, 6, 5]]
    other = unpatchify(shuffled, SIDE, SIDE, PATCH)
    close = torch.allclose(model(images()), model(other), atol=1e-10)
    assert close == same


@torch.no_grad()
def test_its_first_step_is_a_convolution():
    """A matrix for each patch is a convolution whose stride is its width."""
    model = made()
    kernel = model.embed.weight.view(-1, CHANNELS, PATCH, PATCH)
    found = model.embed(patchify(images(), PATCH))
    wanted = F.conv2d(images(), kernel, model.embed.bias, stride=PATCH)
    torch.testing.assert_close(found, wanted.flatten(2).mT, atol=1e-12, rtol=0)


@torch.no_grad()
def test_a_patch_that_is_cut_changes_nothing_any_more():
    model, patches = made(), patchify(images(), PATCH)
    keep = torch.ones(BATCH, 9, dtype=torch.bool)
    torch.testing.assert_close(model(images(), keep), model(images()))
    keep[:, 4] = False
    patches[:, 4] += 1
    other = unpatchify(patches, SIDE, SIDE, PATCH)
    torch.testing.assert_close(model(images(), keep), model(other, keep))
    assert (model(images(), keep) - model(images())).abs().amax(dim=1).gt(1e-6).all()


@torch.no_grad()
def test_patches_may_overlap():
    config = made(stride=2, max_len=37).config
    assert config.n_patches == 36
    assert made(stride=2, max_len=37).states(images()).shape == (BATCH, 37, 22)


@torch.no_grad()
def test_the_loss_is_the_cross_entropy_of_its_logits():
    labels = torch.tensor([3, 0, 6])
    found = made().loss(ImageBatch(images(), labels), label_smoothing=0.1)
    wanted = F.cross_entropy(made()(images()), labels, label_smoothing=0.1)
    assert found.item() == pytest.approx(wanted.item())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"patch": 4}, "patches: 4 × 4 in steps of 4 don't cover an image of 15 × 15"),
        (
            {"max_len": 9},
            "ViTConfig: 9 patches and a token that gathers need max_len=10",
        ),
        ({"channels": 0}, "ViTConfig: channels is 0; it must be at least 1."),
    ],
)
def test_what_cannot_be_is_named(changes, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        made(**changes)


@pytest.mark.parametrize(("channels", "side"), [(3, SIDE), (CHANNELS, 20)])
def test_images_of_another_size_are_refused(channels, side):
    with pytest.raises(ValueError, match=r"the model reads \(2, 15, 15\): channels"):
        made()(images(channels, side))
