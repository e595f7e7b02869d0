"""The span reader of the stories: its sizes and how it learns, as they were tried."""

from collections.abc import Sequence
from typing import Any

from tt_utils.data.examples import ExampleBatches
from tt_utils.data.squad import SpanExample, span_batch
from tt_utils.data.stories.prepare import MAX_LEN
from tt_utils.data.stories.questions import Facts
from tt_utils.data.tokenizer import WordTokenizer
from tt_utils.models.bert import BERTConfig
from tt_utils.training.config import TrainingConfig

ROWS = 32  # stories in a batch
SIZES: dict[str, Any] = {
    **{"d_model": 64, "d_ff": 128, "n_heads": 4, "dropout": 0.0, "norm_first": True},
    # Turns that are slow against a story, but not much slower.
    **{"positions": "rotary", "rotary_base": 100.0, "max_len": MAX_LEN},
}
ONE_FACT = TrainingConfig(steps=1_400, peak_lr=0.003, warmup=100)
BOTH = TrainingConfig(steps=2_600, peak_lr=0.003, warmup=200)
# Questions with two facts are learned more slowly, so they come twice as often.
MIXTURE: tuple[Facts, ...] = (1, 2, 2)
ABOUT = {"data": "stories", "max_words": 1}


def reader_config(tokenizer: WordTokenizer, n_layers: int = 2) -> BERTConfig:
    """Give the sizes of a reader of stories."""
    return BERTConfig(len(tokenizer), n_layers, tokenizer.pad_id, **SIZES)


def story_batches(examples: Sequence[SpanExample]) -> ExampleBatches[SpanExample]:
    """Shuffle examples into batches."""
    return ExampleBatches(examples, ROWS, span_batch)


def vocabulary(tokenizer: WordTokenizer) -> dict[str, Any]:
    """Give what a checkpoint keeps beside the model, for `Answerer.load`."""
    return {"about": ABOUT, "tokenizers": [tokenizer.to_json()]}
