"""The encoder-decoder Transformer, assembled from attention and layers."""

from dataclasses import dataclass, field
from typing import Literal, get_args

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tt_utils.blocks.cache import DecoderCache
from tt_utils.blocks.embedding import TokenEmbedding
from tt_utils.blocks.layers import DecoderLayer, EncoderLayer
from tt_utils.blocks.masks import causal_mask, padding_mask
from tt_utils.blocks.positions import POSITION_KINDS, PositionKind, relative_positions

Ties = Literal["none", "target", "all"]


@dataclass(frozen=True)
class TransformerConfig:
    """The sizes of a model; the defaults are the paper's base model.

    `tie_embeddings` says which matrices are one: "target" shares the target
    embedding with the output projection, "all" also with the source embedding,
    as the paper does with its joint vocabulary. `final_norm` ends each stack with
    a norm of its own; without a word, pre-norm stacks do and post-norm don't.

    Raises:
        ValueError: an unknown word, or "all" with two sizes of vocabulary.
    """

    src_vocab_size: int
    tgt_vocab_size: int
    d_model: int = 512
    d_ff: int = 2048
    n_heads: int = 8
    n_encoder_layers: int = 6
    n_decoder_layers: int = 6
    dropout: float = 0.1
    norm_first: bool = False
    tie_embeddings: Ties = "target"
    positions: PositionKind = "sinusoidal"
    final_norm: bool | None = None
    max_len: int = 512
    pad_id: int = 0

    def __post_init__(self) -> None:
        for name, known in (
            ("tie_embeddings", get_args(Ties)),
            ("positions", POSITION_KINDS),
        ):
            if getattr(self, name) not in known:
                raise ValueError(
                    f"TransformerConfig: {name} is {getattr(self, name)!r}; "
                    f"choose one of {', '.join(known)}."
                )
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
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        width = config.d_model
        around = (width, config.max_len, config.dropout, config.positions)
        self.src_embedding = TokenEmbedding(config.src_vocab_size, *around)
        self.tgt_embedding = TokenEmbedding(config.tgt_vocab_size, *around)
        relative = relative_positions(
            config.positions, width, config.n_heads, config.max_len
        )
        inside = (config.n_heads, config.d_ff, config.dropout, config.norm_first)
        self.encoder = nn.ModuleList(
            EncoderLayer(width, *inside, relative)
            for _ in range(config.n_encoder_layers)
        )
        self.decoder = nn.ModuleList(
            DecoderLayer(width, *inside, relative)
            for _ in range(config.n_decoder_layers)
        )
        # Pre-norm leaves the last sum unnormalised.
        ends = config.norm_first if config.final_norm is None else config.final_norm
        self.encoder_norm = nn.LayerNorm(width) if ends else nn.Identity()
        self.decoder_norm = nn.LayerNorm(width) if ends else nn.Identity()
        self.generator = nn.Linear(width, config.tgt_vocab_size, bias=False)
        if config.tie_embeddings != "none":
            self.generator.weight = self.tgt_embedding.table.weight
        if config.tie_embeddings == "all":
            self.src_embedding.table.weight = self.tgt_embedding.table.weight

    def forward(
        self, src: Int[Tensor, "batch t_src"], tgt: Int[Tensor, "batch t_tgt"]
    ) -> Float[Tensor, "batch t_tgt vocab"]:
        """Score every word of the vocabulary as the successor of each target token."""
        return self.generator(self.hidden(src, tgt))

    def hidden(
        self, src: Int[Tensor, "batch t_src"], tgt: Int[Tensor, "batch t_tgt"]
    ) -> Float[Tensor, "batch t_tgt d_model"]:
        """Stop one step short of the logits: a loss may need only some of them."""
        src_mask = padding_mask(src, self.config.pad_id)
        return self.decode_hidden(tgt, self.encode(src, src_mask), src_mask)

    def encode(
        self,
        src: Int[Tensor, "batch t_src"],
        src_mask: Bool[Tensor, "batch 1 1 t_src"],
        kept: AttentionWeights | None = None,
    ) -> Float[Tensor, "batch t_src d_model"]:
        """Turn the source tokens into the memory that the decoder looks at."""
        x = self.src_embedding(src)
        for layer in self.encoder:
            x = layer(x, src_mask, kept.encoder if kept else None)
        return self.encoder_norm(x)

    def decode(
        self,
        tgt: Int[Tensor, "batch t_tgt"],
        memory: Float[Tensor, "batch t_src d_model"],
        src_mask: Bool[Tensor, "batch 1 1 t_src"],
        kept: AttentionWeights | None = None,
    ) -> Float[Tensor, "batch t_tgt vocab"]:
        """Score the next word after each target token, given the memory."""
        return self.generator(self.decode_hidden(tgt, memory, src_mask, kept))

    def decode_hidden(
        self,
        tgt: Int[Tensor, "batch t_tgt"],
        memory: Float[Tensor, "batch t_src d_model"],
        src_mask: Bool[Tensor, "batch 1 1 t_src"],
        kept: AttentionWeights | None = None,
    ) -> Float[Tensor, "batch t_tgt d_model"]:
        """Run the decoder's layers; the generator turns the result into logits."""
        # Padding follows the real tokens: the causal mask already hides it from them.
        tgt_mask = causal_mask(tgt.shape[1], tgt.device)
        x = self.tgt_embedding(tgt)
        for layer in self.decoder:
            x = layer(
                x,
                memory,
                tgt_mask,
                src_mask,
                kept.decoder if kept else None,
                kept.cross if kept else None,
            )
        return self.decoder_norm(x)

    def start_cache(
        self,
        memory: Float[Tensor, "batch t_src d_model"],
        src_mask: Bool[Tensor, "batch 1 1 t_src"],
        max_len: int,
    ) -> DecoderCache:
        """Prepare to decode up to `max_len` positions one by one."""
        layers = [layer.start_cache(memory, max_len) for layer in self.decoder]
        return DecoderCache(layers, src_mask)

    def decode_next(
        self, tokens: Int[Tensor, " batch"], cache: DecoderCache
    ) -> Float[Tensor, "batch vocab"]:
        """Score the successor of one more token a sentence, and cache that token."""
        x = self.tgt_embedding(tokens[:, None], start=cache.length)
        for layer, own in zip(self.decoder, cache.layers, strict=True):
            x = layer(x, None, src_mask=cache.src_mask, cache=own)
        cache.length += 1
        return self.generator(self.decoder_norm(x))[:, 0]

    def attention_weights(
        self, src: Int[Tensor, "batch t_src"], tgt: Int[Tensor, "batch t_tgt"]
    ) -> AttentionWeights:
        """Show where every head of every layer looks on the way to the logits."""
        kept = AttentionWeights()
        src_mask = padding_mask(src, self.config.pad_id)
        self.decode(tgt, self.encode(src, src_mask, kept), src_mask, kept)
        return kept
