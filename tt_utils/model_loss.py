"""A model with its loss: what training lowers and validation reads."""

from collections.abc import Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from tt_utils.data.batching import IdPair, token_batches
from tt_utils.loss import linear_cross_entropy
from tt_utils.training_config import TrainingConfig
from tt_utils.transformer import Transformer

HALF = {"bf16": torch.bfloat16, "fp16": torch.float16}


class ModelWithLoss(nn.Module):
    """A model that answers with its loss: what DDP wraps and several processes share.

    Products are in `config.precision`, all else in that of the weights.
    """

    def __init__(self, model: Transformer, config: TrainingConfig) -> None:
        super().__init__()
        self.model = model
        self.hidden = model.hidden
        if config.compile:
            self.hidden = torch.compile(model.hidden, dynamic=True)
        self.label_smoothing = config.label_smoothing
        self.half = HALF.get(config.precision)

    def forward(
        self,
        src: Int[Tensor, "batch t_src"],
        tgt: Int[Tensor, "batch t_tgt"],
        real: Int[Tensor, " n"],
        labels: Int[Tensor, " n"],
    ) -> Float[Tensor, ""]:
        """Average over the real tokens; `real` are their places in the flat target."""
        with torch.autocast(src.device.type, self.half, enabled=self.half is not None):
            x = self.hidden(src, tgt).flatten(0, 1)[real]
        weight = self.model.generator.weight
        return linear_cross_entropy(
            x.to(self.half or x.dtype), weight, labels, self.label_smoothing
        )


@torch.no_grad()
def validation_loss(
    model: Transformer, pairs: Sequence[IdPair], max_tokens: int = 4_096
) -> float:
    """Average the loss over the real tokens of pairs that nobody trains on.

    Without label smoothing, so that e^loss is the perplexity. Whether units drop out
    is for the model's mode to say.
    """
    device = next(model.parameters()).device
    total, tokens = 0.0, 0
    for batch in token_batches(pairs, max_tokens, pad_id=model.config.pad_id):
        real = batch.real.to(device)
        x = model.hidden(batch.src.to(device), batch.tgt.to(device))[real]
        labels = batch.labels.to(device)[real]
        loss = linear_cross_entropy(x, model.generator.weight, labels)
        total, tokens = total + len(x) * loss.item(), tokens + len(x)
    return total / tokens
