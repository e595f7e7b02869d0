"""A conversation: what is kept, what is forgotten, and what can't be replied to."""

from dataclasses import asdict, replace

import pytest
import torch

from tt_utils.checkpoint import CheckpointError, own_tensors, save_checkpoint
from tt_utils.data.dialogue import MODEL, USER, dialogues, make_tokenizer, prompt_ids
from tt_utils.data.tokenizer import BOS, EOS, WordTokenizer
from tt_utils.decoding import chat as module
from tt_utils.decoding.chat import Chat, ChatError, replies, sentence
from tt_utils.models.gpt import GPT, GPTConfig
from tt_utils.models.transformer import Transformer, TransformerConfig
from tt_utils.training import recipes_dialogue
from tt_utils.training.loop import train

ABOUT = {"data": "dialogue", "seed": 0}
DIALOGUES = dialogues(7, 5, seed=0)
TOKENIZER = make_tokenizer(dialogues(97, 11, seed=0))
MAX_LEN, ROOM = 53, 5


@pytest.fixture(autouse=True)
def _little_room(monkeypatch):
    """A model that learned nothing ends no reply: it fills all the room it has."""
    monkeypatch.setattr(module, "LONGEST_REPLY", ROOM)


def small_model(vocab_size, **changes):
    torch.manual_seed(3)
    sizes = {"d_model": 22, "d_ff": 31, "n_heads": 1, "dropout": 0.0}
    sizes |= {"max_len": MAX_LEN, "positions": "alibi"}
    return GPT(GPTConfig(vocab_size, 2, **sizes | changes)).eval()


@pytest.fixture
def chat():
    return Chat(small_model(len(TOKENIZER)), TOKENIZER, ABOUT)


@torch.no_grad()
def likeliest(model, row):
    """What greedy decoding writes, with all tokens read anew at each step."""
    said = list(row)
    while len(said) < len(row) + ROOM:
        said.append(model(torch.tensor([said]))[0, -1].argmax().item())
        if said[-1] == EOS:
            return said[len(row) : -1]
    return said[len(row) :]


# From a checkpoint


def save(folder, model, tokenizer):
    tensors = {f"model.{name}": part for name, part in own_tensors(model).items()}
    vocabulary = {"about": ABOUT, "tokenizers": [tokenizer.to_json()]}
    sizes = {"kind": type(model).__name__} | asdict(model.config)
    save_checkpoint(folder, tensors, {"model": sizes, "vocabulary": vocabulary})


def test_a_loaded_chat_replies_as_the_saved_one(chat, tmp_path):
    save(tmp_path, chat.model, TOKENIZER)
    loaded = Chat.load(tmp_path, torch.device("cpu"))
    assert loaded.about == ABOUT
    assert not loaded.model.training
    for said in ("Anna takes the key", "who has the key ?"):
        assert loaded.reply(said) == chat.reply(said)


def test_a_checkpoint_of_something_else_is_refused(tmp_path):
    words = WordTokenizer(["a", "b"])
    model = Transformer(
        TransformerConfig(len(words), len(words), d_model=12, d_ff=20, n_heads=2)
    )
    save(tmp_path, model, words)
    with pytest.raises(CheckpointError, match="holds a Transformer; this needs a GPT"):
        Chat.load(tmp_path)


def test_a_checkpoint_without_a_vocabulary_is_refused(chat, tmp_path):
    tensors = {f"model.{name}": x for name, x in own_tensors(chat.model).items()}
    sizes = {"kind": "GPT"} | asdict(chat.model.config)
    save_checkpoint(tmp_path, tensors, {"model": sizes, "vocabulary": None})
    with pytest.raises(CheckpointError, match="no vocabulary to use its model with"):
        Chat.load(tmp_path)


def test_a_vocabulary_of_another_size_is_refused(chat, tmp_path):
    save(tmp_path, chat.model, WordTokenizer([USER, MODEL]))
    with pytest.raises(CheckpointError, match=r"6 entries, its model was made for \d+"):
        Chat.load(tmp_path)


# The conversation


def test_the_model_reads_all_that_was_said_before(chat):
    first = prompt_ids("Anna takes the key", TOKENIZER)
    shown = chat.reply("Anna takes the key.")
    said = likeliest(chat.model, [BOS, *first])
    assert shown == sentence(TOKENIZER.decode(said))
    second = prompt_ids("who has the key ?", TOKENIZER)
    row = [BOS, *first, *said, EOS, *second]
    assert chat.reply("Who has the key?") == sentence(
        TOKENIZER.decode(likeliest(chat.model, row))
    )
    assert chat.history[0] == [*first, *said, EOS]
    assert chat.history[1][: len(second)] == second


def test_after_a_reset_it_knows_nothing_of_before(chat):
    shown = chat.reply("Anna takes the key")
    chat.reply("Ben goes to the park")
    chat.reset()
    assert not chat.history
    assert chat.reply("Anna takes the key") == shown


def test_whole_exchanges_are_forgotten_from_the_front(chat):
    seen = []
    for _ in range(9):
        chat.reply("Anna takes the key")
        seen.append(list(chat.history))
        assert 1 + sum(map(len, chat.history)) <= MAX_LEN + 1
    lengths = [len(history) for history in seen]
    assert max(lengths) == lengths[-1] < 9
    user = TOKENIZER.ids[USER]
    assert all(exchange[0] == user for exchange in chat.history)
    assert all(exchange[-1] == EOS for exchange in chat.history)


@pytest.mark.parametrize("text", ["", "  \n", "\u200b"])
def test_no_words_are_refused(chat, text):
    with pytest.raises(ChatError, match="no words to reply to"):
        chat.reply(text)
    assert not chat.history


def test_unknown_words_are_named_and_not_remembered(chat):
    with pytest.raises(ChatError, match=r"never learned Zoe, sword;"):
        chat.reply("Zoe takes the sword")
    assert not chat.history


@pytest.mark.parametrize("role", [USER, MODEL])
def test_a_typed_role_is_an_unknown_word(chat, role):
    with pytest.raises(ChatError, match=f"never learned {role}"):
        chat.reply(f"Anna {role} takes the key")


def test_a_text_without_room_for_a_reply_is_refused(chat):
    with pytest.raises(ChatError, match=f"60 words, the model reads at most {MAX_LEN}"):
        chat.reply("Anna " * 60)
    chat.reply("Anna " * (MAX_LEN - 3 - ROOM))


# Many at once


def test_many_dialogues_at_once_are_answered_as_in_a_chat():
    model = small_model(len(TOKENIZER), max_len=199)
    together = replies(model, TOKENIZER, DIALOGUES)
    for dialogue, found in zip(DIALOGUES, together, strict=True):
        chat = Chat(model, TOKENIZER)
        shown = [chat.reply(exchange.said) for exchange in dialogue]
        assert shown == [sentence(reply) for reply in found]


def test_with_little_memory_only_the_last_exchanges_are_read():
    model = small_model(len(TOKENIZER), max_len=199)
    found = replies(model, TOKENIZER, DIALOGUES, memory=1)
    for dialogue, said in zip(DIALOGUES, found, strict=True):
        chat = Chat(model, TOKENIZER)
        for exchange, reply in zip(dialogue, said, strict=True):
            chat.history = chat.history[-1:]
            assert chat.reply(exchange.said) == sentence(reply)


# The recipe


def test_a_model_of_the_recipe_can_be_trained_kept_and_talked_to(monkeypatch, tmp_path):
    for name in ("SHORT_DIALOGUES", "DIALOGUES", "HELD_OUT"):
        monkeypatch.setattr(recipes_dialogue, name, 131)
    ready = recipes_dialogue.prepare_dialogues(seed=5)
    assert ready.training.seed == ready.about["seed"] == 5
    model = GPT(ready.model)
    training = replace(ready.training, steps=7, warmup=3)
    losses = train(
        model, ready.data, training, checkpoint=tmp_path, vocabulary=ready.vocabulary
    )
    assert losses[-1] < losses[0]
    chat = Chat.load(tmp_path)
    assert chat.about == ready.about
    assert chat.reply("Anna takes the key").endswith(".")


def test_the_other_loss_counts_every_token(monkeypatch):
    for name in ("SHORT_DIALOGUES", "DIALOGUES", "HELD_OUT"):
        monkeypatch.setattr(recipes_dialogue, name, 131)
    ready = recipes_dialogue.prepare_dialogues()
    own = next(ready.data.epoch("0 1"))
    every = next(recipes_dialogue.everything(ready.data).epoch("0 1"))
    assert torch.equal(own.tokens, every.tokens)
    assert every.weight == every.labels.ne(ready.tokenizer.pad_id).sum() > own.weight
