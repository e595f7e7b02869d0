"""How well links between words agree with gold ones: the alignment error rate."""

from collections.abc import Iterable, Sequence

import numpy as np
from jaxtyping import Float

Alignment = set[tuple[int, int]]


def hard_alignment(weights: Float[np.ndarray, "t_tgt t_src"]) -> Alignment:
    """Link each target word to the source word it attends to most: (source, target)."""
    return {(int(i), j) for j, i in enumerate(weights.argmax(axis=1))}


def diagonal_alignment(t_src: int, t_tgt: int) -> Alignment:
    """Link every target word to the source word beside its middle: (source, target).

    Both sentences are stretched to the same length, so that their diagonal runs from
    start to start and from end to end. A middle on the border of two source words goes
    to the later one.

    Raises:
        ValueError: there is no source word to link to.
    """
    if t_src < 1:
        raise ValueError(
            f"diagonal_alignment: t_src is {t_src}; a link needs a source word."
        )
    return {((2 * j + 1) * t_src // (2 * t_tgt), j) for j in range(t_tgt)}


def uniform_error_rate(
    gold: Sequence[Alignment],
    lengths: Sequence[tuple[int, int]],
    sure: Sequence[Alignment] | None = None,
) -> float:
    """Expect this alignment error rate where each target word gets a random link.

    The link of a target word goes to each of the t_src source words with chance
    1/t_src, so it hits one of the word's g gold links with chance g/t_src. Hits add up
    over words and sentences, whereas |found|, one link a target word, and |sure| do
    not depend on chance: the expectation is exact, not sampled.

    `gold` and `sure` are those of `alignment_error_rate`; `lengths` holds
    (t_src, t_tgt) of each pair, in the order of a link.

    Raises:
        ValueError: gold and lengths differ in number, a pair has no source word, a
            gold link lies outside its sentences, or there is no link at all.
    """
    sure = gold if sure is None else sure
    check_links(gold, sure, lengths)
    hits, total = 0.0, 0
    for g, s, (t_src, t_tgt) in zip(gold, sure, lengths, strict=True):
        hits += (len(g) + len(s)) / t_src
        total += t_tgt + len(s)
    check_total("uniform_error_rate", total)
    return 1 - hits / total


def alignment_error_rate(
    found: Iterable[Alignment],
    gold: Iterable[Alignment],
    sure: Iterable[Alignment] | None = None,
) -> float:
    """Count wrong and missing links over a corpus: 0 is perfect, 1 shares nothing.

    1 - (|found ∩ sure| + |found ∩ gold|) / (|found| + |sure|). `gold` holds all links
    that are right, `sure` those among them that must be found; left out, all must.

    Raises:
        ValueError: there is no link to compare, or a sure one is not in `gold`.
    Source: Och and Ney 2003, the alignment error rate with S = sure and P = gold.
    """
    gold = list(gold)
    shared = total = 0
    for a, g, s in zip(found, gold, gold if sure is None else sure, strict=True):
        check_sure(s, g)
        shared += len(a & s) + len(a & g)
        total += len(a) + len(s)
    check_total("alignment_error_rate", total)
    return 1 - shared / total


def check_links(
    gold: Sequence[Alignment],
    sure: Sequence[Alignment],
    lengths: Sequence[tuple[int, int]],
) -> None:
    """Refuse gold links that don't fit the lengths (t_src, t_tgt) of their pairs."""
    if len(gold) != len(lengths):
        raise ValueError(
            f"uniform_error_rate: {len(gold)} gold alignments and {len(lengths)} "
            "lengths; give as many of each."
        )
    for k, (g, s, (t_src, t_tgt)) in enumerate(zip(gold, sure, lengths, strict=True)):
        check_sure(s, g)
        if t_src < 1:
            raise ValueError(
                f"uniform_error_rate: pair {k} has no source word; a link needs one."
            )
        outside = [(i, j) for i, j in g if not (0 <= i < t_src and 0 <= j < t_tgt)]
        if outside:
            raise ValueError(
                f"uniform_error_rate: pair {k} has {t_src} source words and {t_tgt} "
                f"target words, but a gold link {min(outside)}; give (t_src, t_tgt)."
            )


def check_total(caller: str, total: int) -> None:
    """Refuse a corpus without a single link."""
    if total == 0:
        raise ValueError(f"{caller}: there are no links to compare.")


def check_sure(sure: Alignment, gold: Alignment) -> None:
    """Refuse sure links that are not gold."""
    if not sure <= gold:
        raise ValueError(
            f"the sure link {min(sure - gold)} is not among the gold links; "
            "gold holds all that are right, sure some of them."
        )
