"""A decoder-only model that writes captions: settings that were tried."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tt_utils.data.captions import load_captions
from tt_utils.data.text_windows import TextBatch, TextWindows, encode_stream
from tt_utils.data.tokenizer import BPETokenizer
from tt_utils.models.gpt import GPT, GPTConfig
from tt_utils.training.config import TrainingConfig

PIECES = 2_000
LENGTH, ROWS = 64, 32  # of a batch: windows of so many tokens, so many of them
SIZES: dict[str, Any] = {
    **{"d_model": 128, "d_ff": 384, "n_heads": 4, "n_layers": 3, "max_len": 256},
    **{"norm": "rms", "activation": "swiglu", "positions": "rotary", "bias": False},
}
TRAINING = TrainingConfig(
    steps=1_200, peak_lr=4e-3, warmup=100, schedule="cosine", precision="bf16"
)


@dataclass(frozen=True)
class Writing:
    """All that one training needs, and the tokenizer that its texts need later."""

    tokenizer: BPETokenizer
    model: GPTConfig
    training: TrainingConfig
    data: TextWindows
    valid: Sequence[TextBatch]

    @property
    def vocabulary(self) -> dict[str, Any]:
        """What a checkpoint keeps to write with."""
        about = {"data": "captions", "seed": self.training.seed}
        return {"about": about, "tokenizers": [self.tokenizer.to_json()]}

    def rows(self, texts: Sequence[str]) -> list[list[int]]:
        """Turn texts into the ids that are scored: </s> before each, and behind it."""
        end = self.tokenizer.eos_id
        return [[end, *ids, end] for ids in self.tokenizer.encode_batch(texts)]

    def build(self) -> GPT:
        """Make the untrained model."""
        return GPT(self.model)


def prepare(
    texts: Sequence[str],
    steps: int | None = None,
    seed: int = 0,
    valid: Sequence[str] = (),
) -> Writing:
    """Learn the pieces of these texts, cut them, and choose the settings.

    Texts follow each other in one row of tokens, each ended by </s>, which so stands
    before every text, too. Left out, `steps` are as many as all captions take.
    """
    steps = steps or TRAINING.steps
    tokenizer = BPETokenizer.train(texts, PIECES)

    def windows(chosen: Sequence[str]) -> TextWindows:
        return TextWindows(encode_stream(chosen, tokenizer), LENGTH, ROWS)

    return Writing(
        tokenizer,
        GPTConfig(len(tokenizer), **SIZES),
        replace(TRAINING, steps=steps, warmup=min(100, 1 + steps // 4), seed=seed),
        windows(texts),
        list(windows(valid).epoch(0)) if valid else (),
    )


def prepare_captions(seed: int = 0) -> Writing:
    """Choose the settings for all captions, and read them.

    Raises:
        DataError: they could not be had.
    """
    captions = load_captions()
    return prepare(captions.train, seed=seed, valid=captions.valid)
