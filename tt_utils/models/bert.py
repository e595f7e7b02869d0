"""Encoder-only Transformers: every word sees the whole text, and a head judges it."""

from dataclasses import KW_ONLY, dataclass

import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from tt_utils.blocks.config import Activation, LayerConfig
from tt_utils.blocks.embedding import TokenEmbedding
from tt_utils.blocks.masks import padding_mask
from tt_utils.blocks.positions import PositionKind
from tt_utils.blocks.stacks import Encoder
from tt_utils.data.examples import LabelledBatch, SpanBatch


@dataclass(frozen=True)
class BERTConfig(LayerConfig):
    """The sizes of a model; the choices are BERT's.

    Raises:
        ValueError: a size or an id that can't be, or an unknown word.
    """

    vocab_size: int
    n_layers: int = 6
    pad_id: int = 0
    _: KW_ONLY
    activation: Activation = "gelu"
    positions: PositionKind = "learned"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_sizes("vocab_size", "n_layers")
        self.check_id("pad_id", self.vocab_size)


@dataclass(frozen=True)
class ClassifierConfig(BERTConfig):
    """Those of a model that says to which of `n_labels` kinds a text belongs."""

    n_labels: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_sizes("n_labels")


class BERT(nn.Module):
    """Turn each token into a vector that knows the whole text, before and behind it.

    Source: Devlin et al. 2019. Differs from BERT: no embedding of segments, no norm
    behind the embedding, no tanh layer before a head, no masked words to learn from;
    <s> stands for [CLS] and </s> for [SEP], as in RoBERTa.
    """

    def __init__(self, config: BERTConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = TokenEmbedding(
            config.vocab_size,
            config.d_model,
            config.max_len,
            config.dropout,
            config.positions,
        )
        self.stack = Encoder(config, config.n_layers)

    def states(
        self, tokens: Int[Tensor, "batch t"]
    ) -> Float[Tensor, "batch t d_model"]:
        """Run the stack; padding behind a text is hidden from it."""
        mask = padding_mask(tokens, self.config.pad_id)
        return self.stack(self.embedding(tokens), mask)


class Classifier(BERT):
    """Say to which kind a text belongs, from what its first token has gathered."""

    config: ClassifierConfig

    def __init__(self, config: ClassifierConfig) -> None:
        super().__init__(config)
        self.head = nn.Linear(config.d_model, config.n_labels)

    def forward(self, tokens: Int[Tensor, "batch t"]) -> Float[Tensor, "batch labels"]:
        """Give the logits of each kind."""
        return self.head(self.states(tokens)[:, 0])

    def loss(
        self, batch: LabelledBatch, label_smoothing: float = 0.0
    ) -> Float[Tensor, ""]:
        """Average the cross-entropy over the texts, in nats."""
        return F.cross_entropy(
            self(batch.tokens), batch.labels, label_smoothing=label_smoothing
        )


class SpanReader(BERT):
    """Say where in a text an answer starts and where it ends: two scores per token.

    Source: Devlin et al. 2019, sections 4.2 and 4.3. The first token stands for "there
    is no answer".
    """

    def __init__(self, config: BERTConfig) -> None:
        super().__init__(config)
        self.head = nn.Linear(config.d_model, 2)

    def forward(self, tokens: Int[Tensor, "batch t"]) -> Float[Tensor, "batch 2 t"]:
        """Give each token's logits as the start of the answer, and as its end."""
        return self.head(self.states(tokens)).mT

    def loss(self, batch: SpanBatch) -> Float[Tensor, ""]:
        """Average the cross-entropy of starts and ends over the texts, in nats."""
        logits = self(batch.tokens)  # (batch, 2, t)
        logits = logits.masked_fill(~batch.allowed[:, None], -float("inf"))
        return F.cross_entropy(logits.flatten(0, 1), batch.spans.flatten())
