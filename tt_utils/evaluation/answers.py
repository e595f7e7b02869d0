"""How good answers are: exact match and F1, as SQuAD counts them."""

import re
import string
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tt_utils.data.squad import Reading
from tt_utils.decoding.answering import Answerer

ARTICLES = re.compile(r"\b(a|an|the)\b")
UNMARKED = str.maketrans("", "", string.punctuation)


@dataclass(frozen=True)
class AnswerScores:
    """Shares from 0 to 1 over `count` questions."""

    exact: float
    f1: float
    count: int


def normalise(text: str) -> str:
    """Write in lower case, without ASCII punctuation, articles and double spaces.

    Source: SQuAD's evaluation script, in this order.
    """
    return " ".join(ARTICLES.sub(" ", text.lower().translate(UNMARKED)).split())


def normalised(wanted: Sequence[str]) -> list[str]:
    """Normalise the wanted answers; one without a letter counts only if all are so."""
    return [short for one in wanted if (short := normalise(one))] or [""]


def exact_match(found: str, wanted: Sequence[str]) -> bool:
    """Say whether an answer equals one of those wanted, both normalised.

    "" stands for "there is no answer".

    Raises:
        ValueError: nothing is wanted.
    """
    check_wanted(wanted)
    return normalise(found) in normalised(wanted)


def word_f1(found: str, wanted: Sequence[str]) -> float:
    """Give the harmonic mean of precision and recall over words, for the best match.

    Where either is empty once normalised, it is 1 if both are, else 0.

    Source: Rajpurkar et al. 2016, section 6.1; 2018 for empty answers.
    """
    check_wanted(wanted)
    words = normalise(found).split()
    return max(f1_of(words, one.split()) for one in normalised(wanted))


def f1_of(found: Sequence[str], wanted: Sequence[str]) -> float:
    """Compare two bags of words."""
    if not found or not wanted:
        return float(not found and not wanted)
    common = (Counter(found) & Counter(wanted)).total()
    return 2 * common / (len(found) + len(wanted))


def score_answers(
    found: Sequence[str | None], wanted: Sequence[Sequence[str]]
) -> AnswerScores:
    """Average over all questions; None is "there is no answer".

    Raises:
        ValueError: there are no questions, or not as many answers.
    """
    if not found or len(found) != len(wanted):
        raise ValueError(
            f"score_answers: {len(found)} answers to {len(wanted)} questions; give one "
            "for each, None where there is none."
        )
    pairs = [(text or "", right) for text, right in zip(found, wanted, strict=True)]
    exact = sum(exact_match(*pair) for pair in pairs)
    f1 = sum(word_f1(*pair) for pair in pairs)
    return AnswerScores(exact / len(pairs), f1 / len(pairs), len(pairs))


def score_readings(answerer: Answerer, readings: Sequence[Reading]) -> AnswerScores:
    """Answer every question, and compare with the answers that people gave."""
    found = answerer.answer_all([(one.question, one.passage) for one in readings])
    return score_answers([one.text for one in found], [r.texts() for r in readings])


def check_wanted(wanted: Sequence[str]) -> None:
    """Refuse a question without an answer to compare with."""
    if not wanted or isinstance(wanted, str):
        raise ValueError(
            f"exact_match, word_f1: wanted is {wanted!r}; give a list of right "
            'answers, [""] where there is none.'
        )
