"""SQuAD's files, read and written, and answers in characters turned into tokens."""

import json

import pytest
import torch

from tt_utils.data.squad import (
    Answer,
    Reading,
    SquadError,
    encode_reading,
    read_squad,
    span_batch,
    word_span,
    words_of,
    write_squad,
)
from tt_utils.data.tokenizer import BOS, EOS, PAD, UNK, WordTokenizer

PASSAGE = "In Łódź, Ewa's mill (built 1878) burned; Ewa left."
TOKENIZER = WordTokenizer.from_sentences(
    [["In", "Łódź", ",", "Ewa", "'", "s", "mill", "burned", "Who", "left", "?"]]
)


def entry(name="q1", answers=(("Ewa's mill", 9),), **more):
    listed = [{"text": text, "answer_start": start} for text, start in answers]
    return {"id": name, "question": "Who left?", "answers": listed} | more


def written(path, *entries, context=PASSAGE):
    paragraph = {"context": context, "qas": list(entries)}
    data = {"version": "x", "data": [{"title": "t", "paragraphs": [paragraph]}]}
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_version_1_has_answers_and_no_word_about_impossible_ones(tmp_path):
    answers = (("Ewa's mill", 9), ("mill", 15))
    (reading,) = read_squad(written(tmp_path / "dev.json", entry(answers=answers)))
    assert reading == Reading(
        "q1", "Who left?", PASSAGE, (Answer("Ewa's mill", 9), Answer("mill", 15))
    )
    assert reading.texts() == ("Ewa's mill", "mill")


def test_version_2_has_questions_without_an_answer(tmp_path):
    plausible = [{"text": "mill", "answer_start": 15}]
    file = written(
        tmp_path / "dev.json",
        entry(is_impossible=False),
        entry("q2", (), is_impossible=True, plausible_answers=plausible),
    )
    first, second = read_squad(file)
    assert first.answers
    assert second.answers == ()
    assert second.texts() == ("",)


def test_what_is_written_comes_back(tmp_path):
    readings = [
        Reading("a", "Who?", PASSAGE, (Answer("Ewa", 41),)),
        Reading("b", "When?", PASSAGE, ()),
        Reading("c", "Où?", "Été 3.", (Answer("3", 4),)),
    ]
    path = tmp_path / "new" / "mine.json"
    write_squad(readings, path, "a title")
    assert read_squad(path) == readings
    (article,) = json.loads(path.read_text(encoding="utf-8"))["data"]
    assert article["title"] == "a title"
    assert [len(part["qas"]) for part in article["paragraphs"]] == [2, 1]
    assert article["paragraphs"][0]["qas"][1]["is_impossible"] is True


@pytest.mark.parametrize(
    ("text", "start"), [("Ewa", 10), ("Ewa", -10), ("left.", 99), ("", 3)]
)
def test_an_answer_elsewhere_is_refused_with_the_questions_id(tmp_path, text, start):
    file = written(tmp_path / "dev.json", entry("q7", [(text, start)]))
    with pytest.raises(SquadError, match=r"'q7' has the answer") as error:
        read_squad(file)
    assert str(start) in str(error.value)


@pytest.mark.parametrize("missing", ["question", "answers"])
def test_a_question_with_a_part_missing_is_named(tmp_path, missing):
    damaged = entry("q8")
    del damaged[missing]
    with pytest.raises(SquadError, match=r"the question 'q8' in .* is damaged"):
        read_squad(written(tmp_path / "dev.json", entry(), damaged))


def test_a_place_that_is_no_number_is_damage(tmp_path):
    with pytest.raises(SquadError, match=r"'q9' in .* is damaged"):
        read_squad(written(tmp_path / "dev.json", entry("q9", [("Ewa", "9")])))


def test_a_question_without_an_id_is_damage(tmp_path):
    nameless = entry()
    del nameless["id"]
    with pytest.raises(SquadError, match="without an id"):
        read_squad(written(tmp_path / "dev.json", nameless))


@pytest.mark.parametrize("text", ["", '{"data": [', "[1]", '{"data": 3}', '{"a": 1}'])
def test_a_damaged_file_is_refused_in_one_sentence(tmp_path, text):
    path = tmp_path / "dev.json"
    path.write_text(text)
    with pytest.raises(SquadError, match="is no SQuAD file"):
        read_squad(path)


def test_a_missing_file_is_refused_in_one_sentence(tmp_path):
    with pytest.raises(SquadError, match="can't be read"):
        read_squad(tmp_path / "none.json")


def test_words_know_their_characters():
    words = words_of(PASSAGE)
    assert [PASSAGE[word.start : word.end] for word in words] == [w.text for w in words]
    assert [w.text for w in words][:7] == ["In", "Łódź", ",", "Ewa", "'", "s", "mill"]


@pytest.mark.parametrize(
    ("text", "start", "span"),
    [
        ("Łódź", 3, (1, 1)),
        ("Ewa's mill", 9, (3, 6)),
        ("mill (built 1878)", 15, (6, 10)),
        ("187", 27, (9, 9)),  # a part of a word takes the whole word
        (" burned", 32, (11, 11)),
    ],
)
def test_an_answer_takes_the_words_that_it_touches(text, start, span):
    assert PASSAGE[start : start + len(text)] == text
    assert word_span(Answer(text, start), words_of(PASSAGE)) == span


def test_tokens_are_question_and_passage_between_special_tokens():
    reading = Reading("q", "Who left?", PASSAGE, (Answer("Ewa's mill", 9),))
    example = encode_reading(reading, TOKENIZER, max_len=23)
    ids = TOKENIZER.ids
    assert example.tokens[:5] == (BOS, ids["Who"], ids["left"], ids["?"], EOS)
    assert example.first == 5
    assert example.tokens[5:8] == (ids["In"], ids["Łódź"], ids[","])
    assert example.tokens[-1] == EOS
    assert len(example.tokens) == 5 + 16 + 1
    assert example.span == (8, 11)
    assert example.tokens[8] == ids["Ewa"]
    assert example.tokens[11] == ids["mill"]
    # ( built 1878 ) ; . are no words of this vocabulary, the last full stop included.
    assert [i for i, t in enumerate(example.tokens) if t == UNK] == [
        *range(12, 16),
        17,
        20,
    ]
    assert encode_reading(
        Reading("q", "Who left?", PASSAGE, ()), TOKENIZER, 23
    ).span == (0, 0)


def test_a_passage_that_is_too_long_is_refused_or_cut():
    reading = Reading("q5", "Who left?", PASSAGE, (Answer("Ewa's mill", 9),))
    with pytest.raises(SquadError, match="'q5' has 3 tokens, its passage 16"):
        encode_reading(reading, TOKENIZER, max_len=21)
    whole = encode_reading(reading, TOKENIZER, max_len=22)
    kept = encode_reading(reading, TOKENIZER, max_len=13, cut=True)
    assert kept.tokens == (*whole.tokens[:12], EOS)
    assert kept.span == whole.span == (8, 11)
    lost = encode_reading(reading, TOKENIZER, max_len=12, cut=True)
    assert lost.span == (0, 0)
    with pytest.raises(SquadError, match="max_len=6"):
        encode_reading(reading, TOKENIZER, max_len=6, cut=True)


def test_an_answer_without_a_word_is_refused():
    reading = Reading("q6", "Who?", "a  b", (Answer(" ", 1),))
    with pytest.raises(SquadError, match="'q6' has the answer ' '"):
        encode_reading(reading, TOKENIZER, max_len=19)


def test_a_batch_allows_the_passage_and_no_answer():
    texts = [("Who left?", PASSAGE), ("Ewa?", "In Łódź")]
    examples = [encode_reading(Reading("q", q, p, ()), TOKENIZER, 31) for q, p in texts]
    batch = span_batch(examples)
    assert batch.tokens.shape == batch.allowed.shape == (2, 22)
    assert batch.tokens[1].tolist()[7:] == [PAD] * 15
    assert torch.nonzero(batch.allowed[0]).flatten().tolist() == [0, *range(5, 21)]
    assert torch.nonzero(batch.allowed[1]).flatten().tolist() == [0, 4, 5]
    assert batch.spans.tolist() == [[0, 0], [0, 0]]
