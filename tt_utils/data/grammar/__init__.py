"""English-Spanish sentence pairs without end, with gold alignments, drawn by rules."""

from tt_utils.data.grammar.rules import SentencePair, sentence_pairs, sentence_texts

__all__ = ["SentencePair", "sentence_pairs", "sentence_texts"]
