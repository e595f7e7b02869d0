"""Sinusoidal positions: their values, and that a step is a rotation."""

import math

import numpy as np
import pytest
import torch

from tt_utils import reference
from tt_utils.positions import SinusoidalPositions, sinusoidal_positions

BATCH, T, D_MODEL = 3, 7, 22


def test_position_zero_and_one_have_their_closed_form():
    table = sinusoidal_positions(2, 4)
    assert table[0].tolist() == [0, 1, 0, 1]
    wanted = [math.sin(1), math.cos(1), math.sin(0.01), math.cos(0.01)]
    assert table[1].tolist() == pytest.approx(wanted, abs=1e-7)


@pytest.mark.parametrize("d_model", [2, 22, 512])
def test_positions_equal_the_oracle(d_model):
    oracle = reference.sinusoidal_positions(512, d_model)
    ours = sinusoidal_positions(512, d_model)
    np.testing.assert_allclose(ours.numpy(), oracle, atol=1e-4)


def test_the_clock_hands_go_from_one_turn_in_2_pi_to_one_in_10_000_of_them():
    d_model = 512
    slowest = sinusoidal_positions(2, d_model)[1, -2]
    assert slowest == pytest.approx(10_000 ** -((d_model - 2) / d_model), rel=1e-5)


@pytest.mark.parametrize("step", [1, 5])
def test_a_step_of_any_position_is_one_and_the_same_rotation(step):
    table = sinusoidal_positions(40 + step, D_MODEL).double().unflatten(1, (-1, 2))
    angles = step * 10_000 ** (-torch.arange(0, D_MODEL, 2).double() / D_MODEL)
    sin, cos = angles.sin(), angles.cos()
    # (sin a, cos a) turned by an angle b gives (sin(a+b), cos(a+b)).
    rotation = torch.stack((cos, sin, -sin, cos), dim=-1).unflatten(-1, (2, 2))
    turned = torch.einsum("fij,pfj->pfi", rotation, table[:40])
    torch.testing.assert_close(turned, table[step:], atol=1e-5, rtol=0)


def test_every_position_differs_from_every_other():
    table = sinusoidal_positions(512, 32)
    distance = torch.cdist(table, table) + 9 * torch.eye(512)
    assert distance.min() > 0.1


def test_an_odd_width_is_refused():
    message = r"^sinusoidal_positions: d_model=5 must be even\.$"
    with pytest.raises(ValueError, match=message):
        sinusoidal_positions(3, 5)


def test_each_token_gets_the_row_of_its_position():
    positions = SinusoidalPositions(D_MODEL, max_len=11)
    x = torch.randn(BATCH, T, D_MODEL)
    added = positions(x) - x
    table = sinusoidal_positions(T, D_MODEL)
    torch.testing.assert_close(added, table.expand_as(added), atol=1e-6, rtol=0)


def test_a_sentence_of_max_len_fits_and_one_more_is_refused():
    positions = SinusoidalPositions(2, max_len=4)
    assert positions(torch.zeros(1, 4, 2)).shape == (1, 4, 2)
    with pytest.raises(ValueError, match="has 5 tokens, max_len is 4; build the model"):
        positions(torch.zeros(1, 5, 2))


def test_nothing_is_learned_or_stored_but_it_moves_with_the_model():
    positions = SinusoidalPositions(2, max_len=4)
    assert not list(positions.parameters())
    assert not positions.state_dict()
    assert positions.to("meta").table.device.type == "meta"
    assert SinusoidalPositions(2, max_len=4).double().table.dtype == torch.float64
