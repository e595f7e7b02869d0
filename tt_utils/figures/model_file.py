"""A trained model in files small enough for a web page.

Every row of a table becomes whole numbers, at most from -127 to 127, and one scale.
"""

import gzip
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float, Int8
from safetensors.torch import save
from torch import Tensor, nn

from tt_utils.atomic_write import write_atomically
from tt_utils.checkpoint import fill, own_tensors
from tt_utils.data.grammar import SentencePair
from tt_utils.data.tokenizer import Tokenizer, WordTokenizer
from tt_utils.models.transformer import Transformer

INFO = "model.json"
DESCRIPTION = "description"  # in the header of a whole file
SIZES = ("d_model", "n_heads", "n_encoder_layers", "n_decoder_layers", "max_len")
SMALLEST_HALF = 2.0**-24
WANTED = {
    "norm_first": True,
    "positions": "sinusoidal",
    "tie_embeddings": "target",
    "final_norm": None,
    "norm": "layer",
    "norm_eps": None,
    "activation": "relu",
    "bias": True,
    "n_kv_heads": None,
}


def rows_to_bytes(
    table: Float[Tensor, "rows columns"], largest: int = 127
) -> tuple[Int8[Tensor, "rows columns"], Float[Tensor, " rows"]]:
    """Round each row to whole numbers; times its scale it is nearly the row again."""
    # The scale is rounded first, so that the whole numbers suit what the page reads.
    scale = (table.abs().amax(dim=1) / largest).half()
    steps = table / scale.float().clamp(min=SMALLEST_HALF)[:, None]
    return steps.round().clamp(-largest, largest).to(torch.int8), scale


def page_tensors(model: nn.Module, largest: int = 127) -> dict[str, Tensor]:
    """List what the page's engine reads; a tied table is there once.

    With a smaller `largest` the numbers are rounded more coarsely, and compress better.
    """
    tensors = {}
    for name, tensor in own_tensors(model).items():
        if tensor.ndim == 2:
            tensors[name], tensors[f"{name}.scale"] = rows_to_bytes(tensor, largest)
        else:
            tensors[name] = tensor.half()
    return tensors


def restore(model: nn.Module, tensors: Mapping[str, Tensor]) -> None:
    """Fill a model with what the page will calculate with, rounding included."""
    state = {}
    for name, tensor in tensors.items():
        if name.endswith(".scale"):
            continue
        scale = tensors.get(f"{name}.scale")
        rows = 1.0 if scale is None else scale.float()[:, None]
        state[name] = tensor.float() * rows
    fill(model, state)


def pack(
    model: nn.Module,
    name: str,
    wanted: Mapping[str, Any] = WANTED,
    largest: int = 127,
) -> tuple[bytes, dict[str, Any]]:
    """Give one model's file, and what the page needs to find and to check it.

    Raises:
        ValueError: the page's engine can't compute such a model: a setting of its
            config is not the one `wanted`.
    """
    check_settings(model, wanted)
    numbers = save(page_tensors(model, largest))
    entry = {
        "file": f"{name}.safetensors.gz",
        "sha256": hashlib.sha256(numbers).hexdigest(),
    }
    # Without a time stamp the same numbers give the same file.
    return gzip.compress(numbers, mtime=0), entry


def pack_whole(
    model: Transformer,
    words: tuple[Tokenizer, Tokenizer],
    examples: Sequence[SentencePair] = (),
) -> bytes:
    """Give one file with numbers and description, which the page of the film opens.

    It is safetensors, compressed by gzip, with the description as JSON in its header:
    whoever reads it runs no code.

    Raises:
        ValueError: the page's engine can't compute such a model, or a token is not a
            word.
    """
    check_settings(model, WANTED)
    description = json.dumps(describe(model, words, [], examples), ensure_ascii=False)
    numbers = save(page_tensors(model), metadata={DESCRIPTION: description})
    return gzip.compress(numbers, mtime=0)


def check_settings(model: nn.Module, wanted: Mapping[str, Any]) -> None:
    """Refuse a model that the page's engine can't compute.

    Raises:
        ValueError: a setting of its config is not the one `wanted`.
    """
    for setting, value in wanted.items():
        if (found := getattr(model.config, setting)) != value:
            raise ValueError(
                f"The model has {setting}={found!r}; the page's engine computes "
                f"{value!r} only."
            )


def describe(
    model: Transformer,
    words: tuple[Tokenizer, Tokenizer],
    snapshots: Sequence[Mapping[str, Any]],
    examples: Sequence[SentencePair],
    **about: Any,
) -> dict[str, Any]:
    """List all that the page needs beside the numbers; the last snapshot is shown.

    Raises:
        ValueError: a token is not a word.
    """
    for tokenizer in words:
        if not isinstance(tokenizer, WordTokenizer):
            raise ValueError(
                f"The vocabulary is a {type(tokenizer).__name__}; the page's engine "
                "reads whole words, those of a WordTokenizer."
            )
    config = asdict(model.config)
    return {
        **about,
        "config": {name: config[name] for name in SIZES},
        "words": {
            side: tokenizer.words
            for side, tokenizer in zip(("source", "target"), words, strict=True)
        },
        "snapshots": list(snapshots),
        "examples": [
            {
                "source": " ".join(pair.source),
                "target": " ".join(pair.target),
                "sure": sorted(pair.sure),
                "possible": sorted(pair.alignment - pair.sure),
            }
            for pair in examples
        ],
    }


def write_info(folder: Path, info: Mapping[str, Any], name: str = INFO) -> None:
    """Write what `describe` gave."""
    text = json.dumps(info, ensure_ascii=False, separators=(",", ":"))
    write_atomically(folder / name, text.encode())
