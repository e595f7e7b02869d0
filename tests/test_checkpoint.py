"""Checkpoints: whole or absent, honest about damage, and training goes on from them.

Run as a script with a folder, this file trains there: the tests kill that process.
"""

import contextlib
import errno
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import processes
import pytest
import torch
from safetensors.torch import save_file
from torch import nn

from tt_utils.checkpoint import (
    FILE,
    CheckpointError,
    fill,
    load_checkpoint,
    own_tensors,
    save_checkpoint,
)
from tt_utils.data.batching import PairBatches
from tt_utils.models import saved
from tt_utils.models.saved import load_model
from tt_utils.models.transformer import Transformer, TransformerConfig
from tt_utils.training.config import TrainingConfig
from tt_utils.training.loop import train
from tt_utils.training.trainer import random_states, set_random_states

VOCAB = 17
CONFIG = TrainingConfig(steps=30, peak_lr=0.01, warmup=7, average=5)
LONG = replace(CONFIG, steps=200)


def some_pairs():
    rng = random.Random(0)
    sources = [[rng.randrange(4, VOCAB) for _ in range(2 + i % 5)] for i in range(43)]
    return [(src, src[::-1]) for src in sources]


def some_data(pairs=None):
    return PairBatches(pairs or some_pairs(), 60)


def small_model(seed=0, **sizes):
    torch.manual_seed(seed)
    wanted = {"d_model": 16, "d_ff": 32, "dropout": 0.1} | sizes
    return Transformer(
        TransformerConfig(
            src_vocab_size=VOCAB,
            tgt_vocab_size=VOCAB,
            n_heads=2,
            n_encoder_layers=1,
            n_decoder_layers=1,
            max_len=16,
            **wanted,
        )
    )


def same_weights(one, two):
    pairs = zip(one.parameters(), two.parameters(), strict=True)
    return all(torch.equal(a, b) for a, b in pairs)


# What is written comes back

TENSORS = {
    "model.a": torch.tensor([[1.5, -2.0], [0.1, float("inf")]]),
    "model.b": torch.tensor(7.0, dtype=torch.float64),
    "optimizer.0.step": torch.tensor([1, 2, 3]),
    "half": torch.ones(3, dtype=torch.bfloat16),
}
INFO = {
    "step": 3,
    "model": {"d_model": 64, "norm_first": True},
    "vocabulary": {"source": ["<pad>", "bola"], "target": ["azul"]},
}


@pytest.fixture
def folder(tmp_path):
    save_checkpoint(tmp_path, TENSORS, INFO)
    return tmp_path


def test_tensors_and_info_come_back_as_they_were(folder):
    found = load_checkpoint(folder)
    assert found.info == INFO
    assert found.tensors.keys() == TENSORS.keys()
    assert found.part("model").keys() == {"a", "b"}
    for name, tensor in TENSORS.items():
        assert found.tensors[name].dtype == tensor.dtype
        assert torch.equal(found.tensors[name], tensor)


def test_the_folder_is_made_and_holds_one_file_which_may_be_named_itself(tmp_path):
    path = save_checkpoint(tmp_path / "new" / "run", TENSORS, INFO)
    assert os.listdir(path.parent) == [FILE]
    assert load_checkpoint(path).info == INFO


# Damage


def refusal(folder, expected=None):
    with pytest.raises(CheckpointError) as caught:
        load_checkpoint(folder, expected)
    message = str(caught.value)
    assert message.startswith("load_checkpoint: ")
    assert message.endswith(".")
    assert "\n" not in message
    return message


def test_a_missing_checkpoint_is_named_with_the_way_out(tmp_path):
    assert "there is no checkpoint at" in refusal(tmp_path)
    assert "check the folder, or train first" in refusal(tmp_path / "nowhere")


def test_a_cut_file_is_recognised_wherever_the_cut_is(folder):
    whole = (folder / FILE).read_bytes()
    for length in range(len(whole)):
        (folder / FILE).write_bytes(whole[:length])
        assert "is cut off or damaged" in refusal(folder), length


def test_a_change_of_any_byte_is_noticed(folder):
    whole = (folder / FILE).read_bytes()
    for i in range(len(whole)):
        (folder / FILE).write_bytes(whole[:i] + bytes([whole[i] ^ 1]) + whole[i + 1 :])
        refusal(folder)


@pytest.mark.parametrize("place", [b"bola", TENSORS["model.a"].numpy().tobytes()])
def test_an_edited_word_or_weight_is_called_an_edit(folder, place):
    whole = (folder / FILE).read_bytes()
    assert whole.count(place) == 1
    (folder / FILE).write_bytes(whole.replace(place, place[::-1]))
    assert "its checksum differs" in refusal(folder)


def test_a_file_of_another_program_is_refused_without_running_it(tmp_path):
    class Bomb:
        def __reduce__(self):
            return (os.mkdir, (str(tmp_path / "ran"),))

    for write in (
        lambda path: path.write_text("steps: 300\nlearning rate: 0.1\n"),
        lambda path: torch.save({"model": Bomb()}, path),
        lambda path: save_file({"w": torch.ones(2)}, path),
        lambda path: save_file({"w": torch.ones(2)}, path, {"format": "pt"}),
    ):
        write(tmp_path / FILE)
        assert "wasn't written by save_checkpoint" in refusal(tmp_path)
    assert os.listdir(tmp_path) == [FILE]


def test_a_later_format_asks_for_the_program_that_wrote_it(folder, monkeypatch):
    monkeypatch.setattr("tt_utils.checkpoint.FORMAT", 4)
    save_checkpoint(folder, TENSORS, INFO)
    monkeypatch.undo()
    assert "has format 4, this version of tt_utils reads 3" in refusal(folder)


def test_a_folder_in_the_place_of_the_file_is_no_checkpoint(tmp_path):
    (tmp_path / FILE).mkdir()
    assert "can't be read: Is a directory" in refusal(tmp_path)


@pytest.mark.parametrize(
    ("expected", "message"),
    [
        ({"model": {"d_model": 32}}, "d_model is 32, was 64"),
        ({"vocabulary": {"target": ["azul", "rojo"]}}, "target has 2 entries, the "),
        ({"vocabulary": {"source": ["<pad>", "bolo"]}}, "source[1] is 'bolo', was 'b"),
        ({"vocabulary": None}, "vocabulary is None, was {"),
        ({"data": "9 pairs"}, "data is '9 pairs', was None"),
    ],
)
def test_what_does_not_fit_is_named(folder, expected, message):
    assert message in refusal(folder, expected)


def test_a_large_vocabulary_does_not_fill_the_screen(tmp_path):
    save_checkpoint(tmp_path, TENSORS, {"vocabulary": [str(i) for i in range(6_000)]})
    assert len(refusal(tmp_path, {"vocabulary": None})) < 400


def test_what_fits_is_accepted_and_tuples_count_as_lists(folder):
    words = {"source": ("<pad>", "bola"), "target": ("azul",)}
    load_checkpoint(folder, {"vocabulary": words, "model": {"d_model": 64}})


# The tensors of a module


class Mixed(nn.Module):
    """Tied and empty parameters, and buffers of both kinds."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(3, 5)
        self.second = nn.Linear(3, 5, bias=False)
        self.second.weight = self.first.weight
        self.none = nn.Parameter(torch.empty(0, 7))
        self.nothing = nn.Parameter(torch.empty(0))
        self.norm = nn.BatchNorm1d(5)
        self.same_norm = self.norm
        self.register_buffer("mask", torch.ones(2), persistent=False)


MIXED = {
    *("first.weight", "first.bias", "none", "nothing", "norm.weight", "norm.bias"),
    *("norm.running_mean", "norm.running_var", "norm.num_batches_tracked"),
}


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_every_tensor_has_one_name_wherever_it_is(device):
    """On the meta device, and where they are empty, all have the same address."""
    with torch.device(device):
        assert own_tensors(Mixed()).keys() == MIXED


def test_a_module_with_every_kind_of_tensor_comes_back(tmp_path):
    torch.manual_seed(0)
    module = Mixed()
    module.norm(torch.randn(7, 5))
    named = {f"model.{name}": t for name, t in own_tensors(module).items()}
    save_checkpoint(tmp_path, named, INFO)
    other = Mixed()
    fill(other, load_checkpoint(tmp_path).part("model"))
    assert other.second.weight is other.first.weight
    for (name, ours), theirs in zip(
        module.state_dict().items(), other.state_dict().values(), strict=True
    ):
        assert torch.equal(ours, theirs), name


@pytest.mark.parametrize("ties", ["none", "target", "all"])
def test_a_model_keeps_the_names_that_its_format_gave_its_tensors(ties):
    model = small_model(tie_embeddings=ties)
    # Format 2 leaves a name out where a tensor before it has the same address.
    first = {}
    for name, tensor in model.state_dict().items():
        first.setdefault(tensor.data_ptr(), name)
    assert own_tensors(model).keys() == set(first.values())


# A full disk


def test_a_full_disk_leaves_the_checkpoint_before_and_no_crumbs(folder):
    before = (folder / FILE).read_bytes()
    large = TENSORS | {"more": torch.zeros(100_000)}
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, limits[1]))
    try:
        with pytest.raises(CheckpointError) as caught:
            save_checkpoint(folder, large, INFO)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "the disk is full (40" in str(caught.value)
    assert os.listdir(folder) == [FILE]
    assert (folder / FILE).read_bytes() == before


@pytest.mark.parametrize("call", ["fsync", "replace"])
@pytest.mark.parametrize(
    ("code", "message"),
    [(errno.ENOSPC, "the disk is full"), (errno.EIO, "can't be written: Input/output")],
)
def test_an_error_at_any_stage_of_writing_says_so(
    folder, monkeypatch, call, code, message
):
    def fail(*_, **__):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(*((os, call) if call == "fsync" else (Path, call)), fail)
    with pytest.raises(CheckpointError, match=message):
        save_checkpoint(folder, TENSORS, INFO | {"step": 4})
    monkeypatch.undo()
    assert os.listdir(folder) == [FILE]
    assert load_checkpoint(folder).info["step"] == 3


# Going on


class Stop(Exception):
    pass


def stop_after(last):
    def after_step(step):
        if step.number == last:
            raise Stop

    return after_step


@pytest.fixture(scope="module")
def uninterrupted():
    model = small_model()
    return model, train(model, some_data(), CONFIG)


@pytest.mark.parametrize("last", [4, 11, 29])
def test_training_goes_on_to_the_same_losses_and_weights(uninterrupted, tmp_path, last):
    """Dropout, several epochs, Adam's moments and the average all have to match."""
    arguments = {"checkpoint": tmp_path, "every": 3}
    with pytest.raises(Stop):
        train(small_model(), some_data(), CONFIG, stop_after(last), **arguments)
    assert load_checkpoint(tmp_path).info["step"] == last // 3 * 3
    random.seed(99)
    other = small_model(seed=99)
    steps = []
    losses = train(other, some_data(), CONFIG, steps.append, **arguments)
    first = last // 3 * 3
    assert [step.number for step in steps] == list(range(first, CONFIG.steps))
    assert losses == uninterrupted[1]
    assert same_weights(other, uninterrupted[0])


def test_random_numbers_go_on_where_they_were_noted():
    cpu = torch.device("cpu")
    random.gauss()  # leaves its twin for the next call
    states = json.loads(json.dumps(random_states(cpu)))
    drawn = random.gauss(), random.random(), torch.rand(3).tolist()
    assert (random.gauss(), random.random(), torch.rand(3).tolist()) != drawn
    set_random_states(states, cpu)
    assert (random.gauss(), random.random(), torch.rand(3).tolist()) == drawn


def test_a_finished_run_is_not_trained_again(uninterrupted, tmp_path):
    train(small_model(), some_data(), CONFIG, checkpoint=tmp_path)
    other = small_model(seed=3)
    steps = []
    losses = train(other, some_data(), CONFIG, steps.append, checkpoint=tmp_path)
    assert steps == []
    assert losses == uninterrupted[1]
    assert same_weights(other, uninterrupted[0])


def test_the_trained_model_comes_back_with_its_vocabulary(uninterrupted, tmp_path):
    words = ["la", "bola"]
    options = {"checkpoint": tmp_path, "vocabulary": words}
    train(small_model(), some_data(), CONFIG, **options)
    model, vocabulary = load_model(tmp_path)
    assert vocabulary == words
    assert same_weights(model, uninterrupted[0]), "the average, not the last weights"
    assert not any(module.training for module in model.modules())
    assert model.generator.weight is model.tgt_embedding.table.weight


class Other(Transformer):
    pass


def test_a_model_must_be_registered_to_be_rebuilt(tmp_path, monkeypatch):
    monkeypatch.setattr(saved, "MODELS", dict(saved.MODELS))
    model = small_model()
    model.__class__ = Other
    train(model, some_data(), CONFIG, checkpoint=tmp_path)
    with pytest.raises(CheckpointError, match=r"holds the model Other; known "):
        load_model(tmp_path)
    saved.register(TransformerConfig, Other)
    saved.register(TransformerConfig, Other)  # a module may be imported again
    rebuilt, _ = load_model(tmp_path)
    assert type(rebuilt) is Other
    twin = type("Other", (Transformer,), {})
    with pytest.raises(ValueError, match=r"^register: a model named Other is known "):
        saved.register(TransformerConfig, twin)


def test_a_run_with_other_settings_does_not_take_the_checkpoint_over(tmp_path):
    train(small_model(), some_data(), CONFIG, checkpoint=tmp_path, vocabulary=["la"])
    before = (tmp_path / FILE).read_bytes()

    def refused(message, model=None, pairs=None, config=CONFIG, vocabulary=("la",)):
        with pytest.raises(CheckpointError, match=message):
            train(
                model or small_model(),
                some_data(pairs),
                config,
                checkpoint=tmp_path,
                vocabulary=vocabulary,
            )
        assert (tmp_path / FILE).read_bytes() == before

    refused("d_ff is 48, was 32", model=small_model(d_ff=48))
    refused("peak_lr is 0.02, was 0.01", config=replace(CONFIG, peak_lr=0.02))
    refused("data is '42 pairs.*was '43 pairs", pairs=some_pairs()[1:])
    refused(r"vocabulary\[0\] is 'el', was 'la'", vocabulary=["el"])
    more = replace(CONFIG, accumulate=2)
    train(small_model(), some_data(), more, checkpoint=tmp_path, vocabulary=["la"])


def test_tensors_of_another_shape_are_named(tmp_path):
    options = {"checkpoint": tmp_path, "every": 5}
    with pytest.raises(Stop):
        train(small_model(), some_data(), CONFIG, stop_after(6), **options)
    found = load_checkpoint(tmp_path)
    lost = {k: v for k, v in found.tensors.items() if not k.endswith("norm.bias")}
    save_checkpoint(tmp_path, lost, found.info)
    with pytest.raises(CheckpointError, match=r"norm.bias has shape \(16,\) here and "):
        train(small_model(), some_data(), CONFIG, **options)


# kill -9


@contextlib.contextmanager
def training(folder):
    """Train LONG in a process of its own, with a checkpoint after every step."""
    process = subprocess.Popen(
        [sys.executable, __file__, str(folder)],
        env=processes.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def wait_for_step(process, folder, step):
    limit = time.monotonic() + 60
    while not (folder / FILE).exists() or load_checkpoint(folder).info["step"] < step:
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < limit, "the process makes no steps"
        time.sleep(0.02)


@pytest.fixture
def one_thread():
    """As in the killed process, which shares the machine with the one that kills."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def test_kill_9_at_random_moments_changes_nothing(one_thread, tmp_path):
    wanted = train(small_model(), some_data(), LONG)
    rng, reached = random.Random(), 0
    for _ in range(int(os.environ.get("TT_KILLS", "3"))):
        with training(tmp_path) as process:
            wait_for_step(process, tmp_path, reached + 1)
            time.sleep(rng.uniform(0, 0.1))
            process.kill()
            process.communicate()
        assert process.returncode == -signal.SIGKILL, "it ended before it was killed"
        crumbs = sorted(set(os.listdir(tmp_path)) - {FILE})
        assert set(crumbs) <= {f"{FILE}.tmp", f"{FILE}.lock"}
        reached = load_checkpoint(tmp_path).info["step"]
        print(f"killed after step {reached}, left behind: {crumbs}")
    with training(tmp_path) as process:
        output, _ = process.communicate(timeout=60)
    assert process.returncode == 0, output
    assert json.loads((tmp_path / "losses.json").read_text()) == wanted
    assert sorted(os.listdir(tmp_path)) == [FILE, "losses.json"]


if __name__ == "__main__":
    target = Path(sys.argv[1])
    result = train(small_model(), some_data(), LONG, checkpoint=target, every=1)
    (target / "losses.json").write_text(json.dumps(result))
