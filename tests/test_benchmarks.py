"""What the benchmarks compare is comparable, and they count right."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import nbfiles
import pytest
import record
import rivals
import timing
import torch
import training_speed
from torch.utils.flop_counter import FlopCounterMode

from tt_utils.models.from_torch import from_torch
from tt_utils.models.transformer import TransformerConfig

VOCAB, ROWS, LENGTH = 101, 3, 7
CONFIG = TransformerConfig(
    VOCAB, VOCAB, d_model=16, d_ff=32, n_heads=2, n_encoder_layers=3, n_decoder_layers=2
)


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


@pytest.mark.parametrize("name", training_speed.make_steppers(CONFIG))
def test_every_rival_learns_the_batch(batch, name):
    stepper = training_speed.make_steppers(CONFIG)[name]()
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


def test_the_operations_of_a_step_are_those_that_pytorch_counts(monkeypatch, batch):
    monkeypatch.setattr(training_speed, "ROWS", ROWS)
    monkeypatch.setattr(training_speed, "LENGTH", LENGTH)
    stepper = training_speed.make_steppers(CONFIG)["plain, fp32"]()
    with FlopCounterMode(display=False) as counter:
        stepper.loss(*batch).backward()
    assert training_speed.matmul_operations(CONFIG) == counter.get_total_flops()


def test_times_are_medians_of_turns():
    calls = []
    actions = {name: (lambda n=name: calls.append(n)) for name in "ab"}
    times = timing.interleaved(actions, rounds=3)
    assert "".join(calls) == "ab" + "ab" * 3, "one turn to warm up"
    assert list(times) == ["a", "b"]
    assert all(seconds >= 0 for seconds in times.values())


def test_a_result_keeps_where_it_comes_from(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(record, "ROOT", tmp_path)
    monkeypatch.setattr(record, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(
        sys, "argv", ["/somewhere/benchmarks/speed.py", "--size", "base"]
    )
    record.save("speed_base", {"rows": []})
    assert capsys.readouterr().out == "written: results/speed_base.json\n"
    found = json.loads((tmp_path / "results" / "speed_base.json").read_text())
    assert found["command"] == "python benchmarks/speed.py --size base"
    assert set(found) == {
        *("command", "date", "commit", "device", "threads", "versions", "result")
    }


def test_every_stored_result_names_its_commit_and_no_machine():
    for path in sorted(Path(record.RESULTS).glob("*.json")):
        found = json.loads(path.read_text())
        assert found["commit"] != "unknown", path.name
        assert str(nbfiles.ROOT) not in path.read_text(), path.name
