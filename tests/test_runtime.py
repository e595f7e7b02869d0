"""Seeds, device, budget and recorded values."""

import random

import IPython.display
import numpy as np
import pytest
import torch

from tt_utils import runtime


def test_a_seed_fixes_all_three_sources_of_chance():
    def drawn(seed):
        runtime.seed_everything(seed)
        fresh = np.random.random()  # noqa: NPY002 - the old API is seeded too
        return random.random(), fresh, torch.rand(1).item()

    first = drawn(3)
    assert drawn(3) == first
    assert all(a != b for a, b in zip(drawn(4), first, strict=True))


@pytest.mark.parametrize(
    ("cuda", "mps", "name"),
    [(True, False, "cuda"), (False, True, "mps"), (False, False, "cpu")],
)
def test_the_fastest_device_is_named(monkeypatch, cuda, mps, name):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)
    assert runtime.device() == name


def test_the_budget_is_quick_unless_chosen(monkeypatch):
    monkeypatch.delenv("TT_BUDGET", raising=False)
    assert runtime.budget() == "quick"
    monkeypatch.setenv("TT_BUDGET", "full")
    assert runtime.budget() == "full"


def test_an_unknown_budget_is_named_with_the_way_out(monkeypatch):
    monkeypatch.setenv("TT_BUDGET", "large")
    message = r"^TT_BUDGET is 'large'; set it to 'quick' or 'full'\.$"
    with pytest.raises(ValueError, match=message):
        runtime.budget()


def test_tell_records_values_and_shows_nothing(monkeypatch):
    shown = []
    monkeypatch.setattr(
        IPython.display, "display", lambda data, raw: shown.append((data, raw))
    )
    runtime.tell(score="24.00", steps="150")
    values = {"score": "24.00", "steps": "150"}
    assert shown == [({"application/vnd.tt-values+json": values}, True)]


# Devices and precisions


def pretend_gpus(monkeypatch, number, native=True):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: number > 0)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: number)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda **_: native)


def test_each_process_of_torchrun_gets_its_own_gpu(monkeypatch):
    pretend_gpus(monkeypatch, 2)
    monkeypatch.delenv("LOCAL_RANK", raising=False)
    assert runtime.device() == "cuda"
    monkeypatch.setenv("LOCAL_RANK", "1")
    assert runtime.device() == "cuda:1"


def test_more_processes_than_gpus_are_refused(monkeypatch):
    pretend_gpus(monkeypatch, 2)
    monkeypatch.setenv("LOCAL_RANK", "2")
    with pytest.raises(runtime.DeviceError) as caught:
        runtime.device()
    assert str(caught.value) == (
        "torchrun started process 2, counted from 0, for 2 GPUs; "
        "ask for --nproc-per-node 2."
    )


@pytest.mark.parametrize(
    ("device", "native", "wanted"),
    [("cuda:1", True, "bf16"), ("cuda", False, "fp16"), ("mps", True, "fp32")],
)
def test_a_gpu_computes_in_the_precision_it_was_built_for(
    monkeypatch, device, native, wanted
):
    pretend_gpus(monkeypatch, 2, native)
    assert runtime.fast_precision(device) == wanted


@pytest.mark.parametrize(("half", "wanted"), [(1.0, "bf16"), (2.9, "fp32")])
def test_a_cpu_computes_in_half_precision_where_that_pays(monkeypatch, half, wanted):
    times = {torch.float32: 3.0, torch.bfloat16: half}
    monkeypatch.setattr(runtime, "seconds_of_product", lambda x: times[x.dtype])
    assert runtime.fast_precision("cpu") == wanted


def test_a_product_takes_time():
    assert 0 < runtime.seconds_of_product(torch.ones(64, 64)) < 1
