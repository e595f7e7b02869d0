"""Seeds, devices, precisions and recorded values."""

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
    assert runtime.best_device() == torch.device(name)


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
    assert runtime.best_device() == torch.device("cuda")
    monkeypatch.setenv("LOCAL_RANK", "1")
    assert runtime.best_device() == torch.device("cuda:1")


def test_more_processes_than_gpus_are_refused(monkeypatch):
    pretend_gpus(monkeypatch, 2)
    monkeypatch.setenv("LOCAL_RANK", "2")
    with pytest.raises(runtime.DeviceError) as caught:
        runtime.best_device()
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
    assert runtime.fast_precision(torch.device(device)) == wanted


@pytest.mark.parametrize("device", ["cpu", torch.device("cpu")])
@pytest.mark.parametrize(
    ("has", "wanted"),
    [
        ({"avx512_bf16": False, "amx_bf16": True}, "bf16"),
        ({"avx512_bf16": True, "amx_bf16": False}, "bf16"),
        ({"avx512_bf16": False, "amx_bf16": False, "avx512_fp16": True}, "fp32"),
        ({"neon": True}, "fp32"),
    ],
)
def test_a_cpu_computes_in_half_precision_where_it_was_built_for_it(
    monkeypatch, device, has, wanted
):
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: has, raising=False)
    assert runtime.fast_precision(device) == wanted


def test_a_pytorch_that_does_not_know_its_cpu_computes_in_full_precision(monkeypatch):
    monkeypatch.delattr(torch.cpu, "get_capabilities", raising=False)
    assert runtime.fast_precision("cpu") == "fp32"


def test_the_capabilities_are_still_named_so():
    if torch.cpu.get_capabilities()["architecture"] != "x86_64":
        pytest.skip("needs x86")
    assert {"amx_bf16", "avx512_bf16"} <= set(torch.cpu.get_capabilities())
