"""The fused loss equals PyTorch's two steps, to the last gradient."""

import math

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from tt_utils.blocks import cross_entropy as module
from tt_utils.blocks.cross_entropy import linear_cross_entropy

N, D_MODEL, VOCAB = 23, 7, 17


@pytest.fixture(autouse=True)
def _seeded():
    torch.manual_seed(0)


def inputs(dtype=torch.float64):
    x = torch.randn(N, D_MODEL, dtype=dtype, requires_grad=True)
    weight = torch.randn(VOCAB, D_MODEL, dtype=dtype, requires_grad=True)
    return x, weight, torch.randint(VOCAB, (N,))


def in_two_steps(x, weight, labels, smoothing):
    return F.cross_entropy(x @ weight.T, labels, label_smoothing=smoothing)


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.9])
@pytest.mark.parametrize("logits", [1, 5 * VOCAB, 10**6], ids="{} at once".format)
def test_loss_and_gradients_equal_pytorch(monkeypatch, smoothing, logits):
    monkeypatch.setitem(module.LOGITS_AT_ONCE, "cpu", logits)
    x, weight, labels = inputs()
    found = linear_cross_entropy(x, weight, labels, smoothing)
    wanted = in_two_steps(x, weight, labels, smoothing)
    torch.testing.assert_close(found, wanted, atol=1e-12, rtol=0)
    # Times 3: what follows the loss scales its gradients.
    torch.testing.assert_close(
        torch.autograd.grad(3 * found, (x, weight)),
        torch.autograd.grad(3 * wanted, (x, weight)),
        atol=1e-12,
        rtol=0,
    )


def test_the_smoothed_loss_by_hand():
    x, weight, labels = inputs()
    log_p = (x @ weight.T).log_softmax(dim=-1).detach()
    total = 0.0
    for row, true in zip(log_p, labels, strict=True):
        for word in range(VOCAB):
            share = 0.1 / VOCAB + 0.9 * (word == int(true))
            total -= share * float(row[word])
    found = linear_cross_entropy(x, weight, labels, 0.1)
    assert found.item() == pytest.approx(total / N, abs=1e-12)


def test_large_logits_neither_overflow_nor_vanish():
    x, weight, labels = inputs()
    found = linear_cross_entropy(1e4 * x, weight, labels)
    wanted = in_two_steps(1e4 * x, weight, labels, 0.0)
    assert math.isfinite(found.item())
    torch.testing.assert_close(found, wanted)


@pytest.mark.parametrize("half", [torch.bfloat16, torch.float16], ids=str)
def test_half_precision_products_are_summed_in_full_precision(half):
    x, weight, labels = inputs(torch.float32)
    found = linear_cross_entropy(x.to(half), weight, labels, 0.1)
    assert found.dtype == torch.float32
    wanted = in_two_steps(x, weight, labels, 0.1)
    assert found.item() == pytest.approx(wanted.item(), rel=0.01)
    for ours, exact in zip(
        torch.autograd.grad(found, (x, weight)),
        torch.autograd.grad(wanted, (x, weight)),
        strict=True,
    ):
        assert ours.dtype == torch.float32
        assert (ours - exact).norm() < 0.02 * exact.norm()


def test_without_gradients_to_find_only_the_loss_is_computed(monkeypatch):
    monkeypatch.setattr(torch, "empty_like", None)
    x, weight, labels = inputs()
    with torch.no_grad():
        found = linear_cross_entropy(x, weight, labels)
    wanted = in_two_steps(x, weight, labels, 0.0)
    torch.testing.assert_close(found, wanted)
    assert not found.requires_grad


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_autocast_casts_x_and_nothing_else(smoothing):
    x, weight, labels = inputs(torch.float32)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = linear_cross_entropy(x, weight, labels, smoothing)
        exact = in_two_steps(x, weight, labels, smoothing)
    wanted = linear_cross_entropy(x.bfloat16(), weight, labels, smoothing)
    assert found.dtype == torch.float32
    assert torch.equal(found, wanted)
    assert found.item() == pytest.approx(exact.item(), rel=0.01)
    for ours, same in zip(
        torch.autograd.grad(found, (x, weight)),
        torch.autograd.grad(wanted, (x, weight)),
        strict=True,
    ):
        assert ours.dtype == torch.float32
        assert torch.equal(ours, same)


@pytest.mark.parametrize("frozen", [0, 1])
def test_one_of_the_two_may_be_frozen(frozen):
    *leaves, labels = inputs()
    leaves[frozen].requires_grad_(False)
    learns = leaves[1 - frozen]
    found = linear_cross_entropy(*leaves, labels, 0.1)
    wanted = in_two_steps(*leaves, labels, 0.1)
    torch.testing.assert_close(
        torch.autograd.grad(found, learns), torch.autograd.grad(wanted, learns)
    )


def test_pytorchs_own_still_holds_all_logits_where_labels_are_smoothed():
    """Fails when that changes: then the docstring is wrong, and ours may go."""
    x, weight, labels = inputs(torch.float32)
    in_groups = nn.LinearCrossEntropyOptions()
    plain = F.linear_cross_entropy(x, weight, labels, options=in_groups)
    torch.testing.assert_close(plain, in_two_steps(x, weight, labels, 0.0))
    with pytest.warns(UserWarning, match="label_smoothing == 0"):
        F.linear_cross_entropy(
            x, weight, labels, options=in_groups, label_smoothing=0.1
        )


def test_no_rows_are_refused():
    x, weight, labels = inputs()
    with pytest.raises(ValueError, match=r"^linear_cross_entropy: x has no rows; "):
        linear_cross_entropy(x[:0], weight, labels[:0])
