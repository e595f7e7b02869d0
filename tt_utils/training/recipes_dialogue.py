"""How the model of the dialogues learns: data, sizes and settings that were tried."""

from dataclasses import dataclass, replace
from typing import Any

from tt_utils.data.dialogue import (
    Dialogue,
    Row,
    ShortFirst,
    collate,
    dialogues,
    encode_dialogue,
    make_tokenizer,
)
from tt_utils.data.examples import ExampleBatches
from tt_utils.data.tokenizer import WordTokenizer
from tt_utils.models.gpt import GPTConfig
from tt_utils.training.config import TrainingConfig

# Exchanges in a dialogue. With short ones the model finds out sooner who belongs to
# what; the longer ones test distances that no training dialogue has.
SHORT, EXCHANGES, LONGER = 5, 8, 20
FARTHEST = 12  # the greatest distance that the longer ones ask for often enough
SHORT_DIALOGUES, DIALOGUES = 32_000, 24_000
SHORT_ROWS, ROWS = 32, 16  # dialogues a batch
HELD_OUT = 200  # dialogues to validate on, and as many to test with

# Of Llama's kind, but for its positions: ALiBi's work at distances never trained.
SIZES: dict[str, Any] = {
    "n_layers": 3,
    "d_model": 64,
    "d_ff": 192,
    "n_heads": 4,
    "dropout": 0.0,
    "norm": "rms",
    "activation": "swiglu",
    "positions": "alibi",
    "bias": False,
    "max_len": 320,
}
TRAINING = TrainingConfig(steps=4_000, peak_lr=4e-3, weight_decay=0.01)


@dataclass(frozen=True)
class PreparedDialogues:
    """All that one training needs, and what a chat with its model needs later."""

    tokenizer: WordTokenizer
    model: GPTConfig
    training: TrainingConfig
    data: ShortFirst
    valid: ExampleBatches[Row]
    about: dict[str, Any]

    @property
    def vocabulary(self) -> dict[str, Any]:
        """What a checkpoint keeps for `tt_utils.decoding.chat.Chat`."""
        return {"about": self.about, "tokenizers": [self.tokenizer.to_json()]}


def prepare_dialogues(seed: int = 0) -> PreparedDialogues:
    """Draw the dialogues, give their words ids, and choose the settings."""
    short = dialogues(SHORT_DIALOGUES, SHORT, "short")
    long = dialogues(DIALOGUES, EXCHANGES, "train")
    tokenizer = make_tokenizer(long)
    return PreparedDialogues(
        tokenizer,
        GPTConfig(len(tokenizer), **SIZES),
        replace(TRAINING, seed=seed),
        ShortFirst(
            batches(short, tokenizer, SHORT_ROWS), batches(long, tokenizer, ROWS)
        ),
        batches(dialogues(HELD_OUT, EXCHANGES, "valid"), tokenizer, ROWS),
        {"data": "dialogue", "seed": seed},
    )


def fresh_dialogues(exchanges: int = EXCHANGES, unseen: bool = False) -> list[Dialogue]:
    """Draw dialogues to test with; `unseen` ones join what training never did."""
    return dialogues(HELD_OUT, exchanges, "test", unseen)


def batches(
    found: list[Dialogue], tokenizer: WordTokenizer, rows: int
) -> ExampleBatches[Row]:
    """Encode dialogues, and put so many of them into a batch."""
    encoded = [encode_dialogue(dialogue, tokenizer) for dialogue in found]
    return ExampleBatches(encoded, rows, collate)


def everything(data: ShortFirst) -> ShortFirst:
    """Let the loss count all tokens, what the user says too."""

    def whole(part: ExampleBatches[Row]) -> ExampleBatches[Row]:
        rows = [Row(row.ids, [True] * len(row.ids)) for row in part.examples]
        return replace(part, examples=rows)

    return ShortFirst(whole(data.short), whole(data.long))
