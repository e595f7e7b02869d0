"""Dialogues about a small world: what is told, what is asked, and the right replies."""

from tt_utils.data.dialogue.scores import (
    Judged,
    by_distance,
    most_frequent,
    questions,
    share_right,
)
from tt_utils.data.dialogue.template import (
    MODEL,
    USER,
    DialogueBatch,
    Row,
    ShortFirst,
    collate,
    encode_dialogue,
    make_tokenizer,
    prompt_ids,
)
from tt_utils.data.dialogue.turns import Dialogue, Exchange, dialogues
from tt_utils.data.dialogue.world import DONT_KNOW, Question, World

__all__ = [
    "DONT_KNOW",
    "MODEL",
    "USER",
    "Dialogue",
    "DialogueBatch",
    "Exchange",
    "Judged",
    "Question",
    "Row",
    "ShortFirst",
    "World",
    "by_distance",
    "collate",
    "dialogues",
    "encode_dialogue",
    "make_tokenizer",
    "most_frequent",
    "prompt_ids",
    "questions",
    "share_right",
]
