"""What [CLS] attends to, and what becomes of a verdict when it may not.

An image's gathering token is a [CLS], too.
"""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tt_utils.blocks.masks import padding_mask
from tt_utils.blocks.recording import record_attention
from tt_utils.models.bert import Classifier

Tokens = Int[Tensor, "batch t"]
Chosen = Bool[Tensor, "batch t"]


@torch.inference_mode()
def cls_attention(
    model: nn.Module, inputs: Float[Tensor, "batch ..."] | Int[Tensor, "batch ..."]
) -> Float[Tensor, "batch t"]:
    """Average over the last layer's heads how [CLS] shares its attention out.

    `inputs` are what the model reads: tokens, or images; [CLS] stands at position 0.
    """
    with record_attention(model) as weights:
        model(inputs)
    *_, last = weights.values()  # (batch, heads, t, t)
    return last[:, :, 0].mean(dim=1)


@torch.inference_mode()
def logits_without(
    model: Classifier, tokens: Tokens, cut: Chosen
) -> Float[Tensor, "batch labels"]:
    """Classify while [CLS] may attend to none of the cut tokens, in no layer.

    The other tokens still may: what they read of a cut one can reach [CLS] through
    them.
    """
    mask = padding_mask(tokens, model.config.pad_id)
    mask = mask.repeat(1, 1, tokens.shape[1], 1)  # (batch, 1, t, t)
    mask[:, 0, 0] &= ~cut  # the row of [CLS]
    states = model.stack(model.embedding(tokens), mask)
    return model.head(states[:, 0])


def words_of(tokens: Tokens, bos_id: int, eos_id: int, pad_id: int) -> Chosen:
    """Say which tokens are words: neither <s> nor </s> nor padding."""
    return ~torch.isin(tokens, torch.tensor([bos_id, eos_id, pad_id]))


def highest(scores: Float[Tensor, "batch t"], among: Chosen, k: int) -> Chosen:
    """Mark the k highest scores of each row among those allowed.

    Raises:
        ValueError: a row has fewer than k.
    """
    fewest = int(among.sum(dim=1).min())
    if not 1 <= k <= fewest:
        raise ValueError(f"highest: k is {k}; a row has only {fewest} to choose from.")
    places = scores.masked_fill(~among, -torch.inf).topk(k, dim=1).indices
    return torch.zeros_like(among).scatter(1, places, True)
