"""What we compare ourselves with: PyTorch's own Transformer, and a plain one.

The plain one is written after the description of the paper, as teaching code is: one
matrix a projection, attention in steps, a LayerNorm by hand, a smoothed label for
every word of the vocabulary, and probabilities for every position, padding included.

Below them stands all that the benchmarks ask of our own model.
"""

import math
from collections.abc import Callable, Sequence
from typing import Protocol

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from tt_utils.blocks.masks import causal_mask, padding_mask
from tt_utils.blocks.positions import sinusoidal_positions
from tt_utils.data.batching import Batch, PairBatches
from tt_utils.data.tokenizer import EOS
from tt_utils.models.transformer import Transformer, TransformerConfig
from tt_utils.training.config import TrainingConfig, learning_rate
from tt_utils.training.loss import LossModule

LONGEST = 2_048


class Embedding(nn.Module):
    """Scaled rows plus sinusoids, with dropout."""

    def __init__(self, vocab_size: int, d_model: int, dropout: float) -> None:
        super().__init__()
        self.table = nn.Embedding(vocab_size, d_model)
        nn.init.normal_(self.table.weight, std=d_model**-0.5)
        self.scale = math.sqrt(d_model)
        self.register_buffer("positions", sinusoidal_positions(LONGEST, d_model))
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens: Tensor) -> Tensor:
        """Give (batch, t, d_model)."""
        rows = self.table(tokens) * self.scale
        return self.dropout(rows + self.positions[: tokens.shape[1]])


class TorchTranslator(nn.Module):
    """`torch.nn.Transformer` between embeddings and a tied output projection.

    As it comes, it also drops attention weights, which the paper doesn't ask for.
    """

    def __init__(self, config: TransformerConfig, drop_weights: bool = False) -> None:
        super().__init__()
        self.pad_id = config.pad_id
        width, dropout = config.d_model, config.dropout
        self.source = Embedding(config.src_vocab_size, width, dropout)
        self.target = Embedding(config.tgt_vocab_size, width, dropout)
        self.inner = nn.Transformer(
            width,
            config.n_heads,
            config.n_encoder_layers,
            config.n_decoder_layers,
            config.d_ff,
            dropout,
            norm_first=config.norm_first,
            batch_first=True,
        )
        for module in self.inner.modules():
            if isinstance(module, nn.MultiheadAttention) and not drop_weights:
                module.dropout = 0.0
        self.generator = nn.Linear(width, config.tgt_vocab_size, bias=False)
        self.generator.weight = self.target.table.weight
        if config.tie_embeddings == "all":
            self.source.table.weight = self.target.table.weight

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        """Give the logits, (batch, t_tgt, vocab)."""
        return self.generator(self.decode(tgt, self.encode(src), src))

    def encode(self, src: Tensor) -> Tensor:
        """Give the memory."""
        hidden = src == self.pad_id
        return self.inner.encoder(self.source(src), src_key_padding_mask=hidden)

    def decode(self, tgt: Tensor, memory: Tensor, src: Tensor) -> Tensor:
        """Give the hidden states, (batch, t_tgt, d_model)."""
        length = tgt.shape[1]
        ahead = nn.Transformer.generate_square_subsequent_mask(length, tgt.device)
        return self.inner.decoder(
            self.target(tgt),
            memory,
            tgt_mask=ahead,
            tgt_is_causal=True,
            memory_key_padding_mask=src == self.pad_id,
        )

    def loss(
        self, src: Tensor, tgt: Tensor, labels: Tensor, smoothing: float
    ) -> Tensor:
        """Average the cross-entropy over real tokens."""
        return F.cross_entropy(
            self(src, tgt).flatten(0, 1).float(),
            labels.flatten(),
            ignore_index=self.pad_id,
            label_smoothing=smoothing,
        )


class PlainNorm(nn.Module):
    """Normalise by mean and standard deviation, in four operations."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.gain = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width))

    def forward(self, x: Tensor) -> Tensor:
        """Give gain · (x - mean) / std + bias."""
        mean, std = x.mean(-1, keepdim=True), x.std(-1, keepdim=True)
        return self.gain * (x - mean) / (std + 1e-6) + self.bias


class PlainAttention(nn.Module):
    """Several heads; scores, mask and softmax as operations of their own."""

    def __init__(self, width: int, n_heads: int) -> None:
        super().__init__()
        self.n_heads = n_heads
        self.projections = nn.ModuleList(nn.Linear(width, width) for _ in range(4))

    def forward(self, query: Tensor, source: Tensor, mask: Tensor) -> Tensor:
        """Blend the source's values for every query."""
        q, k, v = (
            project(x).unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
            for project, x in zip(
                self.projections, (query, source, source), strict=False
            )
        )
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        weights = scores.masked_fill(~mask, -1e9).softmax(dim=-1)
        out = (weights @ v).transpose(1, 2).contiguous().flatten(2)
        return self.projections[3](out)


class PlainLayer(nn.Module):
    """One pre-norm layer, of the encoder or, with cross-attention, of the decoder."""

    def __init__(self, config: TransformerConfig, decodes: bool) -> None:
        super().__init__()
        width, dropout = config.d_model, config.dropout
        self.attentions = nn.ModuleList(
            PlainAttention(width, config.n_heads) for _ in range(1 + decodes)
        )
        self.feed_forward = nn.Sequential(
            nn.Linear(width, config.d_ff),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(config.d_ff, width),
        )
        self.norms = nn.ModuleList(PlainNorm(width) for _ in range(2 + decodes))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, mask: Tensor, *across: Tensor) -> Tensor:
        """`across` holds the memory and its mask, for a layer of the decoder."""
        y = self.norms[0](x)
        x = x + self.dropout(self.attentions[0](y, y, mask))
        if across:
            y = self.norms[1](x)
            x = x + self.dropout(self.attentions[1](y, *across))
        return x + self.dropout(self.feed_forward(self.norms[-1](x)))


class PlainTranslator(nn.Module):
    """The whole model in plain steps."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.pad_id = config.pad_id
        width, dropout = config.d_model, config.dropout
        self.source = Embedding(config.src_vocab_size, width, dropout)
        self.target = Embedding(config.tgt_vocab_size, width, dropout)
        self.encoder = nn.ModuleList(
            PlainLayer(config, False) for _ in range(config.n_encoder_layers)
        )
        self.decoder = nn.ModuleList(
            PlainLayer(config, True) for _ in range(config.n_decoder_layers)
        )
        self.norms = nn.ModuleList(PlainNorm(width) for _ in range(2))
        self.generator = nn.Linear(width, config.tgt_vocab_size)
        self.generator.weight = self.target.table.weight
        if config.tie_embeddings == "all":
            self.source.table.weight = self.target.table.weight

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        """Give log-probabilities, (batch, t_tgt, vocab)."""
        src_mask = padding_mask(src, self.pad_id)
        tgt_mask = padding_mask(tgt, self.pad_id) & causal_mask(
            tgt.shape[1], tgt.device
        )
        x = self.source(src)
        for layer in self.encoder:
            x = layer(x, src_mask)
        memory, y = self.norms[0](x), self.target(tgt)
        for layer in self.decoder:
            y = layer(y, tgt_mask, memory, src_mask)
        return self.generator(self.norms[1](y)).log_softmax(dim=-1)

    def loss(
        self, src: Tensor, tgt: Tensor, labels: Tensor, smoothing: float
    ) -> Tensor:
        """Compare with a smoothed distribution for every position."""
        log_p = self(src, tgt).flatten(0, 1)
        labels = labels.flatten()
        wanted = torch.full_like(log_p, smoothing / (log_p.shape[1] - 2))
        wanted.scatter_(1, labels[:, None], 1 - smoothing)
        wanted[:, self.pad_id] = 0
        wanted[labels == self.pad_id] = 0
        real = (labels != self.pad_id).sum()
        return F.kl_div(log_p, wanted, reduction="sum") / real


class Rival(Protocol):
    """A model that says its loss itself."""

    def loss(
        self, src: Tensor, tgt: Tensor, labels: Tensor, smoothing: float
    ) -> Tensor: ...


def train_rival(
    model: Rival, batches: Sequence[Batch], config: TrainingConfig, half: bool
) -> None:
    """The plain loop: one batch, one step, with the optimizer of `train`."""
    optimizer = torch.optim.AdamW(
        model.parameters(),
        betas=(0.9, 0.98),
        eps=1e-9,
        weight_decay=config.weight_decay,
        fused=True,
    )
    for step, batch in enumerate(batches):
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(step, config)
        optimizer.zero_grad()
        smoothing = config.label_smoothing
        with torch.autocast(batch.src.device.type, torch.bfloat16, enabled=half):
            loss = model.loss(batch.src, batch.tgt, batch.labels, smoothing)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), config.clip)
        optimizer.step()


# Our own model


def first_epoch(data: PairBatches, config: TrainingConfig) -> list[Batch]:
    """List the batches of `train` in its order, so that rivals get the same."""
    return list(data.epoch(f"{config.seed} 0"))


class OurLoss(nn.Module):
    """Our model with the loss that `train` uses, for rows without padding."""

    def __init__(self, model: Transformer, config: TrainingConfig) -> None:
        super().__init__()
        self.inner = LossModule(model, config)

    def loss(
        self, src: Tensor, tgt: Tensor, labels: Tensor, smoothing: float
    ) -> Tensor:
        """Average the cross-entropy; the smoothing is the config's."""
        real = torch.arange(labels.numel(), device=labels.device)
        return self.inner(Batch(src, tgt, labels, real))


def never_ends(model: Transformer) -> Transformer:
    """Make the end sign the least likely word, so that all write equally much."""

    def drop_end(module: nn.Module, given: object, logits: Tensor) -> None:
        logits[..., EOS] = -1e9

    model.generator.register_forward_hook(drop_end)
    return model


def without_cache(model: nn.Module, src: Tensor) -> Callable[[Tensor], Tensor]:
    """Read the source; give what scores the next words by running all layers again."""
    if isinstance(model, Transformer):
        mask = padding_mask(src, model.config.pad_id)
        memory, decode = model.encode(src, mask), model.decode
    else:
        mask, memory, decode = src, model.encode(src), model.decode
    return lambda tgt: model.generator(decode(tgt, memory, mask)[:, -1])
