"""English-Spanish sentence pairs without end, with gold alignments, drawn by rules."""

from tt_utils.data.grammar.rules import SentencePair, sentence_pairs

__all__ = ["SentencePair", "sentence_pairs"]
