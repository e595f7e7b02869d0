"""Tasks whose answers train a model: judged by what it writes, with time of their own.

The answers here are played: none of them trains.
"""

import random
import re
from dataclasses import replace

import pytest
import torch
from quick import TRAININGS

from tt_utils.grading import lent
from tt_utils.grading.classroom.rounds import judged, new_seeds
from tt_utils.grading.classroom.sandbox.limits import LIMITS
from tt_utils.grading.classroom.sandbox.parcel import asked_of, packed
from tt_utils.grading.classroom.sandbox.replies import HandedIn
from tt_utils.grading.grade import grade, grade_with_fresh_numbers
from tt_utils.grading.judging.judge_training import judge_training
from tt_utils.grading.observing.attempt import attempt, handed, is_stub
from tt_utils.grading.observing.observation import Observed
from tt_utils.grading.tasks import find
from tt_utils.grading.tasks.requests import training_request

TASK = find("23.8")
SEED = 5
PAIRS, TEXTS, RIGHT = TASK.case(SEED)


def result_of(written):
    """The result of an answer that has written this."""

    def translate(pairs, texts):
        return written(texts) if callable(written) else written

    call = attempt((translate,), training_request(TASK, SEED))
    return judge_training(TASK, SEED, Observed((handed(translate),), (call,)))


def faulty(count):
    return [text + " no" for text in RIGHT[:count]] + RIGHT[count:]


@pytest.mark.parametrize(
    ("faults", "points"), [(0, 5), (2, 5), (3, 4), (10, 4), (20, 3), (100, 2), (181, 0)]
)
def test_a_point_for_each_share(faults, points):
    result = result_of(faulty(faults))
    assert result.points == points
    assert bool(result) == (points == TASK.points)
    assert f"{200 - faults} of 200" in result.message


def test_more_blanks_than_one_are_no_fault():
    assert result_of([f" {text.replace(' ', '  ')}\n" for text in RIGHT])


PLAYED = {
    "all alike": lambda texts: [RIGHT[0]] * len(texts),
    "marks left in the text": lambda texts: [f"{text} </s> <pad>" for text in RIGHT],
    "source given back": lambda texts: texts,
    "another order": lambda texts: RIGHT[1:] + RIGHT[:1],
    "behind the end": lambda texts: [f"{text} {text}" for text in RIGHT],
    "cut short": lambda texts: [text.rsplit(" ", 1)[0] for text in RIGHT],
    "one word repeated": lambda texts: [f"{text.split()[0]} " * 8 for text in RIGHT],
    "the words in the wrong order": lambda texts: [
        " ".join(sorted(text.split())) for text in RIGHT
    ],
    "nearly": lambda texts: faulty(50),
    "hardly": lambda texts: [text[::-1] for text in RIGHT],
}


def test_every_symptom_has_an_answer_that_shows_it():
    assert [one.name for one in TASK.symptoms] == list(PLAYED)


@pytest.mark.parametrize("name", PLAYED)
def test_a_symptom_gets_its_own_hint(name):
    result = result_of(PLAYED[name])
    assert result.mistakes == (name,)
    assert not result


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (RIGHT[1:], "yours has 199"),
        ("a text", "got a str"),
        ([1.0] * 200, "got a list"),
        ([None] * 200, "no text"),
        (None, "Does it end with a `return`?"),
        ([...] * 200, "left to fill in"),
        (lambda texts: [{}[text] for text in texts], "raised KeyError"),
    ],
)
def test_what_is_no_list_of_texts_gets_a_sentence(written, said):
    result = result_of(written)
    assert said in result.message
    assert result.points == 0


def test_a_stub_is_not_attempted():
    def translate(pairs, texts): ...

    for graded in (grade(TASK, (translate,)), grade_with_fresh_numbers(TASK, (), 0)):
        assert graded.points == 0
    assert grade(TASK, (translate,)).verdict == "not attempted"


def test_the_time_is_the_tasks_own():
    def translate(pairs, texts):
        while True:
            pass

    short = replace(TASK, seconds=1.0)
    object.__setattr__(short, "id", TASK.id)
    result = grade(short, (translate,), SEED)
    # A busy machine may stop it by the clock.
    assert re.match(
        "It was stopped after [14] seconds (of computing|by)", result.message
    )
    assert result.points == 0


def test_a_language_is_drawn_for_each_check():
    def keeps(pairs, texts):
        return [dict(zip(TEXTS, RIGHT, strict=True)).get(text, "") for text in texts]

    assert grade(TASK, (keeps,), SEED)
    assert not grade_with_fresh_numbers(TASK, (keeps,), SEED)


def test_a_class_asks_once_and_keeps_the_translations():
    seeds = new_seeds()
    asked = asked_of(TASK, seeds)
    assert [len(requests) for requests in asked.rounds] == [1]
    assert asked.seconds == TASK.seconds
    _, texts, right = TASK.case(seeds[-1])
    content = packed(asked)
    assert texts[0].encode() in content
    assert not any(text.encode() in content for text in right)

    def translate(pairs, texts):
        return right

    handed_in = HandedIn((handed(translate),))
    handed_in.rounds[0] = [attempt((translate,), asked.rounds[0][0])]
    assert judged(TASK, seeds, handed_in)
    handed_in.rounds.clear()
    assert "brought the process" in judged(TASK, seeds, handed_in).message


def test_a_class_gives_a_training_its_time_and_nothing_else():
    usual = [5.0, 5.0]
    assert LIMITS.with_trainings(usual) == LIMITS
    longer = LIMITS.with_trainings([*usual, 120.0])
    assert (longer.cell, longer.task) == (120.0, LIMITS.task)
    assert longer.wall == LIMITS.wall + 240.0
    assert all(one.seconds > LIMITS.task for one in TRAININGS)


def test_what_is_lent_counts_as_not_written():
    class Own(lent.EncoderLayer):
        pass

    assert all(is_stub(part) for parts in lent.STAGES.values() for part in parts)
    assert is_stub(Own)
    parts = lent.instead_of({3, 5})
    assert set(parts) == {"attention", "MultiHeadAttention", "Transformer"}
    with pytest.raises(ValueError, match="nothing is lent for stage 8"):
        lent.instead_of({8})
    with pytest.raises(ValueError, match="marks 1 and 2"):
        lent.greedy(torch.nn.Linear(1, 1), torch.ones(1, 1).long(), 3, 4, 5)


def test_the_pairs_never_show_what_is_asked():
    english = [one for one, _ in PAIRS]
    assert not set(TEXTS) & set(english)
    assert len({len(text.split()) for text in english}) > 1  # so padding matters
    lexicon = dict(PAIRS)
    others, _, _ = TASK.case(SEED + 1)
    shared = [one for one, _ in others if one in lexicon]
    assert shared
    assert not any(lexicon[one] == dict(others)[one] for one in shared)
    assert random.Random(0).choice(RIGHT) not in dict(PAIRS).values()
