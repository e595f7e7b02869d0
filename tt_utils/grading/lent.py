"""Parts of a Transformer on loan, for stages of chapter 23 that aren't written yet.

`globals().update(lent.instead_of({2, 5}))` puts them in place of a notebook's own, and
what is behind can be tried. What is lent doesn't count as an answer: its weights have
other names than the stages ask for, `check` takes it for a stub, and the search knows
one vocabulary only.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence

PAD, BOS, EOS = 0, 1, 2
Pairs = Sequence[tuple[str, str]]


def vocabulary(texts: Sequence[str]) -> dict[str, int]:
    """Ids in the order in which words first occur, not that of the stage."""
    words = dict.fromkeys(word for text in texts for word in text.split())
    return {word: i for i, word in enumerate(["<pad>", "<s>", "</s>", *words])}


def tokenize(text: str, ids: dict[str, int]) -> list[int]:
    return [*(ids[word] for word in text.split()), EOS]


def detokenize(tokens: Sequence[int], ids: dict[str, int]) -> str:
    words = [*ids, ""]
    found = " ".join(words[token] for token in tokens)
    return found.partition("</s>")[0].strip()


def pad(rows: Sequence[Sequence[int]]) -> Tensor:
    return pad_sequence([torch.tensor(row) for row in rows], True, PAD)


def batch_of(pairs: Pairs, ids: dict[str, int]) -> tuple[Tensor, Tensor, Tensor]:
    src = pad([tokenize(one, ids) for one, _ in pairs])
    labels = pad([tokenize(other, ids) for _, other in pairs])
    return src, F.pad(labels[:, :-1], (1, 0), value=BOS), labels


def positions(length: int, d_model: int) -> Tensor:
    """All waves as one sine: a cosine is a quarter of a turn ahead."""
    column = torch.arange(d_model)
    speeds = 10_000 ** -((column - column % 2) / d_model)
    turns = torch.outer(torch.arange(length), speeds)
    return (turns + column % 2 * math.pi / 2).sin()


class Embedding(nn.Module):
    def __init__(
        self, vocab_size: int, d_model: int, dropout: float, max_len: int = 64
    ) -> None:
        super().__init__()
        self.rows = nn.Embedding(vocab_size, d_model)
        nn.init.normal_(self.rows.weight, std=d_model**-0.5)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("waves", positions(max_len, d_model))

    @property
    def table(self) -> nn.Embedding:
        return self.rows

    def forward(self, tokens: Tensor) -> Tensor:
        x = self.rows(tokens) * math.sqrt(self.rows.embedding_dim)
        return self.dropout(x + self.waves[: tokens.shape[1]])


def attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    return F.scaled_dot_product_attention(q, k, v, mask)


class MultiHeadAttention(nn.Module):
    """PyTorch's own, which takes masks that say what is hidden."""

    def __init__(self, d_model: int, n_heads: int) -> None:
        super().__init__()
        self.torchs = nn.MultiheadAttention(d_model, n_heads, batch_first=True)

    def forward(self, x: Tensor, source: Tensor, mask: Tensor) -> Tensor:
        hidden = ~mask
        names = {"attn_mask": hidden} if mask.ndim == 2 else {}
        if mask.ndim == 4:
            names = {"key_padding_mask": hidden[:, 0, 0]}
        return self.torchs(x, source, source, need_weights=False, **names)[0]


class FeedForward(nn.Sequential):
    def __init__(self, d_model: int, d_ff: int) -> None:
        super().__init__(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))


class _Layer(nn.Module):
    def __init__(
        self, attentions: Sequence[nn.Module], d_model: int, d_ff: int, dropout: float
    ) -> None:
        super().__init__()
        self.attentions = nn.ModuleList(attentions)
        self.network = FeedForward(d_model, d_ff)
        self.after = nn.ModuleList(nn.LayerNorm(d_model) for _ in [*attentions, 1])
        self.dropout = nn.Dropout(dropout)

    def through(self, x: Tensor, *others: tuple) -> Tensor:
        """`others`: for each attention what is read, None for x itself, and a mask."""
        for attend, (source, mask), norm in zip(
            self.attentions, others, self.after, strict=False
        ):
            read = x if source is None else source
            x = norm(x + self.dropout(attend(x, read, mask)))
        return self.after[-1](x + self.dropout(self.network(x)))


class EncoderLayer(_Layer):
    def __init__(
        self, attention: nn.Module, d_model: int, d_ff: int, dropout: float
    ) -> None:
        super().__init__([attention], d_model, d_ff, dropout)

    def forward(self, x: Tensor, src_mask: Tensor) -> Tensor:
        return self.through(x, (None, src_mask))


class DecoderLayer(_Layer):
    def __init__(
        self,
        self_attention: nn.Module,
        cross_attention: nn.Module,
        d_model: int,
        d_ff: int,
        dropout: float,
    ) -> None:
        super().__init__([self_attention, cross_attention], d_model, d_ff, dropout)

    def forward(
        self, y: Tensor, memory: Tensor, src_mask: Tensor, causal: Tensor
    ) -> Tensor:
        return self.through(y, (None, causal), (memory, src_mask))


class Transformer(nn.Module):
    def __init__(
        self,
        embedding: nn.Module,
        encoder_layers: Sequence[nn.Module],
        decoder_layers: Sequence[nn.Module],
    ) -> None:
        super().__init__()
        self.embedding = embedding
        self.encoder = nn.ModuleList(encoder_layers)
        self.decoder = nn.ModuleList(decoder_layers)

    def encode(self, src: Tensor) -> tuple[Tensor, Tensor]:
        mask = src.not_equal(PAD)[:, None, None]
        x = self.embedding(src)
        for layer in self.encoder:
            x = layer(x, mask)
        return x, mask

    def decode(self, tgt: Tensor, memory: Tensor, src_mask: Tensor) -> Tensor:
        later = nn.Transformer.generate_square_subsequent_mask(tgt.shape[1])
        y = self.embedding(tgt)
        for layer in self.decoder:
            y = layer(y, memory, src_mask, later == 0)
        return F.linear(y, self.embedding.table.weight)

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        return self.decode(tgt, *self.encode(src))


def loss_of(logits: Tensor, labels: Tensor, smoothing: float = 0.1) -> Tensor:
    return F.cross_entropy(
        logits.flatten(0, 1),
        labels.flatten(),
        ignore_index=PAD,
        label_smoothing=smoothing,
    )


def learning_rate(step: int, d_model: int, warmup: int) -> float:
    return min(step / warmup, math.sqrt(warmup / step)) / math.sqrt(d_model * warmup)


@torch.no_grad()
def greedy(
    model: nn.Module, src: Tensor, bos: int = BOS, eos: int = EOS, longest: int = 20
) -> Tensor:
    """Writes on to the longest; raises ValueError for other marks than 1 and 2."""
    if (bos, eos) != (BOS, EOS):
        raise ValueError("what is lent writes with the marks 1 and 2 alone")
    encoded = model.encode(src)
    written = torch.full((len(src), longest + 1), BOS)
    for n in range(1, longest + 1):
        written[:, n] = model.decode(written[:, :n], *encoded)[:, -1].argmax(-1)
    return written[:, 1:]


STAGES = {
    1: (vocabulary, tokenize, detokenize, pad, batch_of),
    2: (positions, Embedding),
    3: (attention, MultiHeadAttention),
    4: (FeedForward, EncoderLayer, DecoderLayer),
    5: (Transformer,),
    6: (loss_of, learning_rate),
    7: (greedy,),
}


def instead_of(stages: Iterable[int]) -> dict[str, Any]:
    """What a notebook borrows: by name, the parts of these stages.

    Raises ValueError for a stage that nothing is lent for.
    """
    borrowed = set(stages)
    if unknown := borrowed - set(STAGES):
        raise ValueError(
            f"nothing is lent for stage {min(unknown)}; stages with something to lend: "
            f"{min(STAGES)} to {max(STAGES)}"
        )
    return {part.__name__: part for number in borrowed for part in STAGES[number]}
