"""From a model to sentences: chapter 17."""

from tt_utils.decoding.search import beam_search, greedy_decode, sample
from tt_utils.decoding.translator import Translator

__all__ = ["Translator", "beam_search", "greedy_decode", "sample"]
