"""The encoder-decoder Transformer, assembled from attention and layers."""

from dataclasses import dataclass, field

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tt_utils.attention import MultiHeadAttention
from tt_utils.layers import FeedForward, Residual, TokenEmbedding
from tt_utils.masks import causal_mask, padding_mask


@dataclass(frozen=True)
class TransformerConfig:
    """The sizes of a model; the defaults are the paper's base model."""

    src_vocab_size: int
    tgt_vocab_size: int
    d_model: int = 512
    d_ff: int = 2048
    n_heads: int = 8
    n_encoder_layers: int = 6
    n_decoder_layers: int = 6
    dropout: float = 0.1
    norm_first: bool = False
    max_len: int = 512
    pad_id: int = 0


@dataclass
class AttentionWeights:
    """Every layer's weights, (batch, heads, t_q, t_k) each, first layer first."""

    encoder: list[Tensor] = field(default_factory=list)
    decoder: list[Tensor] = field(default_factory=list)
    cross: list[Tensor] = field(default_factory=list)


@dataclass
class LayerCache:
    """What a decoder layer need not compute again: its keys and values so far.

    `memory` holds those of the source, made once; `k` and `v`
    (batch, heads, max_len, d_head) have room for the target's.
    """

    memory: tuple[Tensor, Tensor]
    k: Tensor
    v: Tensor

    def extend(self, k: Tensor, v: Tensor, position: int) -> tuple[Tensor, Tensor]:
        """Write one position's key and value; return all up to it."""
        self.k[:, :, position : position + 1] = k
        self.v[:, :, position : position + 1] = v
        return self.k[:, :, : position + 1], self.v[:, :, : position + 1]


@dataclass
class DecoderCache:
    """Every layer's cache, and how many target positions have been written."""

    layers: list[LayerCache]
    src_mask: Bool[Tensor, "batch 1 1 t_src"]
    length: int = 0

    def select(self, rows: Int[Tensor, " batch"]) -> None:
        """Go on with these rows' targets; row i must keep its source sentence."""
        for layer in self.layers:
            for kept in (layer.k, layer.v):
                kept[:, :, : self.length] = kept[rows, :, : self.length]


class EncoderLayer(nn.Module):
    """Let every token look at all tokens, then think about what it saw."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        d_model, dropout = config.d_model, config.dropout
        self.self_attention = MultiHeadAttention(d_model, config.n_heads)
        self.feed_forward = FeedForward(d_model, config.d_ff, dropout)
        self.residuals = nn.ModuleList(
            Residual(d_model, dropout, config.norm_first) for _ in range(2)
        )

    def forward(
        self,
        x: Float[Tensor, "batch t d_model"],
        mask: Bool[Tensor, "..."],
        kept: list[Tensor] | None = None,
    ) -> Float[Tensor, "batch t d_model"]:
        """Run both sub-layers; append the weights to `kept` where it is given."""
        attend, think = self.residuals
        x = attend(x, lambda y: look(self.self_attention, y, y, mask, kept))
        return think(x, self.feed_forward)


class DecoderLayer(nn.Module):
    """Look back at what is written, then across at the source, then think."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        d_model, dropout = config.d_model, config.dropout
        self.self_attention = MultiHeadAttention(d_model, config.n_heads)
        self.cross_attention = MultiHeadAttention(d_model, config.n_heads)
        self.feed_forward = FeedForward(d_model, config.d_ff, dropout)
        self.residuals = nn.ModuleList(
            Residual(d_model, dropout, config.norm_first) for _ in range(3)
        )

    def forward(
        self,
        x: Float[Tensor, "batch t_tgt d_model"],
        memory: Float[Tensor, "batch t_src d_model"],
        tgt_mask: Bool[Tensor, "..."],
        src_mask: Bool[Tensor, "..."],
        kept_self: list[Tensor] | None = None,
        kept_cross: list[Tensor] | None = None,
    ) -> Float[Tensor, "batch t_tgt d_model"]:
        """Run the three sub-layers; queries come from x, keys from `memory`."""
        back, across, think = self.residuals
        x = back(x, lambda y: look(self.self_attention, y, y, tgt_mask, kept_self))
        x = across(
            x, lambda y: look(self.cross_attention, y, memory, src_mask, kept_cross)
        )
        return think(x, self.feed_forward)

    def step(
        self,
        x: Float[Tensor, "batch 1 d_model"],
        cache: LayerCache,
        position: int,
        src_mask: Bool[Tensor, "batch 1 1 t_src"],
    ) -> Float[Tensor, "batch 1 d_model"]:
        """Run the three sub-layers for one new position, the others being cached."""
        back, across, think = self.residuals

        def look_back(y: Tensor) -> Tensor:
            k, v = cache.extend(*self.self_attention.project(y, y), position)
            return self.self_attention.attend(y, k, v)[0]

        x = back(x, look_back)
        x = across(
            x, lambda y: self.cross_attention.attend(y, *cache.memory, src_mask)[0]
        )
        return think(x, self.feed_forward)


def look(
    attention: MultiHeadAttention,
    query: Tensor,
    source: Tensor,
    mask: Tensor,
    kept: list[Tensor] | None,
) -> Tensor:
    """Attend from `query` to `source`; append the weights to `kept` if given."""
    out, weights = attention(query, source, source, mask, need_weights=kept is not None)
    if kept is not None:
        kept.append(weights)
    return out


class Transformer(nn.Module):
    """Read a source sentence, predict the target sentence word by word.

    The output projection shares its matrix with the target embedding.

    Source: Vaswani et al. 2017, figure 1. Differs from the paper: the source has
    an embedding of its own, since the two languages have separate vocabularies.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        width, length, dropout = config.d_model, config.max_len, config.dropout
        self.src_embedding = TokenEmbedding(
            config.src_vocab_size, width, length, dropout
        )
        self.tgt_embedding = TokenEmbedding(
            config.tgt_vocab_size, width, length, dropout
        )
        self.encoder = nn.ModuleList(
            EncoderLayer(config) for _ in range(config.n_encoder_layers)
        )
        self.decoder = nn.ModuleList(
            DecoderLayer(config) for _ in range(config.n_decoder_layers)
        )
        # Pre-norm leaves the last sum unnormalised, so each stack ends with a norm.
        final = nn.LayerNorm if config.norm_first else nn.Identity
        self.encoder_norm = final(width)
        self.decoder_norm = final(width)
        self.generator = nn.Linear(width, config.tgt_vocab_size, bias=False)
        self.generator.weight = self.tgt_embedding.table.weight

    def forward(
        self, src: Int[Tensor, "batch t_src"], tgt: Int[Tensor, "batch t_tgt"]
    ) -> Float[Tensor, "batch t_tgt vocab"]:
        """Score every word of the vocabulary as the successor of each target token."""
        src_mask = padding_mask(src, self.config.pad_id)
        return self.decode(tgt, self.encode(src, src_mask), src_mask)

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
        return self.generator(self.decoder_norm(x))

    def start_cache(
        self,
        memory: Float[Tensor, "batch t_src d_model"],
        src_mask: Bool[Tensor, "batch 1 1 t_src"],
        max_len: int,
    ) -> DecoderCache:
        """Prepare to decode up to `max_len` positions one by one."""
        layers = []
        for layer in self.decoder:
            projected = layer.cross_attention.project(memory, memory)
            batch, heads, _, d_head = projected[0].shape
            room = [memory.new_empty(batch, heads, max_len, d_head) for _ in "kv"]
            layers.append(LayerCache(projected, *room))
        return DecoderCache(layers, src_mask)

    def decode_next(
        self, tokens: Int[Tensor, " batch"], cache: DecoderCache
    ) -> Float[Tensor, "batch vocab"]:
        """Score the successor of one more token a sentence, and cache that token."""
        x = self.tgt_embedding(tokens[:, None], start=cache.length)
        for layer, kept in zip(self.decoder, cache.layers, strict=True):
            x = layer.step(x, kept, cache.length, cache.src_mask)
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
