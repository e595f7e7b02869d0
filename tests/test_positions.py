"""Every kind of positions: its values, and what it lets a model tell apart."""

import math

import numpy as np
import pytest
import torch

from tt_utils import reference
from tt_utils.blocks.positions import (
    AlibiPositions,
    LearnedPositions,
    NoPositions,
    RelativePositions,
    RotaryPositions,
    SinusoidalPositions,
    absolute_positions,
    alibi_slopes,
    relative_positions,
    sinusoidal_positions,
)

BATCH, HEADS, T, D_MODEL, MAX_LEN = 3, 5, 7, 22, 13
# Rotary pairs share the sinusoids' table, which is kept in single precision.
SINGLE = {"atol": 1e-5, "rtol": 0}


@pytest.fixture(autouse=True)
def _seeded():
    torch.manual_seed(0)


# Sinusoidal


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


def test_nothing_is_learned_or_stored_but_it_moves_with_the_model():
    positions = SinusoidalPositions(2, max_len=4)
    assert not list(positions.parameters())
    assert not positions.state_dict()
    assert positions.to("meta").table.device.type == "meta"
    assert SinusoidalPositions(2, max_len=4).double().table.dtype == torch.float64


# Learned


def test_a_learned_row_is_added_to_the_token_at_its_position():
    positions = LearnedPositions(D_MODEL, MAX_LEN).double()
    x = torch.randn(BATCH, T, D_MODEL, dtype=torch.float64)
    wanted = x + positions.table[:T]
    torch.testing.assert_close(positions(x), wanted, atol=1e-10, rtol=0)


def test_only_rows_that_a_sentence_reaches_learn():
    positions = LearnedPositions(D_MODEL, MAX_LEN)
    x = torch.randn(BATCH, T, D_MODEL)
    positions(x, start=2).sum().backward()
    learns = positions.table.grad.any(1)
    assert learns.tolist() == [False] * 2 + [True] * T + [False] * (MAX_LEN - T - 2)
    assert (positions.table.grad[2 : 2 + T] == BATCH).all()


def test_learned_rows_are_stored_and_start_with_length_one():
    positions = LearnedPositions(101, 1009)
    assert positions.state_dict().keys() == {"table"}
    length = positions.table.detach().norm(dim=1)
    assert length.mean().item() == pytest.approx(1, abs=0.02)


# Both tables

both_tables = pytest.mark.parametrize("kind", [SinusoidalPositions, LearnedPositions])


@both_tables
def test_a_later_start_takes_later_rows(kind):
    positions = kind(D_MODEL, MAX_LEN)
    x = torch.randn(BATCH, T, D_MODEL)
    whole = positions(x)
    for start in range(T):
        assert torch.equal(positions(x[:, start:], start), whole[:, start:])


@both_tables
def test_a_sentence_of_max_len_fits_and_one_more_is_refused(kind):
    positions = kind(2, max_len=4)
    assert positions(torch.zeros(1, 4, 2)).shape == (1, 4, 2)
    assert positions(torch.zeros(1, 1, 2), start=3).shape == (1, 1, 2)
    message = (
        rf"^{kind.__name__}: the sentence has 5 tokens, max_len is 4; build the model "
        r"with a larger max_len\.$"
    )
    for t, start in ((5, 0), (1, 4), (2, 3)):
        with pytest.raises(ValueError, match=message):
            positions(torch.zeros(1, t, 2), start)


# Rotary


def some_heads(t=T, dtype=torch.float64):
    return torch.randn(BATCH, HEADS, t, D_MODEL, dtype=dtype)


def rotary():
    return RotaryPositions(D_MODEL, MAX_LEN).double()


@pytest.mark.parametrize("start", [0, 4])
def test_rotary_multiplies_each_pair_by_a_complex_number_of_length_one(start):
    x = some_heads()
    speeds = 10_000 ** (-torch.arange(0, D_MODEL, 2).double() / D_MODEL)
    angles = torch.arange(start, start + T)[:, None] * speeds
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)))
    turned = pairs * torch.polar(torch.ones_like(angles), angles)
    wanted = torch.view_as_real(turned).flatten(-2)
    torch.testing.assert_close(rotary().rotate(x, start), wanted, **SINGLE)


def test_rotary_keeps_the_length_of_each_pair():
    x = some_heads()
    before = x.unflatten(-1, (-1, 2)).norm(dim=-1)
    after = rotary().rotate(x, 0).unflatten(-1, (-1, 2)).norm(dim=-1)
    torch.testing.assert_close(after, before, **SINGLE)


def test_rotary_leaves_position_zero_as_it_is_and_no_other():
    x = some_heads()
    turned = rotary().rotate(x, 0)
    assert torch.equal(turned[:, :, 0], x[:, :, 0])
    assert (turned[:, :, 1:] != x[:, :, 1:]).all()


def test_after_rotation_q_k_depends_on_the_distance_and_on_nothing_else():
    positions = rotary()
    q, k = some_heads(1), some_heads(1)

    def product(place_q, place_k):
        turned = positions.rotate(q, place_q), positions.rotate(k, place_k)
        return (turned[0] * turned[1]).sum(-1)

    for distance in range(-4, 5):
        wanted = product(4 + distance, 4)
        for shift in (-4, 1, 4):
            if 0 <= 4 + distance + shift < MAX_LEN:
                found = product(4 + distance + shift, 4 + shift)
                torch.testing.assert_close(found, wanted, **SINGLE)
        if distance:
            assert ((wanted - product(4, 4)).abs() > 1e-3).all()


def test_rotary_from_a_later_start_is_a_slice_of_the_whole():
    x = some_heads()
    whole = rotary().rotate(x, 0)
    for start in range(T):
        assert torch.equal(rotary().rotate(x[:, :, start:], start), whole[:, :, start:])


@pytest.mark.parametrize(("t", "start"), [(MAX_LEN + 1, 0), (1, MAX_LEN), (T, T)])
def test_rotary_refuses_a_sentence_longer_than_its_table(t, start):
    message = (
        rf"^RotaryPositions: the sentence has {t + start} tokens, max_len is "
        rf"{MAX_LEN}; build the model with a larger max_len\.$"
    )
    assert rotary().rotate(some_heads(MAX_LEN), 0).shape[-2] == MAX_LEN
    with pytest.raises(ValueError, match=message):
        rotary().rotate(some_heads(t), start)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_rotary_keeps_half_precision_and_stays_close(dtype):
    x = some_heads()
    turned = RotaryPositions(D_MODEL, MAX_LEN).rotate(x.to(dtype), 0)
    assert turned.dtype == dtype
    torch.testing.assert_close(
        turned.double(), rotary().rotate(x, 0), atol=0.05, rtol=0
    )


@pytest.mark.parametrize("base", [10_000.0, 500_000.0, 101.0])
def test_the_base_sets_how_fast_each_pair_turns(base):
    x = some_heads()
    speeds = base ** (-torch.arange(0, D_MODEL, 2).double() / D_MODEL)
    angles = torch.arange(T)[:, None] * speeds
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)))
    turned = pairs * torch.polar(torch.ones_like(angles), angles)
    wanted = torch.view_as_real(turned).flatten(-2)
    positions = relative_positions("rotary", HEADS * D_MODEL, HEADS, MAX_LEN, base)
    torch.testing.assert_close(positions.rotate(x, 0), wanted, **SINGLE)


# ALiBi


def published_slopes(n_heads: int) -> list[float]:
    """The authors' own program, from their repository, with other names."""

    def power_of_two(n):
        start = 2 ** (-(2 ** -(math.log2(n) - 3)))
        return [start * start**i for i in range(n)]

    if math.log2(n_heads).is_integer():
        return power_of_two(n_heads)
    smaller = 2 ** math.floor(math.log2(n_heads))
    more = published_slopes(2 * smaller)[0::2]
    return power_of_two(smaller) + more[: n_heads - smaller]


def test_eight_slopes_halve_from_a_half_to_a_256th():
    assert alibi_slopes(8).tolist() == [2.0**-i for i in range(1, 9)]


def test_twelve_slopes_are_the_eight_and_four_between():
    slopes = alibi_slopes(12).tolist()
    assert slopes[:8] == [2.0**-i for i in range(1, 9)]
    assert slopes[8:] == pytest.approx([2**-0.5, 2**-1.5, 2**-2.5, 2**-3.5], rel=1e-6)


@pytest.mark.parametrize("n_heads", [1, 2, 3, 4, 5, 6, 7, 11, 13, 16, 17, 31, 32])
def test_slopes_are_those_of_the_authors_program(n_heads):
    slopes = alibi_slopes(n_heads)
    assert slopes.shape == (n_heads,)
    assert slopes.tolist() == pytest.approx(published_slopes(n_heads), rel=1e-6)


def test_the_bias_is_minus_slope_times_distance():
    bias = AlibiPositions(HEADS).bias(T, T)
    assert bias.shape == (HEADS, T, T)
    for head, slope in enumerate(alibi_slopes(HEADS).tolist()):
        for i in range(T):
            for j in range(T):
                wanted = -slope * abs(i - j)
                assert bias[head, i, j].item() == pytest.approx(wanted, rel=1e-6)


def test_queries_are_the_last_of_the_keys():
    positions = AlibiPositions(HEADS)
    whole = positions.bias(T, T)
    for t_q in range(1, T + 1):
        assert torch.equal(positions.bias(t_q, T), whole[:, T - t_q :])


def test_alibi_takes_a_sentence_of_any_length():
    bias = AlibiPositions(HEADS).bias(1, 5_003)
    assert bias[1, 0, 0] == -alibi_slopes(HEADS)[1] * 5_002


# All kinds


@pytest.mark.parametrize(
    ("kind", "added", "inside"),
    [
        ("sinusoidal", SinusoidalPositions, RelativePositions),
        ("learned", LearnedPositions, RelativePositions),
        ("rotary", NoPositions, RotaryPositions),
        ("alibi", NoPositions, AlibiPositions),
        ("none", NoPositions, RelativePositions),
    ],
)
def test_a_kind_acts_in_one_place_and_leaves_the_other_alone(kind, added, inside):
    assert type(absolute_positions(kind, D_MODEL, MAX_LEN)) is added
    relative = relative_positions(kind, 2 * HEADS, HEADS, MAX_LEN)
    assert type(relative) is inside
    x = torch.randn(BATCH, HEADS, T, 2)
    assert (relative.rotate(x, 3) is x) == (kind != "rotary")
    assert (relative.bias(T, T) is None) == (kind != "alibi")


def test_no_positions_add_nothing():
    x = torch.randn(BATCH, T, D_MODEL)
    assert NoPositions()(x, start=3) is x


@pytest.mark.parametrize("kind", ["rotary", "alibi"])
def test_relative_positions_store_nothing_but_move_with_the_model(kind):
    positions = relative_positions(kind, 2 * HEADS, HEADS, MAX_LEN)
    assert not list(positions.parameters())
    assert not positions.state_dict()
    (buffer,) = positions.double().buffers()
    assert buffer.dtype == torch.float64
    (buffer,) = positions.to("meta").buffers()
    assert buffer.device.type == "meta"


def test_rotary_features_must_pair_up():
    with pytest.raises(ValueError, match=r"^RotaryPositions: a head has 11 features, "):
        RotaryPositions(11, max_len=3)
