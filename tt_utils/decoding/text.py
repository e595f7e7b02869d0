"""Texts that go on: a decoder-only model writes behind what it was given."""

from collections.abc import Collection, Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor

from tt_utils.blocks.cache import KeyValueCache
from tt_utils.decoding.search import sampling, stream
from tt_utils.models.gpt import GPT
from tt_utils.modes import evaluating

Ids = Sequence[int]


def generate(
    model: GPT,
    texts: Sequence[Ids],
    max_len: int = 64,
    *,
    stop: Collection[int] = (),
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    generator: torch.Generator | None = None,
) -> list[list[int]]:
    """Write on, behind texts of any length, until each has ended.

    A text ends with </s> or with one of the ids `stop`, which are not part of the
    answer; else after max_len tokens, or where the model has no more positions. The
    options are those of `sampling`; `top_k=1` is greedy decoding.

    Raises:
        ValueError: as `TextStepper` and `sampling`.
    """
    ends = {model.config.eos_id, *stop}
    draw = sampling(temperature, top_k, top_p, generator)
    with evaluating(model):
        stepper, said = TextStepper(model, texts, max_len), []
        last = torch.tensor(sorted(ends), device=stepper.word.device)
        over = torch.zeros_like(stepper.word, dtype=torch.bool)
        for word in stream(stepper, draw):
            said.append(word)
            over |= torch.isin(word, last)
            if over.all():
                break
    return [up_to(row, ends) for row in torch.stack(said, dim=1).tolist()]


def up_to(row: list[int], ends: Collection[int]) -> list[int]:
    """Cut before the first id that ends a text."""
    cut = next((i for i, token in enumerate(row) if token in ends), len(row))
    return row[:cut]


class TextStepper:
    """The beginnings of texts, one row each, whatever their lengths.

    The shorter ones get padding before them. There is room for `max_len` more tokens,
    or for as many as the model has positions.

    Raises:
        ValueError: there is no text, an empty one, one that fills all positions, no
            room for a token, or ids in place of texts.
    """

    def __init__(self, model: GPT, texts: Sequence[Ids], max_len: int) -> None:
        if any(isinstance(ids, int) for ids in texts):
            raise ValueError(
                "decoding: texts is a list of ids; give a list of texts, each a list "
                "of ids: [ids]."
            )
        config, lengths = model.config, [len(ids) for ids in texts]
        if not lengths or not min(lengths) or max_len < 1:
            raise ValueError(
                f"decoding: {len(lengths)} texts, the shortest of "
                f"{min(lengths, default=0)} tokens, and max_len={max_len}; give at "
                "least one text, <s> to begin with, and room for a token."
            )
        longest = max(lengths)
        if longest > config.max_len:
            raise ValueError(
                f"decoding: a text of {longest} tokens; the model has {config.max_len} "
                "positions. Leave out its beginning."
            )
        self.model = model
        self.pad_id, self.eos_id = config.pad_id, config.eos_id
        # The last token is written and never read.
        self.max_len = min(max_len, config.max_len - longest + 1)
        device = model.head.weight.device
        rows = [[self.pad_id] * (longest - len(ids)) + list(ids) for ids in texts]
        tokens = torch.tensor(rows, device=device)  # (batch, longest)
        pads = longest - torch.tensor(lengths, device=device)
        self.pads = pads if pads.any() else None
        room = longest - 1 + self.max_len
        self.caches = [KeyValueCache(room) for _ in model.stack.layers]
        if longest > 1:
            model.states(tokens[:, :-1], self.pads, self.caches)
        self.word = tokens[:, -1]

    def next_logits(self) -> Float[Tensor, "rows vocab"]:
        """Score every successor of each row's last token in one cached step."""
        x = self.model.states(self.word[:, None], self.pads, self.caches)
        return self.model.head(x[:, -1])

    def select(self, rows: Int[Tensor, " chosen"]) -> None:
        """Go on with these rows in place of all: fewer, more, or in another order."""
        self.word = self.word[rows]
        if self.pads is not None:
            self.pads = self.pads[rows]
        for cache in self.caches:
            cache.select(rows)
