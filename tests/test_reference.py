"""The NumPy oracle: checked by hand, and against PyTorch's own functions."""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from tt_utils import reference

AXES, T_Q, T_K, D_K, D_V = (2, 3), 5, 7, 11, 13


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def test_dot_by_hand():
    assert reference.dot(np.array([1.0, 2.0, 3.0]), np.array([4.0, -5.0, 6.0])) == 12.0


def test_dot_names_both_lengths(monkeypatch):
    monkeypatch.setattr("jaxtyping.config.jaxtyping_disable", True)
    with pytest.raises(ValueError, match=r"^dot: u has 2 numbers, v has 3\.$"):
        reference.dot(np.ones(2), np.ones(3))


@pytest.mark.parametrize(
    ("u", "v", "cosine"),
    [
        ([3.0, 4.0], [30.0, 40.0], 1.0),
        ([3.0, 4.0], [-6.0, -8.0], -1.0),
        ([3.0, 4.0], [4.0, -3.0], 0.0),
        ([1.0, 0.0], [1.0, 1.0], math.sqrt(0.5)),
    ],
)
def test_cosine_compares_directions_only(u, v, cosine):
    found = reference.cosine_similarity(np.array(u), np.array(v))
    assert found == pytest.approx(cosine, abs=1e-15)


def test_cosine_of_a_zero_vector_is_refused():
    with pytest.raises(ValueError, match="a zero vector points nowhere"):
        reference.cosine_similarity(np.zeros(2), np.ones(2))


def test_softmax_by_hand():
    scores = np.log([[1.0, 2.0, 3.0], [4.0, 4.0, 4.0]])
    weights = [[1 / 6, 2 / 6, 3 / 6], [1 / 3, 1 / 3, 1 / 3]]
    np.testing.assert_allclose(reference.softmax(scores), weights, atol=1e-15)


def test_softmax_equals_pytorch_on_the_last_axis(rng):
    scores = 100 * rng.normal(size=(*AXES, T_Q, T_K))
    theirs = torch.from_numpy(scores).softmax(-1).numpy()
    np.testing.assert_allclose(reference.softmax(scores), theirs, atol=1e-14)


def test_softmax_survives_huge_scores():
    weights = reference.softmax(np.array([1e6, 1e6 + 1, -1e6]))
    np.testing.assert_allclose(weights, [1 / (1 + math.e), math.e / (1 + math.e), 0])


def test_softmax_of_nothing_to_choose_from_is_zero():
    scores = np.array([[-np.inf, -np.inf], [-np.inf, 2.0]])
    assert reference.softmax(scores).tolist() == [[0.0, 0.0], [0.0, 1.0]]


def test_softmax_does_not_hide_what_is_no_number():
    assert np.isnan(reference.softmax(np.array([np.nan, 1.0]))).all()


def test_attention_by_hand():
    # The query answers the second key by ln 3 more: weights 1/4 and 3/4.
    q = np.array([[2.0, 0.0, 0.0, 0.0]])
    k = np.array([[0.0, 9.0, 0.0, 0.0], [math.log(3), 0.0, 9.0, 0.0]])
    v = np.array([[8.0, 0.0], [0.0, 4.0]])
    out, weights = reference.scaled_dot_product_attention(q, k, v)
    np.testing.assert_allclose(weights, [[0.25, 0.75]], atol=1e-15)
    np.testing.assert_allclose(out, [[2.0, 3.0]], atol=1e-15)


@pytest.mark.parametrize("masked", [False, True])
def test_attention_equals_pytorch(rng, masked):
    q = rng.normal(size=(*AXES, T_Q, D_K))
    k = rng.normal(size=(*AXES, T_K, D_K))
    v = rng.normal(size=(*AXES, T_K, D_V))
    mask = rng.random((*AXES, T_Q, T_K)) < 0.6 if masked else None
    if masked:
        mask[..., 0] = True
    out, weights = reference.scaled_dot_product_attention(q, k, v, mask)
    theirs = F.scaled_dot_product_attention(
        *map(torch.from_numpy, (q, k, v)), None if mask is None else torch.tensor(mask)
    )
    np.testing.assert_allclose(out, theirs.numpy(), atol=1e-13)
    np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-14)


def test_attention_gives_zeros_where_nothing_may_be_seen(rng):
    q, k, v = (rng.normal(size=(T_K, D_K)) for _ in range(3))
    mask = np.ones((T_K, T_K), dtype=bool)
    mask[2] = False
    out, weights = reference.scaled_dot_product_attention(q, k, v, mask)
    assert not out[2].any()
    assert not weights[2].any()
    assert out[[0, 1, 3, 4, 5, 6]].all()


@pytest.mark.parametrize("spread", [1.0, 1e-3])
def test_layer_norm_equals_pytorch(rng, spread):
    """A spread of 0.001 shows whether eps is added where PyTorch adds it."""
    x = spread * rng.normal(size=(*AXES, T_Q, D_K)) + 5
    gain, bias = rng.normal(size=D_K), rng.normal(size=D_K)
    theirs = F.layer_norm(
        torch.from_numpy(x), (D_K,), torch.tensor(gain), torch.tensor(bias)
    )
    ours = reference.layer_norm(x, gain, bias)
    np.testing.assert_allclose(ours, theirs.numpy(), atol=1e-10)


def test_positions_have_their_closed_form():
    table = reference.sinusoidal_positions(101, 4)
    assert table.shape == (101, 4)
    assert table[0].tolist() == [0.0, 1.0, 0.0, 1.0]
    # With four features the second pair of hands is a hundred times slower.
    assert table[1] == pytest.approx(
        [math.sin(1), math.cos(1), math.sin(0.01), math.cos(0.01)]
    )
    assert table[100] == pytest.approx(
        [math.sin(100), math.cos(100), math.sin(1), math.cos(1)]
    )
