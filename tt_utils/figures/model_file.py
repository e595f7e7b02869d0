"""A trained translator in files small enough for a web page.

Every row of a table becomes whole numbers from -127 to 127 and one scale.
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
from torch import Tensor

from tt_utils.data.grammar import SentencePair
from tt_utils.files import write_atomically
from tt_utils.tokenizer import WordTokenizer
from tt_utils.transformer import Transformer

INFO = "model.json"
SIZES = ("d_model", "n_heads", "n_encoder_layers", "n_decoder_layers", "max_len")
SMALLEST_HALF = 2.0**-24
WANTED = {"norm_first": True, "positions": "sinusoidal", "tie_embeddings": "target"}


def rows_to_bytes(
    table: Float[Tensor, "rows columns"],
) -> tuple[Int8[Tensor, "rows columns"], Float[Tensor, " rows"]]:
    """Round each row to 255 steps; a row times its scale is nearly the row again."""
    # The scale is rounded first, so that the whole numbers suit what the page reads.
    scale = (table.abs().amax(dim=1) / 127).half()
    steps = table / scale.float().clamp(min=SMALLEST_HALF)[:, None]
    return steps.round().clamp(-127, 127).to(torch.int8), scale


def page_tensors(model: Transformer) -> dict[str, Tensor]:
    """List what the page's engine reads; the tied output table is there once."""
    tensors = {}
    for name, tensor in model.state_dict().items():
        if name == "generator.weight":
            continue
        if tensor.ndim == 2:
            tensors[name], tensors[f"{name}.scale"] = rows_to_bytes(tensor)
        else:
            tensors[name] = tensor.half()
    return tensors


def restore(model: Transformer, tensors: Mapping[str, Tensor]) -> None:
    """Fill a model with what the page will calculate with, rounding included."""
    state = {}
    for name, tensor in tensors.items():
        if name.endswith(".scale"):
            continue
        scale = tensors.get(f"{name}.scale")
        rows = 1.0 if scale is None else scale.float()[:, None]
        state[name] = tensor.float() * rows
    state["generator.weight"] = state["tgt_embedding.table.weight"]
    model.load_state_dict(state)


def write_snapshot(model: Transformer, folder: Path, name: str) -> dict[str, Any]:
    """Write one model's numbers; return what the page needs to fetch them.

    Raises:
        ValueError: the page's engine can't compute such a model.
    """
    for setting, value in WANTED.items():
        if getattr(model.config, setting) != value:
            raise ValueError(
                f"write_snapshot: the model has {setting}="
                f"{getattr(model.config, setting)!r}; the page's engine computes "
                f"{value!r} only."
            )
    numbers = save(page_tensors(model))
    file = f"{name}.safetensors.gz"
    folder.mkdir(parents=True, exist_ok=True)
    # Without a time stamp the same numbers give the same file.
    write_atomically(folder / file, gzip.compress(numbers, mtime=0))
    return {"file": file, "sha256": hashlib.sha256(numbers).hexdigest()}


def write_info(
    folder: Path,
    model: Transformer,
    words: tuple[WordTokenizer, WordTokenizer],
    snapshots: Sequence[Mapping[str, Any]],
    examples: Sequence[SentencePair],
    **about: Any,
) -> None:
    """Write all that the page needs beside the numbers; the last snapshot is shown."""
    config = asdict(model.config)
    info = {
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
    text = json.dumps(info, ensure_ascii=False, separators=(",", ":"))
    write_atomically(folder / INFO, text.encode())
