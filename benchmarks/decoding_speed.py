"""What does a cache of keys and values save, and what does a longer sentence cost?

One core. All models write a given number of tokens; their weights are random, for the
cost doesn't depend on what is written.
"""

import argparse
from collections.abc import Callable, Sequence

import torch
from record import save
from rivals import TorchTranslator
from timing import interleaved
from torch import Tensor, nn

from tt_utils.blocks.masks import padding_mask
from tt_utils.data.tokenizer import BOS, EOS
from tt_utils.decoding.search import beam_search, greedy_decode
from tt_utils.models.transformer import Transformer, TransformerConfig
from tt_utils.runtime import best_device

VOCAB, ROWS, SOURCE = 8_000, 64, 20
LENGTHS = (16, 64, 256, 1_024)


def config_for(length: int) -> TransformerConfig:
    """The small size of the training benchmark, with room for the sentence."""
    return TransformerConfig(
        VOCAB, VOCAB, d_model=256, d_ff=1024, n_encoder_layers=3, n_decoder_layers=3,
        dropout=0.0, max_len=max(length, SOURCE) + 1,
    )  # fmt: skip


def without_cache(
    model: nn.Module, memory: Tensor, source: Tensor, length: int
) -> Tensor:
    """Greedy decoding that runs all layers again for every word.

    `source` is what the model's decoder asks for beside the memory.
    """
    tgt = source.new_full((len(memory), 1), BOS, dtype=torch.long)
    for _ in range(length):
        last = model.decode_hidden(tgt, memory, source)[:, -1]
        word = model.generator(last).argmax(dim=-1)
        tgt = torch.cat((tgt, word[:, None]), dim=1)
    return tgt


def theirs_again(model: TorchTranslator, src: Tensor, length: int) -> Tensor:
    """PyTorch's model without a cache."""
    with torch.inference_mode():
        return without_cache(model, model.encode(src), src, length)


def ours_again(model: Transformer, src: Tensor, length: int) -> Tensor:
    """Our model without a cache."""
    mask = padding_mask(src, model.config.pad_id)
    with torch.inference_mode():
        return without_cache(model, model.encode(src, mask), mask, length)


class Endless(Transformer):
    """A model that never ends its sentence, so that all write equally much."""

    def decode_next(self, tokens: Tensor, cache: object) -> Tensor:
        """Make the end sign the least likely word."""
        logits = super().decode_next(tokens, cache)
        logits[:, EOS] = -1e9
        return logits


def rivals(rows: int, length: int) -> dict[str, Callable[[], object]]:
    """Name what is measured at one length."""
    torch.manual_seed(0)
    config = config_for(length)
    theirs = TorchTranslator(config).to(best_device()).eval()
    ours = Endless(config).to(best_device()).eval()
    src = torch.randint(4, VOCAB, (rows, SOURCE), device=best_device())
    return {
        "torch.nn.Transformer, no cache": lambda: theirs_again(theirs, src, length),
        "tt_utils, no cache": lambda: ours_again(ours, src, length),
        "tt_utils, cache": lambda: greedy_decode(ours, src, length),
        "tt_utils, cache, 4 beams": lambda: beam_search(ours, src, 4, max_len=length),
    }


def measure(
    sentences: int, lengths: Sequence[int], rounds: int
) -> list[dict[str, object]]:
    """Let every rival write to these lengths; several rounds start with one more."""
    rows = []
    for length in lengths:
        seconds = interleaved(rivals(sentences, length), rounds, warm_up=rounds > 1)
        slow = seconds["torch.nn.Transformer, no cache"]
        for name, took in seconds.items():
            row = {
                "sentences": sentences,
                "length": length,
                "decoder": name,
                "seconds": took,
                "ms_per_token": 1e3 * took / (sentences * length),
                "ratio": slow / took,
            }
            rows.append(row)
            print(row, flush=True)
    return rows


def main() -> None:
    """Measure 64 sentences at two lengths, then one sentence at every length."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    torch.set_num_threads(1)
    rows = measure(ROWS, (50,), given.rounds) + measure(ROWS, (256,), 1)
    curve = measure(1, LENGTHS, 1)
    save("decoding_speed", {"rows": rows, "curve": curve}, best_device())


if __name__ == "__main__":
    main()
