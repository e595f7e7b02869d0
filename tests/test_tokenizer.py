"""Words to ids and back, and pieces of words to ids and back."""

import errno
import json
import os
import random
import subprocess
import sys

import pytest

from tt_utils.data import multi30k
from tt_utils.data.tokenizer import (
    BOS,
    EOS,
    PAD,
    SPECIAL,
    UNK,
    BPETokenizer,
    Tokenizer,
    WordTokenizer,
    load_tokenizer,
)


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


def test_a_string_is_its_words_not_its_letters(tokenizer):
    assert tokenizer.encode(" la  bola\n") == tokenizer.encode(["la", "bola"]) == [6, 5]


def test_two_ids_for_one_word_are_refused():
    with pytest.raises(ValueError, match=r"^WordTokenizer: the word 'la' has two ids"):
        WordTokenizer(["la", "bola", "la"])
    with pytest.raises(ValueError, match="the word '<s>' has two ids"):
        WordTokenizer.from_sentences([["<s>", "la"]])


TEXTS = [
    "Zwei junge Männer spielen im Freien mit einem Ball.",
    "Two young men are playing outside with a ball.",
    "Die Männer spielen Fußball, zwei Hunde schauen zu.",
    "The men are playing football, two dogs are watching.",
    "Ein Ball liegt im Freien.",
    "A ball lies outside.",
]


@pytest.fixture(scope="module")
def bpe():
    return BPETokenizer.train(TEXTS, vocab_size=315)


@pytest.fixture(params=["words", "pieces"])
def either(request, bpe):
    if request.param == "pieces":
        return bpe
    return WordTokenizer.from_sentences(text.split() for text in TEXTS)


def test_both_kinds_answer_the_same_calls(either, tmp_path):
    assert isinstance(either, Tokenizer)
    assert either.encode_batch(TEXTS) == [either.encode(text) for text in TEXTS]
    ids = either.encode(TEXTS[1])
    assert min(ids) > UNK
    assert max(ids) < len(either)
    assert either.decode_text([BOS, *ids, PAD, EOS, ids[0]]) == TEXTS[1]
    assert either.encode("") == either.encode_batch([]) == []
    assert either.decode_text([]) == either.decode_text([BOS, PAD, EOS]) == ""


def test_both_kinds_show_what_is_unknown(either):
    assert "<unk>" in either.decode_text([UNK, *either.encode("Ball")])


@pytest.mark.parametrize("outside", [-1, 10_000])
def test_an_id_of_another_vocabulary_is_named(either, outside):
    message = (
        rf"^decode: id {outside} is outside the vocabulary of {len(either)}; the model "
        r"and the tokenizer do not belong together\.$"
    )
    with pytest.raises(ValueError, match=message):
        either.decode([outside])


def test_what_is_saved_can_be_loaded(either, tmp_path):
    path = tmp_path / "tokenizer.json"
    either.save(path)
    assert os.listdir(tmp_path) == ["tokenizer.json"]
    for loaded in (type(either).load(path), load_tokenizer(str(path))):
        assert type(loaded) is type(either)
        assert len(loaded) == len(either)
        assert loaded.encode_batch(TEXTS) == either.encode_batch(TEXTS)
        assert loaded.encode("</s>") == either.encode("</s>")


def test_one_kind_does_not_read_the_other(bpe, tokenizer, tmp_path):
    bpe.save(tmp_path / "bpe.json")
    tokenizer.save(tmp_path / "words.json")
    with pytest.raises(
        ValueError, match=r"bpe\.json is no word tokenizer: it has no l"
    ):
        WordTokenizer.load(tmp_path / "bpe.json")
    with pytest.raises(ValueError, match=r"words\.json is no BPE tokenizer: "):
        BPETokenizer.load(tmp_path / "words.json")


@pytest.mark.parametrize(
    "kind", [WordTokenizer.load, BPETokenizer.load, load_tokenizer]
)
def test_a_file_that_is_no_tokenizer_is_said(kind, bpe, tmp_path):
    path = tmp_path / "t.json"
    with pytest.raises(FileNotFoundError, match=r"^.*t\.json: there is no such token"):
        kind(path)
    bpe.save(path)
    whole = path.read_bytes()
    for wrong in (b"", whole[:-9], b"\xff\xfe", b"[1, 2]", b"{}", b'{"words": 3}'):
        path.write_bytes(wrong)
        message = rf"^{path} is no (word |BPE )?tokenizer: .*; save it again from train"
        with pytest.raises(ValueError, match=message):
            kind(path)


def test_a_word_list_without_the_special_signs_is_refused(tmp_path):
    (tmp_path / "t.json").write_text('{"words": ["la", "bola", "azul", "¿", "?"]}')
    with pytest.raises(ValueError, match="is no word tokenizer"):
        WordTokenizer.load(tmp_path / "t.json")


def swap_special_signs(data):
    data["added_tokens"][0]["id"], data["added_tokens"][2]["id"] = 2, 0
    data["model"]["vocab"] |= {"<pad>": 2, "</s>": 0}


def cut_all_sentences(data):
    rule = {"max_length": 3, "stride": 0, "direction": "Right"}
    data["truncation"] = rule | {"strategy": "LongestFirst"}


def make_all_letters_small(data):
    data["normalizer"] = {"type": "Lowercase"}


def leave_an_id_out(data):
    piece = max(data["model"]["vocab"], key=data["model"]["vocab"].get)
    data["model"]["vocab"][piece] += 1


@pytest.mark.parametrize(
    "edit",
    [swap_special_signs, cut_all_sentences, make_all_letters_small, leave_an_id_out],
)
def test_a_tokenizer_with_other_rules_is_refused(edit, bpe, tmp_path):
    path = tmp_path / "t.json"
    bpe.save(path)
    data = json.loads(path.read_text(encoding="utf-8"))
    edit(data)
    path.write_text(json.dumps(data))
    with pytest.raises(ValueError, match=rf"^{path} is no BPE tokenizer: (ids 0|what)"):
        BPETokenizer.load(path)


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failed_save_keeps_what_was_there(step, either, tmp_path, monkeypatch):
    path = tmp_path / "t.json"
    path.write_text("old")

    def refuse(*args):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, step, refuse)
    message = (
        rf"^{path}: not saved \(the disk is full\); check that the folder "
        r"exists, has room and may be written to\.$"
    )
    with pytest.raises(OSError, match=message):
        either.save(path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["t.json"]


def test_saving_into_no_folder_is_said(either, tmp_path):
    with pytest.raises(OSError, match=r"not saved \(No such file or directory\)"):
        either.save(tmp_path / "nowhere" / "t.json")
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match=r"not saved \(Not a directory\)"):
        either.save(tmp_path / "file" / "t.json")


@pytest.mark.parametrize(
    "text",
    [
        " ",
        "  two  spaces ",
        "no-break\u00a0space, tab\t, line\nbreak\r\n",
        "\x00\x01\x1f\x7f\x85\u2028 control",
        "🐻 👩‍👩‍👧 日本語 e\u0301 é ſ",
        "</s> <pad> <s> <unk> ▁ Ġ",
        "\ufffd \ufeff \U0010ffff",
        " ".join(f"Wort{i}" for i in range(10_000)),
        "x" * 100_000,
    ],
    ids=lambda text: ascii(text[:12]),
)
def test_every_text_comes_back_letter_for_letter(bpe, text):
    ids = bpe.encode(text)
    assert bpe.decode(ids) == text
    assert min(ids) > UNK, "text never turns into a special sign"


def test_random_signs_come_back_letter_for_letter(bpe):
    rng = random.Random(0)
    points = [*range(0xD800), *range(0xE000, 0x110000)]
    texts = ["".join(map(chr, rng.choices(points, k=17))) for _ in range(300)]
    texts += ["".join(rng.choices(" \n\t'sS.ä1", k=11)) for _ in range(300)]
    assert [bpe.decode(ids) for ids in bpe.encode_batch(texts)] == texts


@pytest.mark.parametrize("method", ["encode", "encode_batch", "train"])
def test_half_a_character_is_named(bpe, method):
    broken = "ab\ud83d"
    calls = {
        "encode": lambda: bpe.encode(broken),
        "encode_batch": lambda: bpe.encode_batch(["a", broken]),
        "train": lambda: BPETokenizer.train(["a", broken], 300),
    }
    message = (
        rf"^BPETokenizer\.{method}: half a character \('\\ud83d'\) at position 2; "
        r"read the text as UTF-8\.$"
    )
    with pytest.raises(ValueError, match=message):
        calls[method]()


def test_a_word_list_is_no_text(bpe):
    message = r"^BPETokenizer\.encode_batch: expected a string, got list\.$"
    with pytest.raises(TypeError, match=message):
        bpe.encode_batch(iter([["the", "ball"]]))


def test_special_signs_have_the_same_ids_in_both_kinds(bpe):
    assert [bpe.inner.id_to_token(i) for i in (PAD, BOS, EOS, UNK)] == list(SPECIAL)


def test_a_word_has_the_same_pieces_everywhere(bpe):
    ball = bpe.encode("Ball")
    assert bpe.encode("Ein Ball")[-len(ball) :] == ball


def test_frequent_words_become_one_piece(bpe):
    assert len(bpe.encode("Männer spielen")) == 2
    assert len(bpe.encode("qqq")) > 3


def test_the_vocabulary_keeps_to_its_size(bpe):
    assert len(bpe) == 315
    assert len(BPETokenizer.train(["a b c"], 1_000)) == 260  # nothing comes twice


def test_too_little_room_or_text_is_said():
    with pytest.raises(ValueError, match=r"vocab_size is 259; it must be at least 260"):
        BPETokenizer.train(TEXTS, 259)
    for nothing in ([], ["", ""], ""):
        with pytest.raises(ValueError, match="there is no text to learn from"):
            BPETokenizer.train(nothing, 300)


def test_one_string_is_one_text_not_many_letters():
    text = "der Ball der Ball"
    assert BPETokenizer.train(text, 300).encode(text) == BPETokenizer.train(
        [text], 300
    ).encode(text)
    assert len(BPETokenizer.train(text, 300).encode(text)) == 4


TRAIN_ELSEWHERE = """
import sys
from tt_utils.data.tokenizer import BPETokenizer
texts = open(sys.argv[1], encoding="utf-8").read().split("\\n")
print(BPETokenizer.train(texts, 400).inner.to_str())
"""


def test_ids_depend_neither_on_order_nor_on_threads(tmp_path):
    rng = random.Random(0)
    words = ["".join(rng.choices("aeistrß", k=rng.randint(1, 5))) for _ in range(300)]
    texts = [" ".join(rng.choices(words, k=9)) for _ in range(300)]
    saved = set()
    for threads in ("1", "2"):
        path = tmp_path / f"{threads}.txt"
        path.write_text("\n".join(texts), encoding="utf-8")
        result = subprocess.run(
            [sys.executable, "-c", TRAIN_ELSEWHERE, str(path)],
            env=os.environ | {"RAYON_NUM_THREADS": threads, "PYTHONHASHSEED": threads},
            capture_output=True,
            encoding="utf-8",
        )
        assert result.returncode == 0, result.stderr
        saved.add(result.stdout)
        rng.shuffle(texts)
    assert len(saved) == 1


def test_importing_loads_nothing_heavy():
    heavy = {"tokenizers", "numpy", "torch"}
    code = f"import sys, tt_utils.data.tokenizer; print({heavy} & set(sys.modules))"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True
    )
    assert result.stdout.strip() == "set()", result.stderr


def test_all_of_multi30k_comes_back_letter_for_letter(real_multi30k):
    train = [text for pair in multi30k.load("train") for text in pair]
    bpe = BPETokenizer.train(train, vocab_size=6_000)
    assert len(bpe) == 6_000
    unseen = [
        text
        for split in multi30k.SPLITS[1:]
        for pair in multi30k.load(split)
        for text in pair
    ]
    texts = train + unseen
    assert len(texts) == 2 * (29_000 + 3_475)
    encoded = bpe.encode_batch(texts)
    failures = [
        t for t, ids in zip(texts, encoded, strict=True) if bpe.decode(ids) != t
    ]
    assert failures == []
    assert min(map(min, encoded)) > UNK
    assert sum(map(len, encoded)) < 15.2 * len(texts)  # about 15 pieces a sentence
