"""The models of the book's pages, in Python: trained, small, and always at hand."""

import gzip
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from safetensors.torch import load
from torch import Tensor

from tt_utils.data.tokenizer import SPECIAL, WordTokenizer
from tt_utils.decoding.translator import Translator
from tt_utils.figures.bundle import MODEL
from tt_utils.figures.model_file import INFO, WANTED, restore
from tt_utils.figures.vit_file import VIT_INFO, VIT_WANTED
from tt_utils.models.transformer import Transformer, TransformerConfig
from tt_utils.models.vit import ViT, ViTConfig


def page_translator(step: int | None = None, folder: Path = MODEL) -> Translator:
    """Rebuild the translator of the book's pages, in evaluation mode.

    Its weights are those that the page calculates with, rounded to 8 bits. `step`
    chooses an earlier state of the same training, 0 for the random start; None is the
    last one. `about` says how it came to be, and the share of unseen sentences that it
    translates exactly.

    Raises:
        ValueError: there is no such step, or the file is not the one described.
    """
    info = json.loads((folder / INFO).read_text(encoding="utf-8"))
    by_step = {snapshot["step"]: snapshot for snapshot in info["snapshots"]}
    step = max(by_step) if step is None else step
    if step not in by_step:
        raise ValueError(
            f"page_translator: there is no step {step}; choose one of "
            f"{', '.join(map(str, by_step))}."
        )
    snapshot = by_step[step]
    tensors = read_numbers(folder, snapshot, "page_translator")
    source, target = (
        WordTokenizer(info["words"][side][len(SPECIAL) :])
        for side in ("source", "target")
    )
    config = TransformerConfig(
        src_vocab_size=len(source),
        tgt_vocab_size=len(target),
        d_ff=len(tensors["encoder.layers.0.feed_forward.widen.bias"]),
        **info["config"],
        **WANTED,
    )
    model = Transformer(config)
    restore(model, tensors)
    about = {name: snapshot[name] for name in ("step", "exact")}
    about["origin"] = info["origin"]
    return Translator(model.eval(), source, target, about)


def page_vit(folder: Path = MODEL) -> ViT:
    """Rebuild the ViT that reads digits in the book's pages, in evaluation mode.

    Its weights are those that the page calculates with, rounded to 8 bits.

    Raises:
        ValueError: the file is not the one described.
    """
    info = json.loads((folder / VIT_INFO).read_text(encoding="utf-8"))
    tensors = read_numbers(folder, info["snapshots"][-1], "page_vit")
    config = ViTConfig(
        d_ff=len(tensors["stack.layers.0.feed_forward.widen.bias"]),
        max_len=len(tensors["positions.table"]),
        **info["config"],
        **VIT_WANTED,
    )
    model = ViT(config)
    restore(model, tensors)
    return model.eval()


def read_numbers(
    folder: Path, snapshot: Mapping[str, Any], caller: str
) -> dict[str, Tensor]:
    """Unpack a snapshot's tensors and check them.

    Raises:
        ValueError: the file is not the one described.
    """
    numbers = gzip.decompress((folder / snapshot["file"]).read_bytes())
    if hashlib.sha256(numbers).hexdigest() != snapshot["sha256"]:
        raise ValueError(
            f"{caller}: {snapshot['file']} is damaged; check the book out anew."
        )
    return load(numbers)
