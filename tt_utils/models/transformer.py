"""The encoder-decoder Transformer of 2017, assembled from the blocks."""

from dataclasses import dataclass, field
from functools import partial
from typing import Literal, get_args

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tt_utils.blocks.cache import DecoderCache
from tt_utils.blocks.config import LayerConfig
from tt_utils.blocks.cross_entropy import linear_cross_entropy
from tt_utils.blocks.embedding import TokenEmbedding
from tt_utils.blocks.masks import padding_mask
from tt_utils.blocks.recording import record_attention
from tt_utils.blocks.stacks import Decoder, Encoder
from tt_utils.data.batching import Batch

Ties = Literal["none", "target", "all"]


@dataclass(frozen=True)
class TransformerConfig(LayerConfig):
    """The sizes of a model; the defaults are the paper's base model.

    `tie_embeddings` says which matrices are one: "target" shares the target
    embedding with the output projection, "all" (or True) also with the source
    embedding, as the paper does with its joint vocabulary; "none" (or False) shares
    nothing. What all layers have in common stands in `LayerConfig`. The ids of <pad>,
    <s> and </s> are those of the tokenizers.

    Raises:
        ValueError: a size or an id that can't be, an unknown word, or "all" with two
            sizes of vocabulary.
    """

    src_vocab_size: int
    tgt_vocab_size: int
    n_encoder_layers: int = 6
    n_decoder_layers: int = 6
    tie_embeddings: Ties | bool = "target"
    pad_id: int = 0
    bos_id: int = 1
    eos_id: int = 2

    def __post_init__(self) -> None:
        if isinstance(self.tie_embeddings, bool):
            tied = "all" if self.tie_embeddings else "none"
            object.__setattr__(self, "tie_embeddings", tied)
        super().__post_init__()
        self.check_words(tie_embeddings=get_args(Ties))
        self.check_sizes(
            *("src_vocab_size", "tgt_vocab_size"),
            *("n_encoder_layers", "n_decoder_layers"),
        )
        smallest = min(self.src_vocab_size, self.tgt_vocab_size)
        for name in ("pad_id", "bos_id", "eos_id"):
            self.check_id(name, smallest)
        if self.tie_embeddings == "all" and self.src_vocab_size != self.tgt_vocab_size:
            raise ValueError(
                f"TransformerConfig: one matrix can't serve {self.src_vocab_size} "
                f"source and {self.tgt_vocab_size} target words; use a joint "
                "vocabulary, or tie_embeddings='target'."
            )


@dataclass
class AttentionWeights:
    """Every layer's weights, (batch, heads, t_q, t_k) each, first layer first."""

    encoder: list[Tensor] = field(default_factory=list)
    decoder: list[Tensor] = field(default_factory=list)
    cross: list[Tensor] = field(default_factory=list)


class Transformer(nn.Module):
    """Read a source sentence, predict the target sentence word by word.

    Source: Vaswani et al. 2017, figure 1. Differs from the paper: by default the
    source has an embedding of its own, since two languages have two vocabularies.
    The projections of attention start Xavier uniform, embeddings normal with deviation
    1/√d_model, all else as PyTorch's layers do. On a CPU dropout is rounded to a 256th
    (see `Dropout`).
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        width, vocab = config.d_model, config.tgt_vocab_size
        embedding = partial(
            TokenEmbedding,
            d_model=width,
            max_len=config.max_len,
            dropout=config.dropout,
            positions=config.positions,
        )
        self.src_embedding = embedding(config.src_vocab_size)
        self.tgt_embedding = embedding(vocab)
        self.encoder = Encoder(config, config.n_encoder_layers)
        self.decoder = Decoder(config, config.n_decoder_layers)
        self.generator = nn.Linear(width, vocab, bias=False)
        if config.tie_embeddings != "none":
            self.generator.weight = self.tgt_embedding.table.weight
        if config.tie_embeddings == "all":
            self.src_embedding.table.weight = self.tgt_embedding.table.weight

    def forward(
        self, src: Int[Tensor, "batch t_src"], tgt: Int[Tensor, "batch t_tgt"]
    ) -> Float[Tensor, "batch t_tgt vocab"]:
        """Score every word of the vocabulary as the successor of each target token."""
        src_mask = padding_mask(src, self.config.pad_id)
        return self.generator(self.decode(tgt, self.encode(src, src_mask), src_mask))

    def encode(
        self,
        src: Int[Tensor, "batch t_src"],
        src_mask: Bool[Tensor, "batch 1 1 t_src"],
    ) -> Float[Tensor, "batch t_src d_model"]:
        """Turn the source tokens into the memory that the decoder attends to."""
        return self.encoder(self.src_embedding(src), src_mask)

    def decode(
        self,
        tgt: Int[Tensor, "batch t_tgt"],
        memory: Float[Tensor, "batch t_src d_model"],
        src_mask: Bool[Tensor, "batch 1 1 t_src"],
        cache: DecoderCache | None = None,
    ) -> Float[Tensor, "batch t_tgt d_model"]:
        """Run the decoder; the generator turns what it gives into logits.

        Padding follows the real tokens: the causal mask already hides it from them.
        With a cache, `tgt` holds only tokens that are not in it yet.
        """
        start, caches = (0, None) if cache is None else (cache.length, cache.layers)
        x = self.tgt_embedding(tgt, start)  # (batch, t_tgt, d_model)
        return self.decoder(x, memory, src_mask, caches=caches)

    def loss(self, batch: Batch, label_smoothing: float = 0.0) -> Float[Tensor, ""]:
        """Average the cross-entropy over the batch's real target tokens, in nats.

        The decoder reads the right words, whatever it would have said: teacher
        forcing.
        """
        src_mask = padding_mask(batch.src, self.config.pad_id)
        x = self.decode(batch.tgt, self.encode(batch.src, src_mask), src_mask)
        real = x.flatten(0, 1)[batch.real]  # (n, d_model), without padding
        labels = batch.labels.flatten()[batch.real]  # (n,)
        return linear_cross_entropy(
            real, self.generator.weight, labels, label_smoothing
        )

    def attention_weights(
        self, src: Int[Tensor, "batch t_src"], tgt: Int[Tensor, "batch t_tgt"]
    ) -> AttentionWeights:
        """Give every head's weights, layer by layer, on the way to the logits."""
        with record_attention(self) as weights:
            self(src, tgt)
        found = AttentionWeights()
        for name, seen in weights.items():
            stack, kind = name.split(".")[0], name.split(".")[-1]
            which = "cross" if kind == "cross_attention" else stack
            getattr(found, which).append(seen)
        return found
