"""Scores: how many translations are exact, how well attention finds the alignment."""

from collections.abc import Iterable, Sequence

import numpy as np
from jaxtyping import Float

Alignment = set[tuple[int, int]]


def exact_match(outputs: Sequence[list[str]], targets: Sequence[list[str]]) -> float:
    """Say which share of the outputs equals its target word for word.

    Raises:
        ValueError: there are no targets, or their number differs from the outputs'.
    """
    if not targets or len(outputs) != len(targets):
        raise ValueError(
            f"exact_match: {len(outputs)} outputs and {len(targets)} targets; "
            "give as many of each, at least one."
        )
    hits = sum(out == target for out, target in zip(outputs, targets, strict=True))
    return hits / len(targets)


def hard_alignment(weights: Float[np.ndarray, "t_tgt t_src"]) -> Alignment:
    """Link every target word to the source word it looks at most: (source, target)."""
    return {(int(i), j) for j, i in enumerate(weights.argmax(axis=1))}


def alignment_error_rate(
    found: Iterable[Alignment], gold: Iterable[Alignment]
) -> float:
    """Count wrong and missing links over a corpus: 0 is perfect, 1 shares nothing.

    1 - 2·|found ∩ gold| / (|found| + |gold|), where every gold link is a sure one.

    Raises:
        ValueError: neither side holds a single link.
    Source: Och and Ney 2003, the alignment error rate with S = P.
    """
    shared = total = 0
    for a, g in zip(found, gold, strict=True):
        shared += len(a & g)
        total += len(a) + len(g)
    if total == 0:
        raise ValueError("alignment_error_rate: there are no links to compare.")
    return 1 - 2 * shared / total
