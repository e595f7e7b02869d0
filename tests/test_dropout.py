"""Dropout drops the share it is told, to the digit, and rests in evaluation."""

import pytest
import torch

from tt_utils.blocks.dropout import Dropout, random_bytes

MANY = 400_009  # enough for shares to be exact to a few thousandths
shares = pytest.mark.parametrize("p", [0.1, 0.3, 0.5, 0.9])


@pytest.fixture(autouse=True)
def _seeded():
    torch.manual_seed(0)


def scale_of(p):
    return 256 / (256 - round(256 * p))


@shares
def test_dropout_drops_the_share_p_and_keeps_the_mean(p):
    out = Dropout(p)(torch.ones(MANY))
    assert (out == 0).double().mean().item() == pytest.approx(p, abs=0.005)
    assert out.double().mean().item() == pytest.approx(1, abs=0.02)


def test_every_feature_is_dropped_as_often_and_apart_from_its_neighbours():
    """Eight features share a random number: neither place nor neighbour may show."""
    p, gone = 0.3, Dropout(0.3)(torch.ones(MANY)) == 0
    places = gone[: MANY // 8 * 8].view(-1, 8).double()
    torch.testing.assert_close(
        places.mean(0), torch.full((8,), p).double(), atol=0.01, rtol=0
    )
    for step in range(1, 17):
        both = (gone[step:] & gone[:-step]).double().mean()
        assert both.item() == pytest.approx(p**2, abs=0.005)


def test_random_bytes_take_all_256_values_as_often():
    counts = random_bytes(torch.empty(256 * 1_000)).flatten().bincount(minlength=256)
    assert counts.shape == (256,)
    assert 800 < counts.min() <= counts.max() < 1_200


@shares
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_what_survives_is_scaled_to_the_digit_and_so_is_its_gradient(p, dtype):
    x = torch.randn(1009, dtype=dtype, requires_grad=True)
    out = Dropout(p)(x)
    (gradient,) = torch.autograd.grad(out.sum(), x)
    assert out.dtype == gradient.dtype == dtype
    lives = out != 0
    assert 0 < lives.sum() < x.numel()
    assert torch.equal(out[lives], x[lives] * scale_of(p))
    assert torch.equal(gradient, lives.to(dtype) * scale_of(p))


@shares
def test_half_precision_keeps_the_mean(p):
    """A scale that is rounded to bfloat16 would shift it by up to 0.3 %."""
    x = (1 + torch.rand(1_000_003)).bfloat16()
    out = Dropout(p)(x)
    lives = out != 0
    found = out[lives].double().mean() / x[lives].double().mean()
    assert found.item() == pytest.approx(scale_of(p), rel=3e-4)


def test_nothing_is_dropped_in_place():
    with pytest.raises(TypeError, match="inplace"):
        Dropout(0.5, inplace=True)


@pytest.mark.parametrize("p", [0.0, 0.1, 1.0])
def test_dropout_rests_in_evaluation(p):
    x = torch.randn(3, 7, 11, dtype=torch.float64)
    assert torch.equal(Dropout(p).eval()(x), x)


def test_dropping_nothing_and_dropping_all_are_exact():
    x = torch.randn(3, 7, 11, dtype=torch.float64, requires_grad=True)
    assert torch.equal(Dropout(0.0)(x), x)
    out = Dropout(1.0)(x)
    assert not out.any()
    (gradient,) = torch.autograd.grad(out.sum(), x)
    assert not gradient.any()


@pytest.mark.parametrize("p", [0.001, 0.999])
def test_a_share_too_small_for_a_byte_is_left_to_pytorch(p):
    out = Dropout(p)(torch.ones(MANY))
    assert (out == 0).double().mean().item() == pytest.approx(p, abs=0.0005)
    assert out.max().item() == pytest.approx(1 / (1 - p))


def test_the_same_seed_drops_the_same():
    dropout, x = Dropout(0.5), torch.ones(1009)
    outs = []
    for seed in (3, 3, 4):
        torch.manual_seed(seed)
        outs.append(dropout(x))
    assert torch.equal(outs[0], outs[1])
    assert not torch.equal(outs[0], outs[2])
    assert not torch.equal(dropout(x), dropout(x))


@pytest.mark.parametrize(
    "shape", [(), (1,), (7,), (8,), (9,), (3, 5, 11), (0, 3)], ids=str
)
def test_dropout_takes_any_shape(shape):
    out = Dropout(0.5)(torch.ones(shape))
    assert out.shape == shape
    assert ((out == 0) | (out == 2)).all()


def test_dropout_takes_what_does_not_lie_in_one_piece():
    x = torch.randn(11, 7, 5)[::2].transpose(0, 2)
    out = Dropout(0.5)(x)
    lives = out != 0
    assert torch.equal(out[lives], 2 * x[lives])


def test_other_devices_use_pytorchs_own_and_a_cpu_does_not(monkeypatch):
    used = []
    monkeypatch.setattr(torch.nn.Dropout, "forward", lambda _, x: used.append(x) or x)
    for device in ("meta", "cpu"):
        Dropout(0.1)(torch.ones(3, device=device))
    assert [x.device.type for x in used] == ["meta"]


def test_the_compiler_gets_pytorchs_own(monkeypatch):
    """It fails on bytes that are a view of other numbers."""
    monkeypatch.setattr(torch.compiler, "is_compiling", lambda: True)
    torch.manual_seed(1)
    ours = Dropout(0.3)(torch.ones(64))
    torch.manual_seed(1)
    torch.testing.assert_close(ours, torch.nn.functional.dropout(torch.ones(64), 0.3))
