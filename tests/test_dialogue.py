"""The small world, what is said about it, and how a chat becomes a row of tokens."""

import pytest
import torch
import torch.nn.functional as F

from tt_utils.data.dialogue import (
    DONT_KNOW,
    MODEL,
    USER,
    Exchange,
    Question,
    ShortFirst,
    World,
    by_distance,
    collate,
    dialogues,
    encode_dialogue,
    make_tokenizer,
    most_frequent,
    prompt_ids,
    questions,
    share_right,
)
from tt_utils.data.dialogue.turns import FIRST, is_kept
from tt_utils.data.dialogue.world import PEOPLE, PLACES, THINGS
from tt_utils.data.examples import ExampleBatches
from tt_utils.data.tokenizer import BOS, EOS, PAD, UNK
from tt_utils.models.gpt import GPT, GPTConfig

EXCHANGES = 11


@pytest.fixture(scope="module")
def drawn():
    return dialogues(307, EXCHANGES, seed=0)


@pytest.fixture(scope="module")
def tokenizer(drawn):
    return make_tokenizer(drawn)


# The world


def test_the_newest_word_counts():
    world = World()
    said = [world.take("Anna", "key"), world.give("Anna", "key", "Ben")]
    assert said == ["she has it now", "he has it now"]
    assert world.answer(Question("who", "key")) == "Ben has the key"
    assert world.answer(Question("what", "Anna")) == "Anna has nothing"
    assert world.answer(Question("what", "Ben")) == "Ben has the key"
    assert world.go("Ben", "park") == "he is there now"
    world.go("Ben", "tower")
    assert world.answer(Question("where", "Ben")) == "Ben is in the tower"


@pytest.mark.parametrize("topic", ["where", "what", "who"])
def test_what_was_never_said_it_does_not_know(topic):
    world = World()
    world.go("Ben", "park")
    world.take("Ida", "cup")
    about = {"where": "Ida", "what": "Ben", "who": "map"}[topic]
    assert world.answer(Question(topic, about)) == DONT_KNOW


# The dialogues


def replayed(dialogue):
    """Each exchange, with the world that its words alone tell of before it."""
    world = World()
    for exchange in dialogue:
        yield exchange, world
        if exchange.question is None:
            match exchange.said.split():
                case person, "goes" | "walks", "to", "the", place:
                    world.go(person, place)
                case person, "takes" | "finds", "the", thing:
                    assert not world.thing.get(person)
                    assert thing not in world.holder
                    world.take(person, thing)
                case giver, "gives", "the", thing, "to", taker:
                    assert world.holder[thing] == giver
                    assert not world.thing.get(taker)
                    world.give(giver, thing, taker)
                case _:
                    pytest.fail(exchange.said)


def test_every_reply_follows_from_what_was_said(drawn):
    for dialogue in drawn:
        for exchange, world in replayed(dialogue):
            if exchange.question is not None:
                assert str(exchange.question) == exchange.said
                assert world.answer(exchange.question) == exchange.reply
            unknown = exchange.reply == DONT_KNOW
            told = exchange.question is None or exchange.distance is not None
            assert unknown != told


def test_the_distance_counts_back_to_where_the_answer_was_told(drawn):
    """There it was said in these words, or told; and nobody said it in between."""
    for dialogue in drawn:
        for now, exchange in enumerate(dialogue):
            if exchange.distance is None:
                continue
            assert exchange.distance >= 1
            then = dialogue[now - exchange.distance]
            assert exchange.by_user == (then.question is None)
            if then.question is not None:
                assert then.reply == exchange.reply
            else:
                assert exchange.question.about in then.said.split()
            between = dialogue[now - exchange.distance + 1 : now]
            assert all(other.reply != exchange.reply for other in between)


def test_dialogues_begin_with_facts_and_all_kinds_of_questions_come(drawn):
    assert all(x.question is None for dialogue in drawn for x in dialogue[:FIRST])
    asked = [x for dialogue in drawn for x in dialogue if x.question]
    assert {x.question.topic for x in asked} == {"where", "what", "who"}
    assert {x.distance for x in asked} >= {None, *range(1, EXCHANGES - 2)}
    share = sum(x.distance is None for x in asked) / len(asked)
    assert 0.15 < share < 0.25
    assert 0.1 < sum(x.changed for x in asked) / len(asked) < 0.6


def test_training_never_joins_what_is_kept_for_the_test(drawn):
    for dialogue in drawn:
        for exchange, _ in replayed(dialogue):
            assert not exchange.unseen
            words = exchange.said.split()
            people = [word for word in words if word in PEOPLE]
            others = [word for word in words if word in THINGS + PLACES]
            assert not any(is_kept(p, other) for p in people for other in others)
    kept = [x for d in dialogues(53, 7, 0, unseen=True) for x in d if x.unseen]
    assert kept
    for exchange in kept:
        found = [w for w in exchange.reply.split() if w in PEOPLE + THINGS + PLACES]
        assert is_kept(*found)


def test_a_changed_fact_is_one_that_was_told_otherwise(drawn):
    for dialogue in drawn:
        for now, exchange in enumerate(dialogue):
            if exchange.question and exchange.changed:
                before = [str(x.said) for x in dialogue[:now] if x.question is None]
                about = exchange.question.about
                assert sum(about in said.split() for said in before) >= 2


def test_the_seed_alone_decides():
    assert dialogues(5, 7, "a") == dialogues(5, 7, "a") != dialogues(5, 7, "b")


# The row of tokens

CHAT = (
    Exchange("Anna takes the key", "she has it now"),
    Exchange("who has the key ?", "Anna has the key", Question("who", "key"), 1),
)


def test_a_chat_is_one_row_and_the_model_says_its_replies(tokenizer):
    row = encode_dialogue(CHAT, tokenizer)
    shown = [tokenizer.words[i] for i in row.ids]
    assert " ".join(shown) == (
        "<s> <user> Anna takes the key <model> she has it now </s> "
        "<user> who has the key ? <model> Anna has the key </s>"
    )
    said = [word for word, own in zip(shown, row.replied, strict=True) if own]
    assert " ".join(said) == "she has it now </s> Anna has the key </s>"


def test_a_typed_role_begins_no_turn(tokenizer):
    ids = prompt_ids(f"Anna {MODEL} takes {USER}", tokenizer)
    words = [tokenizer.words[i] for i in ids]
    assert words == [USER, "Anna", "<unk>", "takes", "<unk>", MODEL]
    assert ids.count(UNK) == 2


def batch_of(tokenizer):
    long, short = encode_dialogue(CHAT, tokenizer), encode_dialogue(CHAT[:1], tokenizer)
    return collate([short, long])


def test_a_batch_is_padded_behind_and_counts_what_is_learned(tokenizer):
    batch = batch_of(tokenizer)
    assert batch.tokens.shape == (2, 24)
    assert batch.tokens[0, 12:].eq(PAD).all()
    assert batch.tokens[:, 0].eq(BOS).all()
    assert batch.weight == 5 + 5 + 5
    learned = batch.labels.flatten()[batch.real]
    assert len(learned) == batch.weight
    assert learned.eq(EOS).sum() == 3
    one, other = batch.split(2)
    assert (one.weight, other.weight) == (5, 10)
    assert torch.equal(other.to("cpu").tokens, batch.tokens[1:])


def test_the_loss_counts_the_model_s_turns_only(tokenizer):
    torch.manual_seed(0)
    sizes = {"d_model": 14, "d_ff": 23, "n_heads": 1, "max_len": 29, "dropout": 0.0}
    model = GPT(GPTConfig(len(tokenizer), 1, **sizes))
    batch = batch_of(tokenizer)
    logits = model(batch.inputs)
    wanted = batch.labels.masked_fill(~batch.replied[:, 1:], -1)
    expected = F.cross_entropy(logits.flatten(0, 1), wanted.flatten(), ignore_index=-1)
    torch.testing.assert_close(model.loss(batch), expected)


def test_short_dialogues_come_first_and_once(tokenizer):
    encoded = encode_dialogue(CHAT, tokenizer), encode_dialogue(CHAT[:1], tokenizer)
    long, short = (ExampleBatches([row] * 7, 3, collate) for row in encoded)
    data = ShortFirst(short, long)
    for epoch, length in enumerate([12, 24, 24]):
        batches = list(data.epoch(f"5 {epoch}"))
        assert [len(batch.tokens) for batch in batches] == [3, 3, 1]
        assert {batch.tokens.shape[1] for batch in batches} == {length}
        assert len(list(data.epoch(f"5 {epoch}", 2))) == 1
    assert data.fingerprint() != ShortFirst(long, short).fingerprint()


# Scores


def test_shares_of_right_replies(drawn):
    gold = [[exchange.reply for exchange in dialogue] for dialogue in drawn]
    judged = questions(drawn, gold)
    assert all(exchange.question for exchange, _ in judged)
    assert by_distance(judged, range(1, 6)) == [1.0] * 5
    unsure = questions(drawn, [[DONT_KNOW] * EXCHANGES for _ in drawn])
    assert share_right(unsure, lambda x: x.distance) == 0.0
    assert share_right(unsure, lambda x: x.distance is None) == 1.0
    share = sum(x.distance is None for x, _ in judged) / len(judged)
    assert share_right(unsure) == share
    with pytest.raises(ValueError, match="no such question"):
        share_right(judged, lambda x: x.distance == EXCHANGES)


def test_the_most_frequent_reply_beats_another_one_and_is_seldom_right(drawn):
    guess = most_frequent(drawn)
    guessed = questions(drawn, [[guess(x) for x in dialogue] for dialogue in drawn])
    found = share_right(guessed, lambda x: x.distance)
    assert 1 / 8 < found < 1 / 2
    for person in PEOPLE:
        exchange = Exchange("", "", Question("where", person))
        assert guess(exchange).startswith(f"{person} is in the ")
