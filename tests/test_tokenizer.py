"""Words to ids and back, and pieces of words to ids and back."""

import json
import os
import random
import shutil
import subprocess
import sys
import unicodedata
from pathlib import Path

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
    join_words,
    tokenizer_from_json,
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
    ids = tokenizer.encode(words)
    assert tokenizer.words_of(ids) == words
    assert tokenizer.decode(ids) == "¿la bola bola"
    assert tokenizer.encode(tokenizer.decode(ids)) == ids
    assert tokenizer.encode([]) == tokenizer.words_of([]) == []


def test_a_word_never_seen_is_unknown_and_says_so(tokenizer):
    assert tokenizer.encode(["la", "luna"]) == tokenizer.encode("la luna") == [6, UNK]
    assert tokenizer.decode([6, UNK]) == "la <unk>"
    assert tokenizer.unknown("¿la Luna o la bola?") == ["Luna", "o", "?"]


def test_decoding_ends_at_the_end_sign_and_hides_special_signs(tokenizer):
    ids = [BOS, 6, PAD, 5, EOS, 4, EOS]
    assert tokenizer.decode(ids) == "la bola"
    assert tokenizer.words_of(ids) == ["la", "bola"]


def test_a_string_is_its_words_not_its_letters(tokenizer):
    assert tokenizer.encode(" la  bola\n") == tokenizer.encode(["la", "bola"]) == [6, 5]


def test_special_tokens_are_taken_from_lists_of_words_never_from_text(tokenizer):
    assert tokenizer.encode([*SPECIAL, "la"]) == [PAD, BOS, EOS, UNK, 6]
    for text in SPECIAL:
        assert set(tokenizer.encode(text)) == {UNK}
        assert len(tokenizer.encode(text)) == len(tokenizer.unknown(text)) > 2


# What people type


SPANISH = WordTokenizer.from_sentences(
    map(str.split, ["¿ duerme el niño ?", "la bola es de Ana y del_rey 7"])
)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("¿Duerme el niño?", "¿ duerme el niño ?"),
        ("la bola es de ana.", "la bola es de Ana"),
        ("LA BOLA ES DE ANA!", "la bola es de Ana"),
        ("la bola.es", "la bola . es"),
        ("¡la bola!?", "¡ la bola ! ?"),
        ("el del_rey 7", "el del_rey 7"),
        ("el\u00a0niño\u2003\tes\ufeff 7\x0b", "el niño es 7"),
        ("el ni\u00adño\u200b es\x00\x85 7", "el niño es 7"),
        ("la\x1cbola", "labola"),
        (unicodedata.normalize("NFD", "el niño"), "el niño"),
        ("q\u0303 हिन्दी", "q\u0303 हिन्दी"),
        ("el 🐻", "el 🐻"),
        ("", ""),
        (" . ", ""),
    ],
    ids=ascii,
)
def test_typed_text_is_read_as_words_that_the_vocabulary_knows(typed, words):
    assert SPANISH.split_words(typed) == words.split()
    assert SPANISH.encode(typed) == SPANISH.encode(words.split())


def test_the_end_of_a_statement_counts_where_training_had_it():
    with_dot = WordTokenizer.from_sentences([["la", "bola", "."]])
    assert with_dot.split_words("la bola.") == ["la", "bola", "."]
    assert with_dot.unknown("la bola.") == []
    attached = WordTokenizer.from_sentences([["la", "bola."]])
    assert attached.split_words("la  bola.") == ["la", "bola."]


READ_IN_JAVASCRIPT = """
const { Model } = await import(process.argv[1]);
let given = "";
for await (const part of process.stdin) given += part;
const { words, texts } = JSON.parse(given);
const model = Object.create(Model.prototype);
model.ids = new Map(words.map((word, id) => [word, id]));
console.log(JSON.stringify(texts.map(text => model.read(text).words)));
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_the_page_reads_the_same_words():
    rng = random.Random(0)
    # Letters, accents, marks, spaces and controls of all kinds, but no half characters
    # nor what only one of the two has in its version of Unicode.
    points = [*range(0x600), *range(0x900, 0x980), *range(0x2000, 0x2070), 0xFEFF]
    signs = [chr(i) for i in points if unicodedata.category(chr(i)) != "Cn"]
    texts = ["".join(rng.choices([*signs, *"  .!?"], k=9)) for _ in range(2_000)]
    known = [word for word in SPANISH.words if word not in SPECIAL]
    texts += ["".join(rng.choices([*known, *" .!?¿'\u0303"], k=9)) for _ in range(500)]
    texts += [text.upper() for text in texts[-500:]]
    page = Path(multi30k.__file__).parents[1] / "figures" / "static" / "model-file.mjs"
    result = subprocess.run(
        ["node", "--input-type=module", "-e", READ_IN_JAVASCRIPT, page.as_uri()],
        input=json.dumps({"words": SPANISH.words, "texts": texts}),
        capture_output=True,
        encoding="utf-8",
    )
    assert result.returncode == 0, result.stderr
    for text, words in zip(texts, json.loads(result.stdout), strict=True):
        assert SPANISH.split_words(text) == words, ascii(text)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("¿ duerme el niño ?", "¿duerme el niño?"),
        ("¡ hola , Ana !", "¡hola, Ana!"),
        ("a : b ; c .", "a: b; c."),
        ("? .5 ¿", "? .5 ¿"),
        ("", ""),
    ],
)
def test_marks_stand_close_to_their_words(words, text):
    assert join_words(words.split()) == text


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


def test_both_kinds_answer_the_same_calls(either):
    assert isinstance(either, Tokenizer)
    assert either.encode_batch(TEXTS) == [either.encode(text) for text in TEXTS]
    ids = either.encode(TEXTS[1])
    assert min(ids) > UNK
    assert max(ids) < len(either)
    special = (either.pad_id, either.bos_id, either.eos_id, either.unk_id)
    assert special == (PAD, BOS, EOS, UNK)
    assert either.decode([BOS, *ids, PAD, EOS, ids[0]]) == TEXTS[1]
    assert either.encode("") == either.encode_batch([]) == either.unknown("") == []
    assert either.decode([]) == either.decode([BOS, PAD, EOS]) == ""


def test_only_words_can_be_unknown(either):
    strange = ["qqq"] if isinstance(either, WordTokenizer) else []
    assert either.unknown("Ball qqq") == strange


def test_both_kinds_show_what_is_unknown(either):
    assert "<unk>" in either.decode([UNK, *either.encode("Ball")])


@pytest.mark.parametrize("outside", [-1, 10_000])
def test_an_id_of_another_vocabulary_is_named(either, outside):
    message = (
        rf"^decode: id {outside} is outside the vocabulary of {len(either)}; the model "
        r"and the tokenizer do not belong together\.$"
    )
    with pytest.raises(ValueError, match=message):
        either.decode([outside])


def test_what_goes_into_json_comes_back(either):
    data = json.loads(json.dumps(either.to_json()))
    for loaded in (type(either).from_json(data), tokenizer_from_json(data)):
        assert type(loaded) is type(either)
        assert len(loaded) == len(either)
        assert loaded.encode_batch(TEXTS) == either.encode_batch(TEXTS)
        assert loaded.encode("</s>") == either.encode("</s>")


def test_one_kind_does_not_read_the_other(bpe, tokenizer):
    with pytest.raises(ValueError, match=r"^a\.json is no word tokenizer: it has no l"):
        WordTokenizer.from_json(bpe.to_json(), "a.json")
    with pytest.raises(ValueError, match=r"^b\.json is no BPE tokenizer: "):
        BPETokenizer.from_json(tokenizer.to_json(), "b.json")


@pytest.mark.parametrize(
    "read",
    [WordTokenizer.from_json, BPETokenizer.from_json, tokenizer_from_json],
)
@pytest.mark.parametrize(
    "data", [{}, {"words": 3}, {"words": ["la", "bola", "azul", "¿", "?"]}]
)
def test_data_that_are_no_tokenizer_are_said(read, data):
    message = r"^run is no (word|BPE) tokenizer: .*; save it again from training\.$"
    with pytest.raises(ValueError, match=message):
        read(data, "run")


def forget_a_special_token(data):
    data["added_tokens"].pop()
    data["model"]["vocab"]["end"] = data["model"]["vocab"].pop("<unk>")


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
    [
        forget_a_special_token,
        cut_all_sentences,
        make_all_letters_small,
        leave_an_id_out,
    ],
)
def test_a_tokenizer_with_other_rules_is_refused(edit, bpe):
    data = bpe.to_json()
    edit(data)
    with pytest.raises(ValueError, match=r"^run is no BPE tokenizer: (it must|what)"):
        BPETokenizer.from_json(data, "run")


@pytest.fixture(scope="module")
def elsewhere(bpe):
    """The same pieces, numbered as GPT-2 does: letters first, special tokens last."""
    data, n = bpe.to_json(), len(bpe)
    vocab = {piece: (i - 4) % n for piece, i in bpe.inner.get_vocab().items()}
    data["model"]["vocab"] = vocab
    for token in data["added_tokens"]:
        token["id"] = vocab[token["content"]]
    return BPETokenizer.from_json(data)


def test_special_tokens_may_have_other_ids(bpe, elsewhere):
    special = elsewhere.pad_id, elsewhere.bos_id, elsewhere.eos_id, elsewhere.unk_id
    assert special == (311, 312, 313, 314)
    text = '!"#$ %&'  # ids 0 to 3 are the first four of these
    ids = elsewhere.encode(text)
    assert {0, 1, 2, 3} <= set(ids)
    assert elsewhere.decode([312, *ids, 311, 313, *ids]) == text
    assert ids == [i - 4 for i in bpe.encode(text)]
    assert "<unk>" in elsewhere.decode([314])


def test_special_tokens_are_read_from_a_text_only_when_asked_for(bpe, elsewhere):
    text = "<s>A ball</s>"
    for tokenizer in (bpe, elsewhere):
        bos, eos = tokenizer.bos_id, tokenizer.eos_id
        asked = tokenizer.encode(text, special=True)
        assert asked == [bos, *tokenizer.encode("A ball"), eos]
        assert not {bos, eos} & set(tokenizer.encode(text))
        assert tokenizer.encode_batch([text]) == [tokenizer.encode(text)]


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
