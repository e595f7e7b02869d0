"""Words to ids and back."""

import pytest

from tt_utils.tokenizer import BOS, EOS, PAD, SPECIAL, UNK, WordTokenizer


@pytest.fixture
def tokenizer():
    return WordTokenizer.from_sentences([["la", "bola"], ["bola", "azul", "¿"]])


def test_special_signs_come_first_and_padding_is_zero(tokenizer):
    assert [tokenizer.words[i] for i in (PAD, BOS, EOS, UNK)] == list(SPECIAL)
    assert (PAD, BOS, EOS, UNK) == (0, 1, 2, 3)


def test_words_follow_in_alphabetical_order_each_once(tokenizer):
    assert tokenizer.words[4:] == ["azul", "bola", "la", "¿"]
    assert len(tokenizer) == 8
    other_order = WordTokenizer.from_sentences([["¿", "la", "azul", "bola", "la"]])
    assert other_order.words == tokenizer.words


def test_what_is_encoded_can_be_decoded(tokenizer):
    words = ["¿", "la", "bola", "bola"]
    assert tokenizer.decode(tokenizer.encode(words)) == words
    assert tokenizer.encode([]) == tokenizer.decode([]) == []


def test_a_word_never_seen_is_unknown_and_says_so(tokenizer):
    assert tokenizer.encode(["la", "luna"]) == [6, UNK]
    assert tokenizer.decode([6, UNK]) == ["la", "<unk>"]


def test_decoding_ends_at_the_end_sign_and_hides_special_signs(tokenizer):
    assert tokenizer.decode([BOS, 6, PAD, 5, EOS, 4, EOS]) == ["la", "bola"]
