"""What does a cache of keys and values save, and what does a longer sentence cost?

One core, or a GPU. All models write a given number of tokens; their weights are
random, for the cost doesn't depend on what is written.
"""

import argparse
import statistics
from collections.abc import Callable, Sequence

import torch
from record import save
from rivals import TorchTranslator, never_ends, without_cache
from timing import interleaved, ratio
from torch import Tensor, nn

from tt_utils.data.tokenizer import BOS
from tt_utils.decoding.search import beam_search, greedy_decode
from tt_utils.models.transformer import Transformer, TransformerConfig
from tt_utils.runtime import best_device

VOCAB, SOURCE, WARM_UP = 8_000, 20, 8
UNCACHED = "torch.nn.Transformer, no cache"
CACHED = ("tt_utils, cache", "tt_utils, cache, 4 beams")
# Sentences, tokens in each, and who writes them: without a cache ours costs what
# PyTorch's does, which one row is enough to show.
TASKS = (
    (64, 50, (UNCACHED, "tt_utils, no cache", *CACHED)),
    (64, 256, (UNCACHED, *CACHED)),
)
LENGTHS = (16, 64, 256, 1_024)


def config_for(length: int) -> TransformerConfig:
    """The small size of the training benchmark, with room for the sentence."""
    return TransformerConfig(
        VOCAB, VOCAB, d_model=256, d_ff=1024, n_encoder_layers=3, n_decoder_layers=3,
        dropout=0.0, max_len=max(length, SOURCE) + 1,
    )  # fmt: skip


@torch.inference_mode()
def write_again(model: nn.Module, src: Tensor, length: int) -> Tensor:
    """Greedy decoding that runs all layers again for every word."""
    next_scores = without_cache(model, src)
    tgt = src.new_full((len(src), 1), BOS)
    for _ in range(length):
        word = next_scores(tgt).argmax(dim=-1)
        tgt = torch.cat((tgt, word[:, None]), dim=1)
    return tgt


def decoders(length: int) -> dict[str, Callable[[Tensor, int], object]]:
    """Name what can be measured: each takes sources and a number of tokens."""
    torch.manual_seed(0)
    config = config_for(length)
    theirs = TorchTranslator(config).to(best_device()).eval()
    ours = never_ends(Transformer(config)).to(best_device()).eval()
    return {
        UNCACHED: lambda src, n: write_again(theirs, src, n),
        "tt_utils, no cache": lambda src, n: write_again(ours, src, n),
        "tt_utils, cache": lambda src, n: greedy_decode(ours, src, n),
        "tt_utils, cache, 4 beams": lambda src, n: beam_search(ours, src, 4, max_len=n),
    }


def measure(
    sentences: int, length: int, names: Sequence[str], rounds: int
) -> list[dict[str, object]]:
    """Let these decoders write in turns, after a few tokens each to warm up."""
    made = decoders(length)
    src = torch.randint(4, VOCAB, (sentences, SOURCE), device=best_device())
    for name in names:
        made[name](src, min(length, WARM_UP))
    actions = {name: (lambda d=made[name]: d(src, length)) for name in names}
    times = interleaved(actions, rounds, warm_up=False)
    rows = []
    for name in names:
        seconds = statistics.median(times[name])
        row = {
            "sentences": sentences,
            "length": length,
            "decoder": name,
            "seconds": seconds,
            "ms_per_token": 1e3 * seconds / (sentences * length),
            **ratio(times[UNCACHED], times[name]),
        }
        rows.append(row)
        print(row, flush=True)
    return rows


def main() -> None:
    """Measure 64 sentences at two lengths, then one sentence at every length."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--longest", type=int, default=max(LENGTHS), help="to try it")
    given = parser.parse_args()
    torch.set_num_threads(1)
    rows, curve = [], []
    for sentences, length, names in TASKS:
        if length <= given.longest:
            rows += measure(sentences, length, names, given.rounds)
    for length in LENGTHS:
        if length <= given.longest:
            # What is over in a moment is measured more often.
            rounds = given.rounds * (1 if length > 64 else 3)
            curve += measure(1, length, (UNCACHED, *CACHED), rounds)
    save("decoding_speed", {"rows": rows, "curve": curve}, best_device())


if __name__ == "__main__":
    main()
