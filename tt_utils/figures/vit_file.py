"""A Vision Transformer for digits in files small enough for a web page."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from tt_utils.data.digits import GREYS, KINDS, SIDE, Digits
from tt_utils.figures.model_file import pack
from tt_utils.models.vit import ViT

VIT_INFO = "digits.json"
VIT_SIZES = ("d_model", "n_heads", "n_layers", "patch", "stride")
VIT_WANTED = {
    "image": SIDE,
    "channels": 1,
    "n_labels": KINDS,
    "norm_first": True,
    "final_norm": None,
    "norm": "layer",
    "norm_eps": None,
    "activation": "gelu",
    "bias": True,
    "positions": "learned",
    "n_kv_heads": None,
}


def pack_vit(model: ViT, name: str) -> tuple[bytes, dict[str, Any]]:
    """Give one model's file, and what the page needs to find and to check it.

    Raises:
        ValueError: the page's engine can't compute such a model.
    """
    return pack(model, name, VIT_WANTED)


def describe_vit(
    model: ViT, snapshots: Sequence[Mapping[str, Any]], **about: Any
) -> dict[str, Any]:
    """List all that the page needs beside the numbers."""
    sizes = asdict(model.config) | {"stride": model.config.step}
    return {
        **about,
        "config": {name: sizes[name] for name in VIT_SIZES},
        "snapshots": list(snapshots),
    }


def examples_of(digits: Digits) -> list[dict[str, Any]]:
    """List images as the page draws them: ink from 0 to 16, as the data set counts."""
    images = (digits.images[:, 0] * GREYS).round().long()  # (batch, 8, 8)
    return [
        {"digit": int(label), "image": image.tolist()}
        for image, label in zip(images, digits.labels, strict=True)
    ]
