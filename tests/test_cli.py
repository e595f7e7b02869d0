"""The command `tt` on a tiny recipe: what it prints, and each error in a sentence.

Run as a script under torchrun, this file trains in several processes.
"""

import gzip
import json
import os
import resource
import subprocess
import sys
from dataclasses import replace

import processes
import pytest
import torch
from typer.testing import CliRunner

from tt_utils.checkpoint import FILE, load_checkpoint, save_checkpoint
from tt_utils.cli import app
from tt_utils.data import corpora
from tt_utils.training import recipes
from tt_utils.training.config import TrainingConfig
from tt_utils.training.recipes import RECIPES, Recipe

TINY = Recipe(
    recipes.SMALL | {"d_model": 32, "d_ff": 64, "n_heads": 2},
    TrainingConfig(steps=120, peak_lr=8e-3, warmup=10, label_smoothing=0.1),
    max_tokens=900,
)


def use_tiny_recipe(patch):
    patch.setitem(RECIPES, ("grammar", "quick"), TINY)
    for name, number in (("PAIRS", 300), ("VALID", 20), ("TEST", 11)):
        patch.setattr(corpora, f"GRAMMAR_{name}", number)


@pytest.fixture(autouse=True)
def _tiny(monkeypatch):
    use_tiny_recipe(monkeypatch)


def tt(*arguments, given=None):
    """What the command printed, said on standard error, and its exit status."""
    result = CliRunner().invoke(app, list(map(str, arguments)), input=given)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout, without_bar(result.stderr), result.exit_code


def without_bar(err):
    """What is left of standard error but for the bar that a slow machine shows."""
    parts = err.split("\r")
    bar = "drawing sentences"
    return "".join(p for p in parts if p.strip() and not p.startswith(bar))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("run")
    with pytest.MonkeyPatch.context() as patch:
        use_tiny_recipe(patch)
        tt("train", "--out", out)
    return out


# Training


def test_training_says_what_it_does_and_how_to_go_on(tmp_path):
    out, err, status = tt("train", "--out", tmp_path / "new" / "run")
    assert status == 0
    assert err == ""
    assert out.startswith("300 sentence pairs; ")
    assert "120/120 [" in out
    assert "trained for 120 steps; the last loss is " in out
    assert f'try: tt translate {tmp_path}/new/run "' in out


def test_the_same_command_goes_on_after_a_stop(tmp_path, monkeypatch):
    whole, _, _ = tt("train", "--out", tmp_path / "whole")
    from tt_utils.training import loop as training

    step = training.Trainer.step

    def interrupted(run, batch):
        if len(run.losses) == 11:
            raise KeyboardInterrupt
        step(run, batch)

    with monkeypatch.context() as patch:
        patch.setattr(training.Trainer, "step", interrupted)
        _, err, status = tt("train", "--out", tmp_path / "cut")
    assert status == 130
    assert "tt: stopped; where a checkpoint was written, the same command" in err
    assert load_checkpoint(tmp_path / "cut").info["step"] == 6
    again, _, _ = tt("train", "--out", tmp_path / "cut")
    last = "trained for 120 steps; the last loss is "
    assert again.partition(last)[2][:5] == whole.partition(last)[2][:5] != ""


def test_another_seed_needs_another_folder(folder):
    _, err, status = tt("train", "--out", folder, "--seed", 7)
    assert status == 1
    assert "doesn't fit: seed is 7, was 0; use the settings it was made with" in err
    assert len(err.splitlines()) == 1


def test_without_a_folder_the_checkpoint_goes_under_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tt("train", "--seed", 3)
    assert (tmp_path / "runs" / "grammar-quick-3" / FILE).exists()


def test_missing_data_are_named_with_the_way_out(tmp_path, monkeypatch):
    monkeypatch.setenv("TT_DATA", str(tmp_path))
    _, err, status = tt("train", "--data", "multi30k", "--out", tmp_path / "run")
    assert status == 1
    assert "train.de.gz is missing, and TT_DATA says to look there; put" in err
    assert not (tmp_path / "run").exists()


def test_a_full_disk_is_one_sentence_and_leaves_nothing(tmp_path):
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limits[1]))
    try:
        _, err, status = tt("train", "--out", tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert status == 1
    assert err.startswith(f"tt: save_checkpoint: {tmp_path}/{FILE} can't be written: ")
    assert "the disk is full" in err
    assert os.listdir(tmp_path) == []


def test_a_folder_that_is_a_file_is_said_before_the_first_step(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("mine")
    out, err, status = tt("train", "--out", file)
    assert status == 1
    assert "step" not in out
    assert err == (
        f"tt: {file} can't be a folder for checkpoints: File exists; "
        "choose another one.\n"
    )
    assert file.read_text() == "mine"


# Translating


def test_each_sentence_gives_a_line(folder):
    out, err, status = tt("translate", folder, "The ball is red.", "is the ball red ?")
    assert (status, err) == (0, "")
    assert len(out.splitlines()) == 2


def test_lines_come_from_standard_input_too(folder):
    out, err, status = tt(
        "translate", folder, given="the ball is red\nis the ball red?"
    )
    assert (status, err) == (0, "")
    assert out == tt("translate", folder, "the ball is red", "is the ball red ?")[0]


@pytest.mark.parametrize("line", ["", "   ", "."])
def test_an_empty_line_stays_empty_and_is_named(folder, line):
    out, err, status = tt("translate", folder, given=f"the ball\n{line}\nthe ball\n")
    assert status == 1
    first, second, third = out.splitlines()
    assert second == ""
    assert first == third != ""
    assert err == ("tt: line 2: there are no words to translate; write a sentence.\n")


def test_a_line_of_10_000_words_is_named(folder):
    out, err, status = tt("translate", folder, given="ball " * 10_000 + "\nthe ball\n")
    assert status == 1
    assert out.startswith("\n")
    assert out.strip()
    assert err == (
        "tt: line 1: the sentence has 10,000 words (10,001 tokens), the model reads "
        "at most 64; split it into sentences.\n"
    )


def test_unknown_words_are_translated_with_a_warning(folder):
    out, err, status = tt("translate", folder, "the zebrafish is Quux")
    assert status == 0
    assert out.strip()
    assert err == (
        "tt: line 1: the model never saw zebrafish, Quux; what it writes for that is "
        "a guess.\n"
    )


def test_bytes_that_are_no_text_are_unknown_words(folder):
    _, err, status = tt("translate", folder, given=b"the \xff\xfe ball\n")
    assert status == 0
    assert "never saw �" in err


# Checkpoints that are none


def spoil(folder, tmp_path, change):
    content = (folder / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(change(content))
    return tmp_path


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda content: content[: len(content) // 2], "is cut off or damaged"),
        (lambda content: content[:-1] + b"!", "was changed or damaged after"),
        (lambda content: b"not a checkpoint at all", "wasn't written by"),
        (lambda content: b"", "is cut off or damaged"),
    ],
    ids=["truncated", "edited", "another file", "empty"],
)
@pytest.mark.parametrize("command", ["translate", "evaluate"])
def test_a_damaged_checkpoint_is_one_sentence(
    folder, tmp_path, command, change, message
):
    _, err, status = tt(command, spoil(folder, tmp_path, change))
    assert status == 1
    assert message in err
    assert len(err.splitlines()) == 1


def test_a_missing_checkpoint_is_one_sentence(tmp_path):
    _, err, status = tt("translate", tmp_path / "none", "hello")
    assert status == 1
    assert "there is no checkpoint at" in err


def with_vocabulary(folder, tmp_path, vocabulary):
    found = load_checkpoint(folder)
    info = found.info | {"vocabulary": vocabulary}
    save_checkpoint(tmp_path, found.tensors, info)
    return tmp_path


def test_a_vocabulary_of_another_size_is_refused(folder, tmp_path):
    vocabulary = load_checkpoint(folder).info["vocabulary"]
    words = vocabulary["tokenizers"][0]["words"]
    words.append("zebrafish")
    _, err, status = tt(
        "translate", with_vocabulary(folder, tmp_path, vocabulary), "the ball"
    )
    assert status == 1
    assert f"its vocabulary has {len(words)} and " in err
    assert f"its model was made for {len(words) - 1} and " in err


@pytest.mark.parametrize("vocabulary", [None, [], {"about": {}, "tokenizers": [{}]}])
def test_a_checkpoint_without_a_vocabulary_is_refused(folder, tmp_path, vocabulary):
    spoilt = with_vocabulary(folder, tmp_path, vocabulary)
    _, err, status = tt("translate", spoilt, "the ball")
    assert status == 1
    assert "holds no vocabulary to use its model with" in err
    assert len(err.splitlines()) == 1


# Evaluating


def test_evaluation_prints_every_score(folder):
    out, _, status = tt("evaluate", folder, "--beam", 1)
    assert status == 0
    names = [line[:16].strip() for line in out.splitlines()]
    assert names == [
        *("sentences", "exactly right", "sacreBLEU", "lower-cased BLEU"),
        "alignment error",
    ]


def test_evaluation_gives_the_same_as_json(folder):
    out, _, _ = tt("evaluate", folder, "--json")
    found = json.loads(out)
    assert found["sentences"] == 11
    assert 0 <= found["exact"] <= 1
    assert 0 <= found["alignment_error"] <= 1
    assert found["bleu"]["low"] <= found["bleu"]["score"] <= found["bleu"]["high"]
    assert "|tok:13a|" in found["bleu"]["signature"]


# Starting


def python(*arguments):
    return subprocess.run(
        [sys.executable, *arguments],
        env=processes.environment(),
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_help_comes_without_loading_torch():
    code = (
        "import sys; from tt_utils.cli import app\n"
        "try: app(['train', '--help'])\n"
        "except SystemExit: print({'torch', 'numpy'} & set(sys.modules))"
    )
    result = python("-c", code)
    assert "the same command goes on" in " ".join(result.stdout.split())
    assert result.stdout.splitlines()[-1] == "{'numpy'}", result.stderr


@pytest.mark.slow
def test_two_processes_train_one_model(tmp_path, folder):
    result = python(
        *("-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"),
        *(__file__, "train", "--out", str(tmp_path)),
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.count("300 sentence pairs") == 1, "only one process speaks"
    together, alone = (
        load_checkpoint(path).tensors["losses"] for path in (tmp_path, folder)
    )
    # Processes add up in another order, and training magnifies the last digits.
    torch.testing.assert_close(together[:20], alone[:20], atol=1e-4, rtol=0)
    torch.testing.assert_close(together, alone, atol=0.02, rtol=0)


# Exporting


def test_an_exported_translator_is_one_file(folder, tmp_path):
    file = tmp_path / "mine.safetensors.gz"
    out, err, status = tt("export", folder, file)
    assert (err, status) == ("", 0)
    assert out == f"{file}: {file.stat().st_size:,} bytes; " + (
        "open it under the film of the book.\n"
    )
    data = gzip.decompress(file.read_bytes())
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    about = json.loads(header["__metadata__"]["description"])
    assert about["config"]["d_model"] == 32
    assert len(about["examples"]) == 8


def test_an_existing_file_is_not_written_over(folder, tmp_path):
    file = tmp_path / "mine.gz"
    file.write_text("precious")
    _, err, status = tt("export", folder, file)
    assert status == 1
    assert err == f"tt: {file} is there already; choose another name, or remove it.\n"
    assert file.read_text() == "precious"


def test_what_the_film_cannot_run_is_not_exported(tmp_path, monkeypatch):
    other = replace(TINY, model=TINY.model | {"norm_first": False})
    monkeypatch.setitem(RECIPES, ("grammar", "quick"), other)
    tt("train", "--out", tmp_path / "run")
    _, err, status = tt("export", tmp_path / "run", tmp_path / "mine.gz")
    assert status == 1
    assert err.endswith("norm_first=False; the page's engine computes True only.\n")
    assert not (tmp_path / "mine.gz").exists()


def test_a_file_that_cannot_be_written_is_told(folder, tmp_path):
    (tmp_path / "none").write_text("")
    _, err, status = tt("export", folder, tmp_path / "none" / "mine.gz")
    assert status == 1
    assert len(err.splitlines()) == 1
    assert "mine.gz can't be written: " in err


if __name__ == "__main__":
    use_tiny_recipe(pytest.MonkeyPatch())
    app()
