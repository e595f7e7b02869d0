"""What a cell far above has set changes no verdict, and is set afterwards, too."""

import numpy as np
import pytest
import torch

from tt_utils.grading import check
from tt_utils.grading.judging.known_answers import answers_in
from tt_utils.grading.observing import in_process
from tt_utils.grading.tasks import find

pytestmark = pytest.mark.slow


@pytest.fixture(params=["process", "thread"])
def way(request, monkeypatch):
    if request.param == "thread":
        monkeypatch.setattr(in_process, "is_possible", lambda: False)


@pytest.mark.usefixtures("way")
def test_gradients_that_were_switched_off():
    task = find("13.2")
    torch.set_grad_enabled(False)
    try:
        result = check("13.2", *answers_in(task, task.right[0]))
        assert not torch.is_grad_enabled()
    finally:
        torch.set_grad_enabled(True)
    assert result, result


@pytest.mark.usefixtures("way")
def test_another_default_dtype():
    task = find("13.2")
    torch.set_default_dtype(torch.float64)
    try:
        result = check("13.2", *answers_in(task, task.right[0]))
        assert torch.get_default_dtype() == torch.float64
    finally:
        torch.set_default_dtype(torch.float32)
    assert result, result


def test_a_value_that_says_it_is_coarse_is_held_to_its_own_steps():
    """Rounded to bfloat16 it may be; near it by as much it may not."""
    right = torch.tensor([1 / 7, 2 / 7, 4 / 7]).bfloat16(), 9
    assert check("05.5", *right)
    assert not check("05.5", right[0] * 1.016, 9)
    assert not check("05.5", np.array([1 / 7, 2 / 7, 4 / 7]) * 1.016, 9)
