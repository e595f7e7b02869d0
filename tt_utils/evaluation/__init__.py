"""How good a translation is, and what attention found: chapter 18."""

from tt_utils.evaluation.alignment import (
    alignment_error_rate,
    diagonal_alignment,
    hard_alignment,
    uniform_error_rate,
)
from tt_utils.evaluation.bleu import corpus_bleu, exact_match
from tt_utils.evaluation.ibm1 import IBMModel1

__all__ = [
    "IBMModel1",
    "alignment_error_rate",
    "corpus_bleu",
    "diagonal_alignment",
    "exact_match",
    "hard_alignment",
    "uniform_error_rate",
]
