"""Writing a sentence word by word, with every key and value cached."""

import math
from collections.abc import Callable, Iterator

import torch
from jaxtyping import Float, Int
from torch import Tensor

from tt_utils.decoding.stepper import Stepper, TranslationStepper
from tt_utils.models.transformer import Transformer
from tt_utils.modes import evaluating

Choose = Callable[[Float[Tensor, "rows vocab"]], Int[Tensor, " rows"]]


def greedy_decode(
    model: Transformer, src: Int[Tensor, "batch t_src"], max_len: int = 64
) -> Int[Tensor, "batch t_tgt"]:
    """Take the likeliest next word again and again, until every sentence has ended.

    Greedy decoding. The result starts after <s>; a sentence that has ended goes on
    with <pad>. It holds at most max_len words, or as many as the model has positions.
    Dropout is off meanwhile; the model's mode comes back as it was.
    """
    with evaluating(model):
        stepper = TranslationStepper(model, src, max_len)
        return generate(stepper, lambda logits: logits.argmax(dim=-1))


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

    The options are those of `sampling`.
    """
    draw = sampling(temperature, top_k, top_p, generator)
    with evaluating(model):
        return generate(TranslationStepper(model, src, max_len), draw)


def sampling(
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    generator: torch.Generator | None = None,
) -> Choose:
    """Give what draws a word from its logits, for `generate` and `stream`.

    `top_k` keeps that many words (top-k sampling); `top_p` the fewest whose
    probabilities reach it (nucleus sampling).

    Raises:
        ValueError: the temperature is not above 0, top_k below 1, top_p outside (0, 1].
    Source: Holtzman et al. 2020 for top_p.
    """
    if not temperature > 0:
        raise ValueError(
            f"sampling: temperature is {temperature}; it must be above 0. "
            "For the likeliest words use top_k=1."
        )
    if top_k is not None and top_k < 1:
        raise ValueError(f"sampling: top_k is {top_k}; keep at least one word.")
    if top_p is not None and not 0 < top_p <= 1:
        raise ValueError(f"sampling: top_p is {top_p}; it must lie in (0, 1].")

    def draw(logits: Float[Tensor, "rows vocab"]) -> Int[Tensor, " rows"]:
        scaled = divide(logits, temperature)
        shares = keep_likeliest(scaled, top_k, top_p).softmax(dim=-1)
        return torch.multinomial(shares, 1, generator=generator)[:, 0]

    return draw


def divide(
    logits: Float[Tensor, "rows vocab"], temperature: float
) -> Float[Tensor, "rows vocab"]:
    """Scale the distances to the likeliest word; the smallest temperatures, too."""
    distances = logits.float() - logits.amax(dim=-1, keepdim=True)
    return distances / max(temperature, torch.finfo(distances.dtype).tiny)


def keep_likeliest(
    logits: Float[Tensor, "rows vocab"], top_k: int | None, top_p: float | None
) -> Float[Tensor, "rows vocab"]:
    """Set the logits of all other words to -inf."""
    if top_k is None and top_p is None:
        return logits
    size = logits.shape[-1]
    kept, words = logits.topk(min(top_k or size, size))  # the likeliest first
    if top_p is not None:
        shares = (kept - logits.logsumexp(dim=-1, keepdim=True)).exp()  # of all words
        # A word goes if those before it already reach top_p.
        kept = kept.masked_fill(shares.cumsum(dim=-1) - shares >= top_p, -math.inf)
    return torch.full_like(logits, -math.inf).scatter(-1, words, kept)


def generate(stepper: Stepper, choose: Choose) -> Int[Tensor, "batch t"]:
    """Let `choose` pick every next word from its logits, until every row has ended.

    Like all of this below `greedy_decode`, to be called inside `evaluating(model)`, in
    which the stepper was made.
    """
    return torch.stack(list(stream(stepper, choose)), dim=1)


def stream(stepper: Stepper, choose: Choose) -> Iterator[Int[Tensor, " batch"]]:
    """Yield the rows' next words as soon as they are chosen: streaming.

    A row that has ended goes on with <pad>. Go through it inside `evaluating(model)`.
    """
    ended = torch.zeros_like(stepper.word, dtype=torch.bool)
    for _ in range(stepper.max_len):
        word = choose(stepper.next_logits()).masked_fill(ended, stepper.pad_id)
        stepper.word = word
        ended |= word == stepper.eos_id
        yield word.clone()
        if ended.all():
            return


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
    race. With beam_size 1 this is greedy decoding. `max_len` is as for greedy_decode.

    Raises:
        ValueError: beam_size is below 1.
    Source: Wu et al. 2016, equation 14, without the coverage penalty.
    """
    if beam_size < 1:
        raise ValueError(
            f"beam_search: beam_size is {beam_size}; it must be 1 or more."
        )
    with evaluating(model):
        stepper = TranslationStepper(model, src, max_len)
        return beams(stepper, beam_size, length_penalty)


def beams(
    stepper: Stepper, beam_size: int, length_penalty: float
) -> Int[Tensor, "batch t"]:
    """Do what `beam_search` promises with the rows of any model, a text each.

    Each row becomes beam_size rows side by side. A text whose beams have all ended
    leaves, and those that stay take less time.
    """
    batch, device = len(stepper.word), stepper.word.device
    pad_id, eos_id = stepper.pad_id, stepper.eos_id
    found = torch.full((batch, stepper.max_len), pad_id, device=device)
    text = torch.arange(batch, device=device)  # those that are still written
    # One beginning each at first: all beams of a text start alike.
    total = torch.zeros(batch, 1, device=device)
    length, ended = torch.zeros_like(total), torch.zeros_like(total, dtype=torch.bool)
    written = text.new_empty(batch, 1, 0)
    while written.shape[-1] < stepper.max_len:
        log_p = stepper.next_logits().log_softmax(dim=-1, dtype=torch.float32)
        log_p = log_p.unflatten(0, total.shape)  # (texts, beams, vocab)
        # An ended beam can only go on with <pad>, at no cost.
        log_p = log_p.masked_fill(ended[..., None], -math.inf)
        log_p[..., pad_id] = log_p[..., pad_id].masked_fill(ended, 0.0)
        candidate = total[..., None] + log_p
        grown = length + ~ended
        ranked = candidate / ((5 + grown[..., None]) / 6) ** length_penalty
        kept = min(beam_size, ranked[0].numel())
        best = ranked.flatten(1).topk(kept).indices  # (texts, beams)
        beam, token = best // log_p.shape[-1], best % log_p.shape[-1]
        total = candidate.flatten(1).gather(1, best)
        length = grown.gather(1, beam)
        ended = ended.gather(1, beam) | (token == eos_id)
        past = written.gather(1, beam[..., None].expand(-1, -1, written.shape[-1]))
        written = torch.cat((past, token[..., None]), dim=-1)
        found[text, : written.shape[-1]] = written[:, 0]  # the best come first
        going = ~ended.all(dim=1)
        if not going.any():
            break
        first = torch.arange(len(text), device=device)[:, None] * log_p.shape[1]
        stepper.select((first + beam)[going].flatten())
        stepper.word = token[going].flatten()
        text, total, length, ended, written = (
            x[going] for x in (text, total, length, ended, written)
        )
    return found[:, : written.shape[-1]]
