"""The commands that write, judge, answer and chat, on trainings of a moment."""

from dataclasses import replace

import pytest
from typer.testing import CliRunner
from without_type_checks import types_unchecked

from tt_utils.cli import app
from tt_utils.cli.speaking import tell_line
from tt_utils.data.captions import Captions
from tt_utils.training import (
    recipes_captions,
    recipes_dialogue,
    recipes_reviews,
    recipes_stories,
)

LINES = [f"A {colour} dog runs ." for colour in ("black", "white", "brown")] * 200


def tt(*arguments, given=None):
    """What the command printed, said on standard error, and its exit status."""
    result = CliRunner().invoke(app, list(map(str, arguments)), input=given)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout, result.stderr, result.exit_code


def shorten(patch):
    few = {"steps": 3, "warmup": 1}
    captions = Captions("made", LINES, LINES[:120])
    patch.setattr(recipes_captions, "load_captions", lambda: captions)
    short = replace(recipes_captions.TRAINING, **few, precision="fp32")
    patch.setattr(recipes_captions, "TRAINING", short)
    for module, name in (
        (recipes_reviews, "TRAINING"),
        (recipes_stories, "BOTH"),
        (recipes_dialogue, "TRAINING"),
    ):
        patch.setattr(module, name, replace(getattr(module, name), **few))
    patch.setattr(recipes_reviews, "REVIEWS", 200)
    for name in ("SHORT_DIALOGUES", "DIALOGUES", "HELD_OUT"):
        patch.setattr(recipes_dialogue, name, 70)


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Trained models by their data, and what training them said."""
    found = {}
    with pytest.MonkeyPatch.context() as patch, types_unchecked():
        shorten(patch)
        for data in ("captions", "reviews", "stories", "dialogue"):
            folder = tmp_path_factory.mktemp(data)
            said, err, status = tt("train", "--data", data, "--out", folder)
            assert (status, err) == (0, "")
            found[data] = folder, said
    return found


@pytest.mark.parametrize(
    ("data", "command"),
    [
        ("captions", 'generate {} "A man in a"'),
        ("reviews", 'classify {} "'),
        ("stories", 'answer {} "Where is '),
        ("dialogue", "chat {}"),
    ],
)
def test_training_says_what_to_try(folders, data, command):
    folder, said = folders[data]
    assert "trained for 3 steps; the last loss is " in said
    assert f"try: tt {command.format(folder)}" in said.splitlines()[-1]


def test_generate_writes_behind_each_beginning_as_often_as_asked(folders):
    folder, _ = folders["captions"]
    same = ("generate", folder, "A black", "--number", 3, "--seed", 7, "--length", 5)
    out, err, status = tt(*same)
    assert (status, err) == (0, "")
    assert len(out.splitlines()) == 3
    assert all(line.startswith("A black") for line in out.splitlines())
    assert tt(*same)[0] == out
    lines, _, _ = tt("generate", folder, given="A\nThe\n")
    assert len(lines.splitlines()) == 2


def test_what_a_model_writes_stays_one_line(capsys):
    tell_line("a\nb\x1b[2Jc\x1dü")
    assert capsys.readouterr().out == "a\ufffdb\ufffd[2Jc\ufffdü\n"


def test_a_beginning_that_is_too_long_gets_one_sentence(folders):
    _, err, status = tt("generate", folders["captions"][0], "dog " * 300)
    assert status == 1
    assert err.startswith("tt: the beginning has ")
    assert len(err.splitlines()) == 1


def test_classify_judges_each_text_and_warns_of_unknown_words(folders):
    folder, _ = folders["reviews"]
    out, err, status = tt("classify", folder, "the room was zorky", "the bed was good")
    assert status == 0
    assert [line.split()[0] in ("negative", "positive") for line in out.splitlines()]
    assert len(out.splitlines()) == 2
    assert "tt: the model never saw zorky; what it says of that is a guess" in err


def test_answer_finds_something_or_says_that_there_is_nothing(folders):
    folder, _ = folders["stories"]
    passage = "Anna went to the market. Boris took the key."
    out, err, status = tt("answer", folder, "Where is Anna?", passage)
    assert (status, err) == (0, "")
    answer = out.rpartition(" ")[0]
    assert answer == "there is no answer" or answer in passage
    _, err, status = tt("answer", folder, "", passage)
    assert (status, err) == (1, "tt: there are no words in the question; write some.\n")


def test_chat_replies_line_by_line_and_goes_on_after_an_odd_one(folders):
    folder, _ = folders["dialogue"]
    out, err, status = tt("chat", folder, given="Anna takes the key\nzorky\nWho?\n")
    assert status == 0
    assert len(out.splitlines()) + len(err.splitlines()) == 3
    assert "tt: the model never learned zorky" in err


def test_a_model_of_another_kind_is_named(folders):
    _, err, status = tt("classify", folders["captions"][0], "good")
    assert status == 1
    assert "holds a GPT; this needs a Classifier." in err


def test_only_translators_have_a_full_budget(tmp_path):
    _, err, status = tt("train", "--data", "reviews", "--budget", "full")
    assert status == 2
    assert err == (
        "tt: for reviews only the budget quick was tried; leave --budget out.\n"
    )
