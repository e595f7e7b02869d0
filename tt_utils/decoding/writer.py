"""A trained decoder-only model with its vocabulary: it writes on behind a beginning."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from tt_utils.data.tokenizer import Tokenizer
from tt_utils.decoding.text import generate
from tt_utils.decoding.trained import TextError, load_trained
from tt_utils.models.gpt import GPT


@dataclass(frozen=True)
class Writer:
    """Write texts; `about` says what the model was trained on."""

    model: GPT
    tokenizer: Tokenizer
    about: dict[str, Any]

    @classmethod
    def load(
        cls, checkpoint: Path | str, device: torch.device | str = "cpu"
    ) -> "Writer":
        """Read what a training wrote, with the vocabulary kept in it.

        Raises:
            CheckpointError: it is missing, damaged, or its parts don't fit.
        """
        model, tokenizers, about = load_trained(checkpoint, GPT)
        return cls(model.to(device), tokenizers[0], about)

    def write(
        self, beginnings: Sequence[str], max_len: int = 40, **how: Any
    ) -> list[str]:
        """Give each beginning with what the model writes behind it, up to its end.

        An empty beginning leaves everything to the model. `how` are the options of
        `generate`.

        Raises:
            TextError: a beginning fills all the positions that the model has.
            ValueError: as `generate`.
        """
        texts = [[self.tokenizer.eos_id, *self.begin(text)] for text in beginnings]
        written = generate(self.model, texts, max_len, **how)
        whole = (text[1:] + more for text, more in zip(texts, written, strict=True))
        return [self.tokenizer.decode(ids) for ids in whole]

    def begin(self, text: str) -> list[int]:
        """Turn the beginning of a text into ids; one may be empty."""
        ids = self.tokenizer.encode(text) if text.strip() else []
        room = self.model.config.max_len - 1
        if len(ids) >= room:
            raise TextError(
                f"the beginning has {len(ids):,} tokens, the model has {room} places "
                "for it and what follows; shorten it."
            )
        return ids
