"""Writing a sentence word by word, with every key and value cached."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tt_utils.blocks.cache import DecoderCache
from tt_utils.blocks.masks import padding_mask
from tt_utils.models.transformer import Transformer

Choose = Callable[[Float[Tensor, "rows vocab"]], Int[Tensor, " rows"]]


def greedy_decode(
    model: Transformer, src: Int[Tensor, "batch t_src"], max_len: int = 64
) -> Int[Tensor, "batch t_tgt"]:
    """Take the likeliest next word again and again, until every sentence has ended.

    Greedy decoding. The result starts after <s>; a sentence that has ended goes on
    with <pad>. Dropout is off meanwhile; the model's mode comes back as it was.
    """
    return generate(model, src, max_len, lambda logits: logits.argmax(dim=-1))


def sample(
    model: Transformer,
    src: Int[Tensor, "batch t_src"],
    max_len: int = 64,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    generator: torch.Generator | None = None,
) -> Int[Tensor, "batch t_tgt"]:
    """Draw each next word by its probability, from the likeliest ones if asked.

    `top_k` keeps that many words (top-k sampling); `top_p` the fewest whose
    probabilities reach it (nucleus sampling).

    Raises:
        ValueError: the temperature is not above 0, top_k below 1, top_p outside (0, 1].
    Source: Holtzman et al. 2020 for top_p.
    """
    if not temperature > 0:
        raise ValueError(
            f"sample: temperature is {temperature}; it must be above 0. "
            "For the likeliest words use greedy_decode."
        )
    if top_k is not None and top_k < 1:
        raise ValueError(f"sample: top_k is {top_k}; keep at least one word.")
    if top_p is not None and not 0 < top_p <= 1:
        raise ValueError(f"sample: top_p is {top_p}; it must lie in (0, 1].")

    def draw(logits: Float[Tensor, "rows vocab"]) -> Int[Tensor, " rows"]:
        shares = keep_likeliest(logits / temperature, top_k, top_p).softmax(dim=-1)
        return torch.multinomial(shares, 1, generator=generator)[:, 0]

    return generate(model, src, max_len, draw)


def keep_likeliest(
    logits: Float[Tensor, "rows vocab"], top_k: int | None, top_p: float | None
) -> Float[Tensor, "rows vocab"]:
    """Set the logits of all other words to -inf."""
    ordered, words = logits.sort(dim=-1, descending=True)
    dropped = torch.zeros_like(ordered, dtype=torch.bool)
    if top_k is not None:
        dropped[:, top_k:] = True
    if top_p is not None:
        shares = ordered.softmax(dim=-1)
        # A word goes if those before it already reach top_p.
        dropped |= shares.cumsum(dim=-1) - shares >= top_p
    return logits.masked_fill(dropped.scatter(-1, words, dropped), -math.inf)


class Writer:
    """Targets under way: each row's next word is scored in one cached step.

    Row i writes for source i // copies. `word` holds the last word of each row.

    Raises:
        ValueError: there is no sentence, or no room for a single word.
    """

    def __init__(
        self,
        model: Transformer,
        src: Int[Tensor, "batch t_src"],
        max_len: int,
        copies: int = 1,
    ) -> None:
        if not src.numel() or max_len < 1:
            raise ValueError(
                f"decoding: src has shape {tuple(src.shape)} and max_len={max_len}; "
                "give at least one sentence of one token, and room for a word."
            )
        src_mask = padding_mask(src, model.config.pad_id)
        memory = model.encode(src, src_mask)
        self.model = model
        self.memory = memory.repeat_interleave(copies, dim=0)
        self.src_mask: Bool[Tensor, "rows 1 1 t_src"] = src_mask.repeat_interleave(
            copies, dim=0
        )
        self.cache = DecoderCache(model.config.n_decoder_layers, src.shape[1], max_len)
        self.word = src.new_full((len(self.memory),), model.config.bos_id)

    def next_logits(self) -> Float[Tensor, "rows vocab"]:
        """Score every successor of each row's last word."""
        x = self.model.decode(
            self.word[:, None], self.memory, self.src_mask, self.cache
        )
        return self.model.generator(x[:, -1])


@contextmanager
def evaluating(model: nn.Module) -> Iterator[None]:
    """Switch dropout off and gradients with it; put the model's mode back after."""
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        model.train(was_training)


def generate(
    model: Transformer, src: Int[Tensor, "batch t_src"], max_len: int, choose: Choose
) -> Int[Tensor, "batch t_tgt"]:
    """Let `choose` pick every next word from its logits."""
    pad_id, eos_id = model.config.pad_id, model.config.eos_id
    with evaluating(model):
        writer = Writer(model, src, max_len)
        ended = torch.zeros_like(writer.word, dtype=torch.bool)
        written = []
        while len(written) < max_len and not ended.all():
            word = choose(writer.next_logits()).masked_fill(ended, pad_id)
            ended |= word == eos_id
            written.append(word)
            writer.word = word
    return torch.stack(written, dim=1)  # (batch, t_tgt)


def beam_search(
    model: Transformer,
    src: Int[Tensor, "batch t_src"],
    beam_size: int = 4,
    length_penalty: float = 0.6,
    max_len: int = 64,
) -> Int[Tensor, "batch t_tgt"]:
    """Follow the beam_size best beginnings at once; return the best sentence of each.

    Beam search. A beginning (hypothesis) is ranked by its log-probability divided by
    ((5 + length) / 6) to the power of length_penalty. One that has ended stays in the
    race. With beam_size 1 this is greedy decoding.

    Raises:
        ValueError: beam_size is below 1.
    Source: Wu et al. 2016, equation 14, without the coverage penalty.
    """
    if beam_size < 1:
        raise ValueError(
            f"beam_search: beam_size is {beam_size}; it must be 1 or more."
        )
    with evaluating(model):
        return search_beams(model, src, beam_size, length_penalty, max_len)


def search_beams(
    model: Transformer,
    src: Int[Tensor, "batch t_src"],
    beam_size: int,
    length_penalty: float,
    max_len: int,
) -> Int[Tensor, "batch t_tgt"]:
    """Do what `beam_search` promises, with the model ready for it."""
    batch, pad_id, eos_id = len(src), model.config.pad_id, model.config.eos_id
    writer = Writer(model, src, max_len, copies=beam_size)
    sentence = torch.arange(batch, device=src.device)
    # All beams of a sentence start alike: only the first may go on.
    total = torch.full((batch, beam_size), -math.inf, device=src.device)
    total[:, 0] = 0.0
    length = torch.zeros_like(total)
    ended = torch.zeros_like(total, dtype=torch.bool)
    written = src.new_empty(batch, beam_size, 0)
    while written.shape[-1] < max_len and not ended.all():
        log_p = writer.next_logits().log_softmax(dim=-1)
        log_p = log_p.unflatten(0, (batch, beam_size)).float()
        # An ended beam can only go on with <pad>, at no cost.
        log_p = log_p.masked_fill(ended[..., None], -math.inf)
        log_p[..., pad_id] = log_p[..., pad_id].masked_fill(ended, 0.0)
        candidate = total[..., None] + log_p  # (batch, beams, vocab)
        grown = (length + ~ended)[..., None]
        ranked = candidate / ((5 + grown) / 6) ** length_penalty
        best = ranked.flatten(1).topk(beam_size).indices  # (batch, beams)
        beam, token = best // log_p.shape[-1], best % log_p.shape[-1]
        total = candidate.flatten(1).gather(1, best)
        length = grown[..., 0].gather(1, beam)
        ended = ended.gather(1, beam) | (token == eos_id)
        written = torch.cat(
            (written.gather(1, beam[..., None].expand_as(written)), token[..., None]),
            dim=-1,
        )
        writer.cache.select((sentence[:, None] * beam_size + beam).flatten())
        writer.word = token.flatten()
    return written[:, 0]  # the best come first
