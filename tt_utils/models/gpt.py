"""The decoder-only Transformer: it reads a text and goes on, token by token.

To read the whole model, go on from GPT to Encoder in blocks/stacks.py, EncoderLayer in
blocks/layers.py and MultiHeadAttention in blocks/attention.py.
"""

from dataclasses import KW_ONLY, dataclass

from jaxtyping import Float, Int
from torch import Tensor, nn

from tt_utils.blocks.cache import KeyValueCache
from tt_utils.blocks.config import Activation, LayerConfig
from tt_utils.blocks.cross_entropy import linear_cross_entropy
from tt_utils.blocks.embedding import TokenEmbedding
from tt_utils.blocks.masks import left_padding_mask
from tt_utils.blocks.positions import PositionKind
from tt_utils.blocks.stacks import Encoder
from tt_utils.data.text_windows import TextBatch


@dataclass(frozen=True)
class GPTConfig(LayerConfig):
    """The sizes of a model; the choices are GPT-2's.

    One of Llama's kind has norm="rms", activation="swiglu", positions="rotary",
    bias=False, tie_embeddings=False and fewer n_kv_heads than heads. `tie_embeddings`
    shares the table of the embedding with the head; `scale_embeddings` multiplies its
    rows by √d_model, as in the encoder–decoder. The ids of <pad>, <s> and </s> are
    those of the tokenizers.

    Raises:
        ValueError: a size or an id that can't be, or an unknown word.
    """

    vocab_size: int
    n_layers: int = 6
    tie_embeddings: bool = True
    scale_embeddings: bool = False
    pad_id: int = 0
    bos_id: int = 1
    eos_id: int = 2
    _: KW_ONLY
    norm_first: bool = True
    activation: Activation = "gelu_tanh"
    positions: PositionKind = "learned"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_sizes("vocab_size", "n_layers")
        for name in ("pad_id", "bos_id", "eos_id"):
            self.check_id(name, self.vocab_size)


class GPT(nn.Module):
    """Score every token as the successor of what has been read so far.

    Encoder layers under a causal mask: nothing sees what follows it. Source: Radford et
    al. 2019. Differs from GPT-2: weights start as those of the encoder–decoder do.
    """

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = TokenEmbedding(
            config.vocab_size,
            config.d_model,
            config.max_len,
            config.dropout,
            config.positions,
            config.scale_embeddings,
        )
        self.stack = Encoder(config, config.n_layers)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tie_embeddings:
            self.head.weight = self.embedding.table.weight

    def forward(
        self, tokens: Int[Tensor, "batch t"], pads: Int[Tensor, " batch"] | None = None
    ) -> Float[Tensor, "batch t vocab"]:
        """Give the logits of each token's successor.

        Padding behind a text is hidden from it by the causal mask; `pads` says how many
        tokens before it are padding.
        """
        return self.head(self.states(tokens, pads))

    def states(
        self,
        tokens: Int[Tensor, "batch t"],
        pads: Int[Tensor, " batch"] | None = None,
        caches: list[KeyValueCache] | None = None,
    ) -> Float[Tensor, "batch t d_model"]:
        """Run the stack; the head turns what it gives into logits.

        With caches, one per layer, `tokens` holds only those that aren't in them yet.
        """
        start = caches[0].length if caches else 0
        x = self.embedding(tokens, start, pads)  # (batch, t, d_model)
        t_k = start + tokens.shape[1]
        mask = None if pads is None else left_padding_mask(pads, t_k)
        return self.stack(x, mask, causal=True, caches=caches)

    def loss(self, batch: TextBatch, label_smoothing: float = 0.0) -> Float[Tensor, ""]:
        """Average the cross-entropy over the real labels, in nats.

        It equals F.cross_entropy of the logits, which are never held all at once.
        """
        x = self.states(batch.inputs).flatten(0, 1)[batch.real]  # (n, d_model)
        labels = batch.labels.flatten()[batch.real]  # (n,)
        return linear_cross_entropy(x, self.head.weight, labels, label_smoothing)
