"""What decoding asks of a model, whatever it writes, and how translation answers."""

from typing import Protocol, runtime_checkable

import torch
from jaxtyping import Float, Int
from torch import Tensor

from tt_utils.blocks.cache import DecoderCache
from tt_utils.blocks.masks import padding_mask
from tt_utils.models.transformer import Transformer


@runtime_checkable
class Stepper(Protocol):
    """Rows of text under way, in any model: each call scores their next words.

    `word` holds the last word of each row, and whoever chooses sets it. `max_len` is
    how many words there is room for.
    """

    word: Int[Tensor, " rows"]
    pad_id: int
    eos_id: int
    max_len: int

    def next_logits(self) -> Float[Tensor, "rows vocab"]:
        """Read each row's last word and score every successor; once per word."""

    def select(self, rows: Int[Tensor, " chosen"]) -> None:
        """Go on with these rows in place of all: fewer, more, or in another order."""


class TranslationStepper:
    """The translations of a batch, one row for each source sentence at first.

    The memory is computed and projected once per sentence. There is room for `max_len`
    words, or for as many as the model has positions.

    Raises:
        ValueError: there is no sentence, or no room for a single word.
    """

    def __init__(
        self, model: Transformer, src: Int[Tensor, "batch t_src"], max_len: int
    ) -> None:
        if not src.numel() or max_len < 1:
            raise ValueError(
                f"decoding: src has shape {tuple(src.shape)} and max_len={max_len}; "
                "give at least one sentence of one token, and room for a word."
            )
        config = model.config
        self.model = model
        self.pad_id, self.eos_id = config.pad_id, config.eos_id
        self.max_len = min(max_len, config.max_len)
        self.src_mask = padding_mask(src, config.pad_id)  # (batch, 1, 1, t_src)
        self.memory = model.encode(src, self.src_mask)  # (batch, t_src, d_model)
        self.cache = DecoderCache(config.n_decoder_layers, src.shape[1], self.max_len)
        self.word = src.new_full((len(src),), config.bos_id)
        self.source = torch.arange(len(src), device=src.device)  # of each row

    def next_logits(self) -> Float[Tensor, "rows vocab"]:
        """Score every successor of each row's last word in one cached step."""
        x = self.model.decode(
            self.word[:, None], self.memory, self.src_mask, self.cache
        )
        return self.model.generator(x[:, -1])

    def select(self, rows: Int[Tensor, " chosen"]) -> None:
        """Go on with these rows; where none changes its source, its keys stay."""
        source = self.source[rows]
        sources_move = not source.equal(self.source)
        self.cache.select(rows, sources_move=sources_move)
        if sources_move:
            self.memory, self.src_mask = self.memory[rows], self.src_mask[rows]
        self.word, self.source = self.word[rows], source
