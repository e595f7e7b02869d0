"""The page's Vision Transformer: what is written down of it, and how it comes back."""

import gzip

import pytest
import torch
from safetensors.torch import load

from tt_utils.data.digits import Digits
from tt_utils.figures.model_file import page_tensors, restore
from tt_utils.figures.vit_file import describe_vit, examples_of, pack_vit
from tt_utils.models.vit import ViT, ViTConfig

SIZES = {"d_model": 6, "d_ff": 11, "n_heads": 3, "n_layers": 2, "max_len": 37}


def made(**changes):
    torch.manual_seed(0)
    config = ViTConfig(**SIZES | {"patch": 3, "stride": 1} | changes)
    return ViT(config).eval()


def images(count=5):
    torch.manual_seed(1)
    return torch.randint(17, (count, 1, 8, 8)) / 16


@torch.no_grad()
def test_the_rounded_model_says_nearly_the_same():
    model = made()
    before = model(images())
    restore(model, page_tensors(model))
    after = model(images())
    assert 0 < (after - before).abs().max() < 0.1


def test_the_same_model_gives_the_same_file_with_every_tensor():
    data, entry = pack_vit(made(), "digits")
    assert pack_vit(made(), "digits") == (data, entry)
    assert entry["file"] == "digits.safetensors.gz"
    tensors = load(gzip.decompress(data))
    assert {name.removesuffix(".scale") for name in tensors} == set(made().state_dict())


def test_patches_that_do_not_overlap_are_as_far_apart_as_they_are_wide():
    info = describe_vit(made(patch=2, stride=None), [{"step": 7}], seed=5)
    assert info["config"]["stride"] == info["config"]["patch"] == 2
    assert info["seed"] == 5
    assert info["snapshots"] == [{"step": 7}]


def test_examples_are_counts_of_ink():
    digits = Digits(images(3), torch.tensor([7, 0, 2]))
    found = examples_of(digits)
    assert [one["digit"] for one in found] == [7, 0, 2]
    back = torch.tensor([one["image"] for one in found])[:, None] / 16
    assert torch.equal(back, digits.images)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("image", 10),
        ("channels", 3),
        ("n_labels", 7),
        ("norm_first", False),
        ("final_norm", False),
        ("norm", "rms"),
        ("norm_eps", 0.01),
        ("activation", "relu"),
        ("bias", False),
        ("positions", "sinusoidal"),
        ("n_kv_heads", 1),
    ],
)
def test_what_the_engine_cannot_compute_is_refused(setting, value):
    model = made(**{"max_len": 65, setting: value})
    with pytest.raises(ValueError, match=f"^The model has {setting}={value!r}; "):
        pack_vit(model, "digits")
