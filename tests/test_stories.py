"""The world of stories: what can happen, where everyone is, and who is asked for."""

import random

import pytest
from without_type_checks import types_unchecked

from tt_utils.data.stories import ask, make_story, prepare_stories, story_tokenizer
from tt_utils.data.stories.prepare import LONG, MAX_LEN, SHORT, encode_questions
from tt_utils.data.stories.questions import Asked
from tt_utils.data.stories.world import PEOPLE, THINGS, Event, Story, World
from tt_utils.data.tokenizer import tokenizer_from_json
from tt_utils.models.bert import SpanReader
from tt_utils.training.recipes_stories import (
    reader_config,
    story_batches,
    vocabulary,
)

STORIES = [make_story(random.Random(seed), 11) for seed in range(60)]


def told(*lines: str) -> World:
    """A world in which this happened: "Anna go library"."""
    world = World()
    for line in lines:
        world.happen(Event(*line.split()))
    return world


def replayed(events) -> tuple[dict, dict]:
    """Where people and things are, kept in the plainest way."""
    where, holder = {}, {}
    for event in events:
        if event.deed == "go":
            where[event.who] = event.what
            where |= {t: event.what for t, who in holder.items() if who == event.who}
        elif event.deed == "take":
            holder[event.what] = event.who
            where[event.what] = where.get(event.who)
        else:
            del holder[event.what]
    return where, holder


def test_a_person_is_where_they_went_last():
    world = told(
        "Anna go library", "Boris go market", "Anna go harbour", "Anna take map"
    )
    assert world.facts("Anna") == (2,)
    assert world.place("Anna") == "harbour"
    assert world.facts("Clara") == ()
    assert world.place("Clara") is None


def test_a_thing_goes_with_who_took_it_last():
    world = told("Anna take key", "Anna go library", "Boris go library")
    assert world.facts("key") == (0, 1)
    world.happen(Event("Boris", "take", "key"))
    assert world.facts("key") == (3, 2)
    world.happen(Event("Anna", "go", "forest"))
    assert world.place("key") == "library"
    world.happen(Event("Boris", "go", "museum"))
    assert world.facts("key") == (3, 5)


def test_a_dropped_thing_stays():
    world = told("Anna take key", "Anna go library", "Anna drop key", "Anna go forest")
    assert world.facts("key") == (2, 1)
    assert world.place("key") == "library"
    assert told("Anna take key", "Anna drop key", "Anna go forest").facts("key") == ()


def test_places_agree_with_a_plain_replay():
    for story in STORIES:
        where, _ = replayed(story.world.events)
        for name in (*PEOPLE, *THINGS):
            assert story.world.place(name) == where.get(name)


def test_nobody_takes_from_afar_or_drops_what_another_holds():
    deeds = set()
    for story in STORIES:
        for i, event in enumerate(story.world.events):
            where, holder = replayed(story.world.events[:i])
            deeds.add(event.deed)
            if event.deed == "take" and event.what in {*holder, *where}:
                assert holder.get(event.what) != event.who
                assert where[event.what] == where[event.who] is not None
            if event.deed == "drop":
                assert holder[event.what] == event.who
            if event.deed == "go":
                assert where.get(event.who) != event.what
    assert deeds == {"go", "take", "drop"}


def test_things_change_hands():
    takers = [
        {e.who for e in story.world.events if e.deed == "take" and e.what == thing}
        for story in STORIES
        for thing in THINGS
    ]
    assert sum(len(found) > 1 for found in takers) > 5


@pytest.mark.parametrize("facts", [1, 2])
def test_the_answer_stands_where_the_reading_says(facts):
    rng = random.Random(facts)
    drawn = [ask(rng, facts, 7) for _ in range(100)]
    for asked in drawn:
        reading = asked.reading("q")
        assert len(asked.facts) in (0, facts)
        if not asked.facts:
            assert reading.answers == ()
            assert asked.answer is None
            continue
        (answer,) = reading.answers
        assert reading.passage[answer.start : answer.end] == asked.answer
        before = reading.passage[: answer.start]
        assert before.count(".") == asked.facts[-1]
    share = sum(not asked.facts for asked in drawn) / len(drawn)
    assert 0.05 < share < 0.25


def test_questions_name_people_and_things():
    story = Story(told("Anna go library", "Anna take key"), ("x.", "y."))
    assert Asked(story, "Anna").question == "Where is Anna?"
    assert Asked(story, "key").question == "Where is the key?"


def test_the_guess_is_the_place_named_last_whoever_is_asked_for():
    lines = ["Anna go library", "Boris go market", "Anna take key"]
    story = Story(told(*lines), ("x.",) * 3)
    assert Asked(story, "Anna").guess == Asked(story, "Clara").guess == "market"
    assert Asked(Story(told("Anna take key"), ("x.",)), "Anna").guess is None


@pytest.mark.parametrize(("facts", "length"), [(1, 0), (2, 1)])
def test_a_story_that_is_too_short_is_refused(facts, length):
    with pytest.raises(ValueError, match=f"{facts} facts from {length} sentences"):
        ask(random.Random(0), facts, length)


def test_the_preparation_keeps_tested_questions_out_of_training():
    with types_unchecked():
        data = prepare_stories(600, seed=3)
    assert len(data.train) == 600
    learned = {example.tokens for example in data.train}
    parts = [(data.valid, SHORT)]
    parts += [(asked, SHORT) for asked in data.test.values()]
    parts += [(asked, LONG) for asked in data.longer.values()]
    for asked, (low, high) in parts:
        assert len(asked) == 500
        assert {len(a.story.sentences) for a in asked} == {*range(low, high + 1)}
        assert not learned & {e.tokens for e in encode_questions(asked, data.tokenizer)}
    for facts in (1, 2):
        for asked in (data.test[facts], data.longer[facts]):
            assert {len(a.facts) for a in asked} == {0, facts}


def test_the_seed_changes_what_is_learned_from():
    one, again, other = (prepare_stories(50, [1], seed) for seed in (3, 3, 4))
    assert one.train == again.train != other.train
    assert [*one.test] == [*one.longer] == [1]
    common = {a.story.passage for a in one.test[1]} & {
        a.story.passage for a in other.test[1]
    }
    assert len(common) > 400


def test_every_story_is_known_to_the_tokenizer_and_short_enough():
    tokenizer, rng = story_tokenizer(), random.Random(0)
    asked = [ask(rng, facts, LONG[1]) for facts in (1, 2) for _ in range(30)]
    for example in encode_questions(asked, tokenizer):
        assert tokenizer.unk_id not in example.tokens
        assert len(example.tokens) <= MAX_LEN


def test_the_recipe_reads_the_longest_story_and_keeps_its_vocabulary():
    tokenizer, rng = story_tokenizer(), random.Random(1)
    examples = encode_questions([ask(rng, 2, LONG[1]) for _ in range(5)], tokenizer)
    batch = next(story_batches(examples).epoch())
    model = SpanReader(reader_config(tokenizer, n_layers=3))
    assert model(batch.tokens).shape == (5, 2, max(len(e.tokens) for e in examples))
    kept = vocabulary(tokenizer)
    assert tokenizer_from_json(kept["tokenizers"][0]).words == tokenizer.words
    assert all(e.span[1] - e.span[0] < kept["about"]["max_words"] for e in examples)
