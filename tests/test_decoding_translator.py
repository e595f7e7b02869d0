"""Sentences in, sentences out: what stands between a text and the model."""

import random
from dataclasses import asdict, replace

import pytest
import torch

from tt_utils.checkpoint import CheckpointError, own_tensors, save_checkpoint
from tt_utils.data.tokenizer import EOS, UNK, BPETokenizer, WordTokenizer
from tt_utils.decoding import translator as module
from tt_utils.decoding.search import beam_search, greedy_decode, sample
from tt_utils.decoding.translator import (
    LENGTH_PENALTY,
    TranslationError,
    Translator,
    batches_of,
)
from tt_utils.models.transformer import Transformer, TransformerConfig

ENGLISH = ["?", "I", "Monday", "a", "ball", "is", "on", "red", "saw", "the", "you"]
SPANISH = ["?", "bola", "el", "es", "la", "lunes", "roja", "vi", "¿"]
ABOUT = {"data": "grammar", "seed": 0}
ROOM = 6


def small_model(source, target, seed=0, **changes):
    torch.manual_seed(seed)
    sizes = {"d_model": 12, "d_ff": 20, "n_heads": 2, "max_len": 40, "dropout": 0.0}
    layers = {"n_encoder_layers": 1, "n_decoder_layers": 1}
    config = TransformerConfig(len(source), len(target), **sizes | layers | changes)
    return Transformer(config).eval()


@pytest.fixture(autouse=True)
def _little_room(monkeypatch):
    """A model that learned nothing ends no sentence: it fills all the room it has."""
    monkeypatch.setattr(module, "ROOM", ROOM)


@pytest.fixture
def translator():
    tokenizers = WordTokenizer(ENGLISH), WordTokenizer(SPANISH)
    return Translator(small_model(*tokenizers), *tokenizers, ABOUT)


@pytest.fixture(scope="module")
def pieces():
    """One vocabulary of pieces for both languages."""
    joint = BPETokenizer.train(["Ein Hund läuft.", "A dog runs.", "Ein Hund"], 270)
    return Translator(small_model(joint, joint), joint, joint, {"data": "multi30k"})


# From a checkpoint


def save(folder, translator, tokenizers, **parts):
    named = parts or {"model": translator.model}
    tensors = {
        f"{part}.{name}": tensor
        for part, model in named.items()
        for name, tensor in own_tensors(model).items()
    }
    vocabulary = {
        "about": translator.about,
        "tokenizers": [tokenizer.to_json() for tokenizer in tokenizers],
    }
    sizes = {"kind": "Transformer"} | asdict(translator.model.config)
    info = {"model": sizes, "vocabulary": vocabulary}
    save_checkpoint(folder, tensors, info)


def test_a_loaded_translator_translates_as_the_saved_one(translator, tmp_path):
    save(tmp_path, translator, (translator.source, translator.target))
    loaded = Translator.load(tmp_path, torch.device("cpu"))
    assert loaded.about == ABOUT
    assert loaded.source.words[4:] == ENGLISH
    assert loaded.target.words[4:] == SPANISH
    texts = ["the ball is red", "I saw the ball"]
    assert loaded.translate(texts) == translator.translate(texts)
    assert not loaded.model.training


def test_where_weights_were_averaged_the_average_translates(translator, tmp_path):
    both = translator.source, translator.target
    average = small_model(*both, seed=1)
    save(tmp_path, translator, both, model=translator.model, average=average)
    loaded = Translator.load(tmp_path)
    text = ["the ball is red"]
    assert loaded.translate(text) == replace(translator, model=average).translate(text)
    assert loaded.translate(text) != translator.translate(text), "else not a test"


def test_one_vocabulary_serves_both_languages_where_one_was_kept(pieces, tmp_path):
    save(tmp_path, pieces, [pieces.source])
    loaded = Translator.load(tmp_path)
    assert loaded.source is loaded.target
    text = "Ein Hund läuft."
    assert loaded.encode(text) == pieces.encode(text)
    assert loaded.translate([text]) == pieces.translate([text])


def test_vocabularies_that_changed_places_are_refused(translator, tmp_path):
    save(tmp_path, translator, (translator.target, translator.source))
    sizes = f"has {len(SPANISH) + 4} and {len(ENGLISH) + 4} entries, its model was "
    with pytest.raises(CheckpointError, match=sizes):
        Translator.load(tmp_path)


# What the encoder reads


def spelt(translator, text):
    """The words that the encoder is given."""
    *ids, end = translator.encode(text)
    assert end == EOS
    return [translator.source.words[i] for i in ids]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("the ball is red", "the ball is red"),
        ("  The BALL is red. ", "the ball is red"),
        ("the ball is red!", "the ball is red"),
        ("is the ball red?", "is the ball red ?"),
        ("is the ball red ?", "is the ball red ?"),
        ("i saw the ball on monday", "I saw the ball on Monday"),
        ("I saw the ball on MONDAY.", "I saw the ball on Monday"),
        ("You", "you"),
        ("the zebra . red", "the <unk> <unk> red"),
    ],
)
def test_words_are_read_in_the_case_and_without_the_marks_they_were_learned_in(
    translator, text, read
):
    assert spelt(translator, text) == read.split()


def test_pieces_are_read_letter_for_letter_but_for_space_around(pieces):
    text = "Ein Hund läuft. I!"
    assert pieces.encode(f"  {text}\t") == [*pieces.source.encode(text), EOS]
    assert pieces.source.decode(pieces.encode(text)) == text


@pytest.mark.parametrize("text", ["", "  \t ", "\n"])
def test_a_text_without_words_is_refused(translator, pieces, text):
    for one in (translator, pieces):
        with pytest.raises(TranslationError, match=r"^there are no words to translate"):
            one.encode(text)
        with pytest.raises(TranslationError, match=r"^there are no words to translate"):
            one.translate(["red", text])


def test_a_sentence_may_fill_the_model_and_no_more(translator):
    assert len(translator.encode("ball " * 39)) == 40
    with pytest.raises(TranslationError) as caught:
        translator.encode("ball " * 40)
    assert str(caught.value) == (
        "the sentence has 40 words (41 tokens), the model reads at most 40; split it "
        "into sentences."
    )


def test_words_that_training_never_showed_are_listed(translator, pieces):
    assert translator.source.unknown("i saw the Zebra, ball") == ["Zebra", ","]
    assert translator.source.unknown("The ball is red.") == []
    assert pieces.source.unknown("Ein Zebra 🦓") == []


# Many at once

TEXTS = [
    " ".join(random.Random(i).choices(ENGLISH[1:], k=length))
    for i, length in enumerate((3, 9, 1, 30, 2, 7, 3, 9))
]


@pytest.fixture
def asked(monkeypatch):
    """What the search is asked, call by call; its answer is the source itself."""
    calls = []

    def echo(model, src, beam_size, length_penalty, max_len):
        calls.append((src, beam_size, length_penalty, max_len))
        return src.clamp(max=model.config.tgt_vocab_size - 1)

    monkeypatch.setattr(module, "beam_search", echo)
    return calls


@pytest.mark.parametrize("max_tokens", [4_096, 160, 1])
def test_translations_come_in_the_order_of_the_texts(translator, asked, max_tokens):
    together = translator.translate(TEXTS, beam_size=2, max_tokens=max_tokens)
    assert [len(src) for src, *_ in asked] == {
        4_096: [8],
        160: [2, 5, 1],
        1: [1] * 8,
    }[max_tokens]
    alone = [translator.translate([text])[0] for text in TEXTS]
    assert together == alone
    assert len(set(together)) == 7, "else the order is not tested"


def test_nothing_gives_nothing(translator):
    assert translator.translate([]) == []


def test_a_group_holds_sentences_of_like_length_and_room_for_what_is_written():
    lengths = [5, 40, 5, 12, 6, 39, 12, 5]
    rows = [[4] * length for length in lengths]
    groups = list(batches_of(rows, 3 * (12 + ROOM)))
    # Two rows of 40 + 30 are more than 126, three of 12 + 30 are just as many.
    assert [[lengths[i] for i in group] for group in groups] == [
        *([40], [39], [12, 12, 6], [5, 5, 5])
    ]
    assert sorted(i for group in groups for i in group) == list(range(8))
    assert list(batches_of(rows, 1)) == [[i] for group in groups for i in group]
    assert list(batches_of([], 100)) == []


def test_the_search_is_given_its_beams_its_penalty_and_its_room(translator, asked):
    translator.translate(["red"], beam_size=3)
    translator.translate(["ball " * 37], beam_size=1)
    assert [rest for _, *rest in asked] == [
        [3, LENGTH_PENALTY, 2 + ROOM],
        # The model knows no more than 40 positions.
        [1, LENGTH_PENALTY, 40],
    ]


def test_by_default_four_beams_are_followed(translator, asked):
    translator.translate(["red"])
    assert [beams for _, beams, *_ in asked] == [4]


def test_the_tokens_at_work_count_once_for_each_beam(translator, asked):
    for beams in (1, 2, 4):
        translator.translate(["red"] * 8, beams, max_tokens=8 * (2 + ROOM))
    assert [len(src) for src, *_ in asked] == [8, 4, 4, 2, 2, 2, 2]


def test_rows_are_filled_up_with_the_padding_that_the_model_knows(translator, asked):
    model = small_model(translator.source, translator.target, pad_id=UNK)
    texts = ["red", "the ball is red"]
    replace(translator, model=model).translate(texts)
    long, short = map(translator.encode, reversed(texts))
    assert asked[0][0].tolist() == [long, [*short, UNK, UNK, UNK]]


def test_few_beams_find_what_the_search_itself_finds(translator):
    src = torch.tensor([translator.encode("the ball is red")])
    found = beam_search(translator.model, src, 2, LENGTH_PENALTY, 5 + ROOM)
    wanted = translator.target.decode(found[0].tolist())
    assert translator.translate(["the ball is red"], beam_size=2) == [wanted]


# What is written


def test_marks_stand_where_people_write_them(translator):
    ids = [
        translator.target.ids[word] for word in ("¿", "es", "roja", "la", "bola", "?")
    ]
    assert translator.target.decode([*ids, EOS, ids[0]]) == "¿es roja la bola?"


def test_pieces_are_written_letter_for_letter(pieces):
    text = "¿ Ein Hund ?"
    assert pieces.target.decode([*pieces.target.encode(text), EOS]) == text


# The model is only lent


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("decode", [greedy_decode, sample, beam_search])
def test_decoding_leaves_the_mode_of_the_model_alone(translator, decode, training):
    model = translator.model.train(training)
    modes = [part.training for part in model.modules()]
    decode(model, torch.tensor([translator.encode("the ball")]), max_len=5)
    assert [part.training for part in model.modules()] == modes


@pytest.mark.parametrize("decode", [greedy_decode, beam_search])
def test_decoding_is_without_dropout_whatever_the_mode(translator, decode):
    model = small_model(translator.source, translator.target, dropout=0.7)
    src = torch.tensor([translator.encode("the ball is red")])
    still = decode(model.eval(), src, max_len=12)
    assert torch.equal(decode(model.train(), src, max_len=12), still)


@pytest.mark.parametrize("decode", [greedy_decode, sample, beam_search])
def test_what_was_decoded_can_be_learned_from(translator, decode):
    model = translator.model
    src = torch.tensor([translator.encode("the ball is red")])
    written = decode(model, src, max_len=5)
    assert not written.is_inference()
    model(src, written).sum().backward()
    model.attention_weights(src, written)
