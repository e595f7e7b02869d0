"""BLEU with its uncertainty, and with the settings that let others repeat it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sacrebleu.metrics import BLEU

# Of fewer samples, 2.5 % at either end is not even one.
FEWEST_SAMPLES = 40


@dataclass(frozen=True)
class Bleu:
    """A score from 0 to 100, its 95 % interval, and sacreBLEU's signature.

    Without a bootstrap there is no interval: `low` and `high` are None.
    """

    score: float
    low: float | None
    high: float | None
    signature: str

    def __str__(self) -> str:
        interval = "" if self.low is None else f" ({self.low:.1f} to {self.high:.1f})"
        return f"{self.score:.1f}{interval}, {self.signature}"


def corpus_bleu(
    outputs: Sequence[str],
    references: Sequence[str],
    *,
    lowercase: bool = False,
    samples: int = 1000,
    seed: int = 12345,
) -> Bleu:
    """Score translations against one reference each, as sacreBLEU does.

    Both sides are text as people write it; sacreBLEU splits it into words (13a).
    For the interval, `samples` corpora of the same size are drawn from the sentences,
    each sentence as often as it comes up; the middle 95 % of their scores is the
    interval. `samples=0` leaves it out.

    Raises:
        ValueError: the two sides differ in length, are empty or are no lists of
            strings, or the samples are too few.
        ImportError: sacreBLEU is not installed.
    Source: Papineni et al. 2002; Koehn 2004 for the interval; Post 2018 for the
        signature.
    Differs from: sacreBLEU draws the same samples but writes mean ± half the width,
        which may leave the range from 0 to 100.
    """
    check_corpus(outputs, references, samples)
    metric = sacrebleu_metric(lowercase)
    score = metric.corpus_score(outputs, [references]).score
    signature = metric.get_signature()
    if samples == 0:
        return Bleu(score, None, None, str(signature))
    resampled = sorted(bootstrap(metric, outputs, references, samples, seed))
    cut = samples // FEWEST_SAMPLES
    signature.update("bs", samples)
    signature.update("seed", seed)
    return Bleu(score, resampled[cut], resampled[-1 - cut], str(signature))


def bootstrap(
    metric: "BLEU",
    outputs: Sequence[str],
    references: Sequence[str],
    samples: int,
    seed: int,
) -> list[float]:
    """Score corpora of the same size, drawn from the sentences with replacement."""
    alone = [
        metric.corpus_score([output], [[reference]])
        for output, reference in zip(outputs, references, strict=True)
    ]
    counts = np.array([[a.sys_len, a.ref_len, *a.counts, *a.totals] for a in alone])
    rng = np.random.default_rng(seed)
    scores = []
    for rows in rng.choice(len(counts), size=(samples, len(counts))):
        sys_len, ref_len, *grams = counts[rows].sum(axis=0).tolist()
        half = len(grams) // 2
        sample = metric.compute_bleu(
            grams[:half], grams[half:], sys_len, ref_len, metric.smooth_method
        )
        scores.append(sample.score)
    return scores


def sacrebleu_metric(lowercase: bool) -> "BLEU":
    """Load sacreBLEU, which is slow, only when a corpus is scored."""
    try:
        from sacrebleu.metrics import BLEU
    except ImportError as error:
        raise ImportError(
            "corpus_bleu: the package sacrebleu is missing; install it with "
            "`pip install sacrebleu`."
        ) from error
    return BLEU(lowercase=lowercase, tokenize="13a")


def check_corpus(
    outputs: Sequence[str], references: Sequence[str], samples: int
) -> None:
    """Refuse what gives no score, or none with an interval."""
    check_sentences("outputs", outputs)
    check_sentences("references", references)
    if not outputs or len(outputs) != len(references):
        raise ValueError(
            f"corpus_bleu: {len(outputs)} outputs and {len(references)} references; "
            "give as many of each, at least one."
        )
    if samples != 0 and samples < FEWEST_SAMPLES:
        raise ValueError(
            f"corpus_bleu: samples is {samples}; give at least {FEWEST_SAMPLES}, or 0 "
            "for a score without an interval."
        )


def check_sentences(name: str, given: Sequence[str]) -> None:
    """Refuse what sacreBLEU would misread or refuse in other words."""
    if isinstance(given, str):
        raise ValueError(
            f"corpus_bleu: {name} is one string; give a list of strings, one for each "
            "sentence."
        )
    for i, sentence in enumerate(given):
        if not isinstance(sentence, str):
            raise ValueError(
                f"corpus_bleu: {name}[{i}] is of type {type(sentence).__name__}; give "
                "each sentence as one string, such as decode writes."
            )


def exact_match(outputs: Sequence[list[str]], targets: Sequence[list[str]]) -> float:
    """Say which share of the outputs equals its target word for word.

    Raises:
        ValueError: there are no targets, their number differs from the outputs', or
            some are texts and some are lists of words.
    """
    if not targets or len(outputs) != len(targets):
        raise ValueError(
            f"exact_match: {len(outputs)} outputs and {len(targets)} targets; "
            "give as many of each, at least one."
        )
    if len({isinstance(words, str) for words in (*outputs, *targets)}) > 1:
        raise ValueError(
            "exact_match: a text never equals a list of words; split both into words."
        )
    hits = sum(out == target for out, target in zip(outputs, targets, strict=True))
    return hits / len(targets)
