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
