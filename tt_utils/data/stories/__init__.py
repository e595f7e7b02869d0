"""Short stories made by rules, with questions, answers, and the facts they need."""

from tt_utils.data.stories.prepare import StoryData, prepare_stories, story_tokenizer
from tt_utils.data.stories.questions import Asked, ask
from tt_utils.data.stories.world import Story, make_story

__all__ = [
    "Asked",
    "Story",
    "StoryData",
    "ask",
    "make_story",
    "prepare_stories",
    "story_tokenizer",
]
