"""How well a model foresees texts: bits per character."""

import math
from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from tt_utils.data.batching import pad
from tt_utils.models.gpt import GPT
from tt_utils.modes import evaluating

ROWS = 128  # at once


def log_probabilities(
    model: GPT, texts: Sequence[Sequence[int]]
) -> list[Float[np.ndarray, " t"]]:
    """Score every token of each text but the first, in nats."""
    device, found = model.head.weight.device, []
    with evaluating(model):
        for i in range(0, len(texts), ROWS):
            rows = texts[i : i + ROWS]
            tokens = pad(rows, model.config.pad_id).to(device)  # (batch, t)
            logits = model(tokens[:, :-1])  # (batch, t - 1, vocab)
            scores = logits.float().log_softmax(-1).gather(2, tokens[:, 1:, None])
            pairs = zip(rows, scores[..., 0].cpu().numpy(), strict=True)
            found += [each[: len(row) - 1] for row, each in pairs]
    return found


def bits_per_character(
    scores: Sequence[Float[np.ndarray, " t"]], texts: Sequence[str]
) -> float:
    """Divide what all tokens cost by the number of characters.

    A token of probability p costs −log₂ p bits. The end of a text counts as a
    character. So models with different vocabularies can be compared.
    """
    nats = -sum(float(each.sum()) for each in scores)
    return nats / math.log(2) / sum(len(text) + 1 for text in texts)


def mixed(
    first: Sequence[Float[np.ndarray, " t"]], second: Sequence[Float[np.ndarray, " t"]]
) -> list[Float[np.ndarray, " t"]]:
    """Average the probabilities that two models give to each token, in nats again."""
    return [
        np.logaddexp(a, b) - math.log(2) for a, b in zip(first, second, strict=True)
    ]
