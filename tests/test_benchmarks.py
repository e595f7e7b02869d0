"""What the benchmarks compare is comparable, and they count right."""

import json
import random
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import check
import decoding_speed
import end_to_end
import gpu
import nbfiles
import pytest
import record
import rivals
import study
import timing
import torch
import training_speed
import variants
from torch.utils.flop_counter import FlopCounterMode
from typer.testing import CliRunner
from without_type_checks import types_unchecked

from tt_utils.blocks.cache import DecoderCache
from tt_utils.blocks.masks import padding_mask
from tt_utils.data import multi30k
from tt_utils.data.batching import PairBatches
from tt_utils.data.grammar import sentence_texts
from tt_utils.models.from_torch import from_torch
from tt_utils.models.transformer import Transformer, TransformerConfig
from tt_utils.training.loop import train
from tt_utils.training.recipes import RECIPES

VOCAB, ROWS, LENGTH = 101, 3, 7
CONFIG = TransformerConfig(
    VOCAB, VOCAB, d_model=16, d_ff=32, n_heads=2, n_encoder_layers=3, n_decoder_layers=2
)

ENTRIES = training_speed.entries("cpu", "bf16")


@pytest.fixture
def batch():
    torch.manual_seed(0)
    return [torch.randint(1, VOCAB, (ROWS, LENGTH)) for _ in range(3)]


def test_the_rival_of_pytorch_is_our_model_with_other_kernels(batch):
    theirs = rivals.TorchTranslator(CONFIG).eval()
    ours = from_torch(theirs.inner, CONFIG)
    ours.src_embedding.table.load_state_dict(theirs.source.table.state_dict())
    ours.tgt_embedding.table.load_state_dict(theirs.target.table.state_dict())
    src, tgt, _ = batch
    torch.testing.assert_close(ours(src, tgt), theirs(src, tgt), atol=1e-5, rtol=0)


@pytest.mark.parametrize("name", ENTRIES)
def test_every_rival_learns_the_batch(batch, name):
    stepper = ENTRIES[name].stepper(CONFIG)
    with torch.no_grad():
        before = stepper.loss(*batch)
    for _ in range(60):
        stepper(*batch)
    with torch.no_grad():
        after = stepper.loss(*batch)
    assert after < before - 0.5


def test_the_plain_rival_predicts_no_token_from_itself(batch):
    model = rivals.PlainTranslator(replace(CONFIG, dropout=0.0)).eval()
    src, tgt, _ = batch
    other = tgt.clone()
    other[:, 4:] = 1
    torch.testing.assert_close(model(src, tgt)[:, :4], model(src, other)[:, :4])


def test_the_operations_of_a_step_are_those_that_pytorch_counts(batch):
    stepper = ENTRIES["plain, fp32"].stepper(CONFIG)
    with FlopCounterMode(display=False) as counter:
        stepper.loss(*batch).backward()
    counted = training_speed.matmul_operations(CONFIG, ROWS, LENGTH)
    assert counted == counter.get_total_flops()


def test_the_card_with_the_longer_name_is_found_first(monkeypatch):
    def peak(name):
        monkeypatch.setattr(torch.cuda, "get_device_name", lambda on: name)
        return training_speed.card_peak("cuda")

    assert peak("NVIDIA H100 PCIe") == 756e12
    assert peak("NVIDIA H100 80GB HBM3") == peak("NVIDIA H200") == 989e12
    assert peak("Tesla T4") == 65e12
    assert peak("Something of 2031") is None


# Training all the way


@pytest.fixture
def optimizers(monkeypatch):
    """Collect what every AdamW is told."""
    made = []

    class Told(torch.optim.AdamW):
        def __init__(self, parameters, **given):
            made.append(given)
            super().__init__(parameters, **given)

    monkeypatch.setattr(torch.optim, "AdamW", Told)
    return made


def test_rivals_have_our_optimizer_batches_and_rates(optimizers, monkeypatch):
    rng = random.Random(0)
    rows = [[rng.randrange(4, VOCAB) for _ in range(3 + i % 5)] for i in range(60)]
    pairs = [(row, row) for row in rows]
    config, data = end_to_end.settings(4, "fp32", 1), PairBatches(pairs, 64)
    batches = rivals.first_epoch(data, config)[:4]
    ours, theirs = Transformer(CONFIG), rivals.TorchTranslator(CONFIG)
    seen = {ours: [], theirs: []}
    for model in seen:
        model.register_forward_pre_hook(lambda m, given: seen[m].append(given[0]))
    monkeypatch.setattr(ours, "encode", spy(ours.encode, seen[ours]))
    train(ours, data, config)
    rivals.train_rival(theirs, batches, config, half=False)
    assert optimizers[0] == optimizers[1]
    assert optimizers[0]["weight_decay"] == 0.0
    assert len(seen[ours]) == len(seen[theirs]) == 4
    for own, other in zip(seen[ours], seen[theirs], strict=True):
        assert torch.equal(own, other)


def spy(call, first_arguments):
    def called(*given, **named):
        first_arguments.append(given[0])
        return call(*given, **named)

    return called


def test_all_kinds_of_batches_hold_every_pair_once():
    rng = random.Random(0)
    pairs = [([rng.randrange(4, VOCAB)] * (1 + i % 7), [5, 6]) for i in range(200)]
    for kind in (end_to_end.LIKE, end_to_end.RANDOM):
        batches = end_to_end.batches_of(pairs, kind, 1)
        assert sum(len(batch.src) for batch in batches) == len(pairs)


# Decoding


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
@pytest.mark.parametrize("name", [decoding_speed.UNCACHED, *decoding_speed.CACHED])
def test_all_decoders_write_to_the_end(monkeypatch, name):
    monkeypatch.setattr(decoding_speed, "config_for", lambda length: CONFIG)
    src = torch.randint(4, VOCAB, (ROWS, LENGTH))
    written = decoding_speed.decoders(20)[name](src, 20)
    assert written.shape[1] - (name == decoding_speed.UNCACHED) == 20


def test_with_and_without_a_cache_the_same_is_written(monkeypatch):
    monkeypatch.setattr(decoding_speed, "config_for", lambda length: CONFIG)
    made = decoding_speed.decoders(20)
    src = torch.randint(4, VOCAB, (ROWS, LENGTH))
    again = made["tt_utils, no cache"](src, 20)[:, 1:]
    assert torch.equal(again, made["tt_utils, cache"](src, 20))


# Times


def test_times_are_taken_in_turns():
    calls = []
    actions = {name: (lambda n=name: calls.append(n)) for name in "ab"}
    times = timing.interleaved(actions, rounds=3)
    assert "".join(calls) == "ab" + "ab" * 3, "one turn to warm up"
    assert [len(found) for found in times.values()] == [3, 3]


def test_ratios_are_taken_within_a_round():
    found = timing.ratio(slow=[10.0, 2.0, 30.0], fast=[2.0, 1.0, 10.0])
    assert found == {"ratio": 3.0, "ratio_range": [2.0, 5.0]}


# Records


@pytest.fixture
def project(monkeypatch, tmp_path):
    """A folder of results, and a benchmark of two files."""
    folder = tmp_path / "benchmarks"
    folder.mkdir()
    (folder / "speed.py").write_text('"""Fast?"""\nimport helper\nROUNDS = 3\n')
    (folder / "helper.py").write_text("SIZE = 8\n")
    for name, value in {
        "ROOT": tmp_path,
        "FOLDER": folder,
        "RESULTS": folder / "results",
        "TRIALS": tmp_path / "runs" / "results",
        "cpu_model": lambda: "AMD EPYC 7B13 64-Core Processor",
        "commit": lambda: "abc1234",
    }.items():
        monkeypatch.setattr(record, name, value)
    monkeypatch.setattr(
        sys, "argv", ["/somewhere/benchmarks/speed.py", "--size", "base"]
    )
    return tmp_path


def test_a_result_keeps_where_it_comes_from(project, capsys):
    record.save("speed_base", {"rows": []})
    place = "benchmarks/results/amd-epyc-7b13-64-core/speed_base.json"
    assert capsys.readouterr().out == f"written: {place}\n"
    found = json.loads((project / place).read_text())
    assert found["command"] == "python benchmarks/speed.py --size base"
    assert set(found) == {
        *("command", "date", "commit", "digest", "on", "device", "threads"),
        *("versions", "result"),
    }
    assert found["on"] == "cpu"
    assert list(check.problems("speed_base", found)) == []


@pytest.mark.parametrize("code", ["abc1234+", "unknown"])
def test_uncommitted_code_leaves_the_results_alone(project, monkeypatch, capsys, code):
    monkeypatch.setattr(record, "commit", lambda: code)
    record.save("speed_base", {"rows": []})
    assert "only tried: runs/results/" in capsys.readouterr().out
    assert not record.RESULTS.exists()


def test_the_digest_changes_with_what_is_done_and_only_then(project):
    first = record.digest("speed.py")
    speed, helper = (record.FOLDER / name for name in ("speed.py", "helper.py"))
    speed.write_text('"""Really fast?"""\nimport helper  # ours\nROUNDS = 3\n')
    assert record.digest("speed.py") == first
    helper.write_text("SIZE = 9\n")
    assert record.digest("speed.py") != first


def test_the_check_names_what_is_dirty_or_missing():
    rows = [{"model": "tt_utils, bf16"}, {"model": "plain, fp32"}]
    found = {
        "command": "python benchmarks/training_speed.py",
        "commit": "abc1234+",
        "result": {"rows": rows},
    }
    lines = list(check.problems("training_speed_small", found))
    assert lines[0].startswith("its commit is abc1234+")
    assert "has no row for tt_utils, fp32; measure again" in lines
    assert len(lines) == 1 + len(ENTRIES) - len(rows)
    explained = found | {"remark": "Its machine is gone."}
    assert list(check.problems("training_speed_small", explained)) == lines[1:]


def test_the_check_names_what_no_history_holds(monkeypatch):
    monkeypatch.setattr(record, "is_lost", lambda found: True)
    found = {"commit": "abc1234", "result": {}}
    [line] = check.problems("speed", found)
    assert "no commit abc1234" in line
    assert not list(check.problems("speed", found | {"remark": "It was lost."}))


def test_what_is_older_than_its_benchmark_is_a_note(project, capsys):
    record.save("speed_base", {})
    (record.FOLDER / "helper.py").write_text("SIZE = 9\n")
    capsys.readouterr()
    assert check.main() == 0
    note, end = capsys.readouterr().out.splitlines()
    assert note.startswith("note: amd-epyc-7b13-64-core/speed_base.json is older")
    assert end == "check: no problems with recorded results"


# Studies of the captions

STUDIES = {
    "ideas --steps 24 --captions 40": "one_idea",
    "bpe_dropout --steps 4": "long_idea",
    "both_directions --both 0 --one 1": "both_directions_quick",
    "narrow --width 192": "narrow_model_192_quick",
    "narrow --width 128 --steps 8": "narrow_model_128_quick",
    "vote runs/128-wide-quick-0 runs/192-wide-quick-0": "vote",
}


@pytest.fixture
def few_sentences(project, monkeypatch):
    """A moment's recipe, and a few of the grammar's sentences instead of captions."""
    texts = sentence_texts(500, seed=0, split="train")
    pairs = sorted(texts, key=lambda pair: max(map(len, pair)))[:50]
    monkeypatch.setattr(
        multi30k, "load", lambda split, *_: pairs if split == "train" else pairs[:3]
    )
    for budget in ("quick", "full"):
        recipe = RECIPES["multi30k", budget]
        small = replace(
            recipe,
            model=recipe.model | {"d_model": 12, "n_decoder_layers": 1, "max_len": 16},
            training=replace(recipe.training, steps=6, warmup=1),
        )
        monkeypatch.setitem(RECIPES, ("multi30k", budget), small)
    for width, variant in study.NARROW.items():
        narrower = replace(variant, sizes=variant.sizes | {"d_model": 8, "d_ff": 8})
        monkeypatch.setitem(study.NARROW, width, narrower)
    for name in ("WARM", "TRIED", "LOOKS"):
        monkeypatch.setattr(study, name, 2)
    monkeypatch.chdir(project)


def test_every_study_keeps_what_the_chapters_read_of_its_record(few_sentences):
    stored = nbfiles.ROOT / "benchmarks/results"
    for command, name in STUDIES.items():
        with types_unchecked():
            CliRunner().invoke(study.app, command.split(), catch_exceptions=False)
        [now] = record.RESULTS.glob(f"*/{name}.json")
        before, *_ = stored.glob(f"*/{name}.json")
        found = [keys(json.loads(path.read_text())["result"]) for path in (now, before)]
        assert found[0] == found[1], command


def keys(value):
    """What a record names, without the numbers; what a list names, once."""
    if isinstance(value, dict):
        return {key: keys(held) for key, held in value.items()}
    return keys(value[0]) if isinstance(value, list) else None


def test_where_no_merge_is_left_out_words_are_cut_as_ever(few_sentences, monkeypatch):
    ready = study.prepare("multi30k", "quick", "en", "de")
    monkeypatch.setattr(variants, "DROPPED", 0.0)
    cuts = variants.ManyCuts(ready.target, seed=0)
    for text, _ in ready.corpus.train:
        pieces = [i for word in cuts.words(text) for i in cuts.ways(word)[0]]
        assert pieces == ready.target.encode(text)


@torch.no_grad()
def test_a_vote_is_the_mean_of_all_probabilities(batch):
    src, tgt, _ = batch
    mask = padding_mask(src, CONFIG.pad_id)
    configs = CONFIG, replace(CONFIG, d_model=8, n_decoder_layers=1)
    alone = [Transformer(config).eval() for config in configs]
    vote = variants.Vote(alone)
    cache = DecoderCache(vote.config.n_decoder_layers, LENGTH, LENGTH)
    x = vote.decode(tgt, vote.encode(src, mask), mask, cache)
    mean = sum(model(src, tgt).softmax(-1) for model in alone) / 2
    torch.testing.assert_close(vote.generator(x).softmax(-1), mean)


# A benchmark that is gone


@pytest.fixture
def history(project):
    """Commits before, with and after a benchmark that is gone, and two not there."""
    record.git("init", "-q")

    def commit(*arguments):
        who = ("-c", "user.name=We", "-c", "user.email=we@example.org")
        record.git("add", "--all")
        made = record.git(*who, "commit", "-q", "--allow-empty", *arguments)
        assert not made.returncode, made.stderr
        return record.git("rev-parse", "--short", "HEAD").stdout.strip()

    found = {"before": commit("-m", "Begin")}
    old = record.FOLDER / "old.py"
    old.write_text("ROUNDS = 3\n")
    found["forgotten"] = commit("-m", "Try")
    found["with"] = commit("-m", "Measure", "--amend")
    old.unlink()
    return found | {"after": commit("-m", "Answered"), "unknown": "abc1234"}


def problems_of_the_gone(commit):
    found = {"command": "python benchmarks/old.py", "commit": commit, "result": {}}
    return list(check.problems("old", found))


def test_a_benchmark_may_go_once_it_has_answered(history):
    assert problems_of_the_gone(history["with"]) == []


@pytest.mark.parametrize("commit", ["before", "forgotten", "after", "unknown"])
def test_a_benchmark_that_no_commit_of_ours_holds_is_named(history, commit):
    [line] = problems_of_the_gone(history[commit])
    assert line.startswith("this history has no commit")


def test_a_gone_benchmark_needs_a_clean_commit_as_well(history):
    [line] = problems_of_the_gone(history["with"] + "+")
    assert line.startswith("its commit is ")


@pytest.mark.parametrize("copy", ["shallow", "folder in another's history", "no git"])
def test_where_history_is_missing_nothing_is_said(history, monkeypatch, copy):
    place = record.ROOT
    if copy == "shallow":
        place = place / "clone"
        record.git("clone", "-q", "--depth", "1", f"file://{record.ROOT}", str(place))
    elif copy == "no git":
        shutil.rmtree(place / ".git")
    else:
        place = place / "inside"
        place.mkdir()
    monkeypatch.setattr(record, "ROOT", place)
    assert problems_of_the_gone("abc1234") == []


CPUINFO = """\
processor\t: 0
cpu family\t: 25
model\t\t: 17
model name\t: AMD EPYC
flags\t\t: fpu avx2 avx512f avx512_bf16 sse

processor\t: 1
model name\t: another
"""


def test_the_device_says_more_than_a_brand(monkeypatch):
    monkeypatch.setattr(Path, "exists", lambda path: True)
    monkeypatch.setattr(Path, "read_text", lambda path: CPUINFO)
    monkeypatch.setattr(record.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(torch, "get_num_threads", lambda: 1)
    assert record.describe(record.cpu_model(), "cpu") == (
        "AMD EPYC (family 25, model 17, avx2, avx512f, avx512_bf16), 1 of 2 cores"
    )


def test_a_silent_system_is_no_error(monkeypatch):
    monkeypatch.setattr(record, "cpu_facts", dict)
    assert record.describe("some CPU", "cpu").startswith("some CPU, ")
    assert record.cpu_model()


@pytest.mark.parametrize(
    ("model", "folder"),
    [
        ("AMD EPYC", "amd-epyc"),
        ("Intel(R) Xeon(R) Processor", "intel-xeon"),
        ("Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz", "intel-xeon-platinum-8481c"),
        ("NVIDIA H200", "nvidia-h200"),
    ],
)
def test_every_machine_has_a_folder(model, folder):
    assert record.slug(model) == folder


@pytest.fixture
def card(project, monkeypatch):
    """A GPU on which every benchmark is over at once; the names of those started."""
    started = []

    def run(command):
        started.append(Path(command[1]).stem)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(gpu, "best_device", lambda: "cuda")
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda on: "NVIDIA H200")
    monkeypatch.setattr(gpu.subprocess, "run", run)
    monkeypatch.setattr(sys, "argv", ["gpu.py"])
    return started


def test_a_gpu_measures_what_this_commit_has_not(card, capsys):
    stored = record.RESULTS / "nvidia-h200" / "memory.json"
    stored.parent.mkdir(parents=True)
    stored.write_text('{"commit": "abc1234"}')
    assert gpu.main() == 0
    assert card == [*["training_speed"] * 3, "one_change", "decoding_speed"]
    assert "left for another call: nothing" in capsys.readouterr().out


def test_a_gpu_starts_nothing_that_would_last_too_long(card, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["gpu.py", "--minutes", "3.5"])
    assert gpu.main() == 1
    assert card == ["training_speed", "training_speed", "decoding_speed"]
    out = capsys.readouterr().out
    assert "left for another call: training_speed_big, one_change, memory" in out


def test_every_stored_result_names_its_commit_and_no_machine():
    paths = sorted(record.RESULTS.glob("*/*.json"))
    assert paths
    for path in paths:
        found = json.loads(path.read_text())
        assert found["commit"] != "unknown", path.name
        assert str(nbfiles.ROOT) not in path.read_text(), path.name
        assert not (record.is_gone(found) and record.is_lost(found)), path.name
