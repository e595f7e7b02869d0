"""Attention equals PyTorch's own, looks where it may, and nowhere else."""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from pytorch_modules import TOLERANCE, as_pytorch, count, gradients
from torch import nn

from tt_utils import reference
from tt_utils.blocks.attention import (
    MultiHeadAttention,
    fused_attention,
    scaled_dot_product_attention,
)
from tt_utils.blocks.cache import KeyValueCache
from tt_utils.blocks.masks import causal_mask, join_masks
from tt_utils.blocks.positions import relative_positions

BATCH, HEADS, T_Q, T_K, D_K, D_V = 2, 3, 5, 7, 11, 13
D_MODEL = HEADS * D_K
HALF = [torch.float16, torch.bfloat16]


@pytest.fixture(autouse=True)
def _seeded():
    torch.manual_seed(0)


def qkv(dtype=torch.float64):
    shapes = (T_Q, D_K), (T_K, D_K), (T_K, D_V)
    return [
        torch.randn(BATCH, HEADS, *shape, dtype=dtype, requires_grad=True)
        for shape in shapes
    ]


def some_mask(*shape):
    """Random, but every row may see something."""
    mask = torch.rand(*shape, T_Q, T_K) < 0.5
    mask[..., 2] = True
    return mask


def multi_head(dtype=torch.float64):
    """With biases that are not zero, as after training."""
    attention = MultiHeadAttention(D_MODEL, HEADS)
    for projection in (attention.w_q, attention.w_k, attention.w_v, attention.w_o):
        nn.init.normal_(projection.bias)
    return attention.to(dtype)


MASKS = {
    "none": lambda: None,
    "for each query": lambda: some_mask(),
    "for each sentence": lambda: some_mask(BATCH, 1)[:, :, :1],
    "for each head": lambda: some_mask(BATCH, HEADS),
}
masks = pytest.mark.parametrize("mask", MASKS.values(), ids=MASKS)


# The function


@masks
def test_attention_and_gradients_equal_pytorch(mask):
    inputs, mask = qkv(), mask()
    out, _ = scaled_dot_product_attention(*inputs, mask)
    theirs = F.scaled_dot_product_attention(*inputs, mask)
    torch.testing.assert_close(out, theirs, **TOLERANCE)
    torch.testing.assert_close(
        gradients(out, inputs), gradients(theirs, inputs), **TOLERANCE
    )


@masks
def test_attention_equals_the_oracle(mask):
    inputs, mask = qkv(), mask()
    found = scaled_dot_product_attention(*inputs, mask)
    wanted = reference.scaled_dot_product_attention(
        *(x.detach().numpy() for x in inputs), None if mask is None else mask.numpy()
    )
    for ours, oracle in zip(found, wanted, strict=True):
        np.testing.assert_allclose(ours.detach().numpy(), oracle, atol=1e-10)


@masks
def test_weights_of_each_query_sum_to_one_and_are_zero_where_masked(mask):
    mask = mask()
    _, weights = scaled_dot_product_attention(*qkv(), mask)
    torch.testing.assert_close(weights.sum(-1), torch.ones_like(weights[..., 0]))
    if mask is not None:
        assert (weights[~mask.expand_as(weights)] == 0).all()


def test_a_masked_key_has_no_influence_and_a_visible_one_has():
    q, k, v = qkv()
    mask = torch.ones(T_Q, T_K, dtype=torch.bool)
    mask[:, 4] = False
    before, _ = scaled_dot_product_attention(q, k, v, mask)
    for key, is_same in ((4, True), (5, False)):
        k_after, v_after = k.detach().clone(), v.detach().clone()
        k_after[..., key, :] += 100
        v_after[..., key, :] -= 100
        after, _ = scaled_dot_product_attention(q, k_after, v_after, mask)
        assert torch.equal(before, after) == is_same


def test_the_order_of_keys_does_not_matter():
    q, k, v = qkv()
    order = torch.randperm(T_K)
    before, _ = scaled_dot_product_attention(q, k, v)
    after, _ = scaled_dot_product_attention(q, k[..., order, :], v[..., order, :])
    torch.testing.assert_close(before, after, **TOLERANCE)


def test_scaled_scores_keep_a_spread_of_one():
    """The scale is √d_k: without it these weights would be close to one-hot."""
    q, k = torch.randn(400, 256), torch.randn(400, 256)
    _, weights = scaled_dot_product_attention(q, k, k)
    log = weights.log()
    spread = (log - log.mean(-1, keepdim=True)).std()
    assert spread == pytest.approx(1, abs=0.02)


def test_a_fully_masked_row_is_zero_and_its_gradients_are_finite():
    inputs = qkv()
    mask = some_mask()
    mask[3] = False
    out, weights = scaled_dot_product_attention(*inputs, mask)
    assert not out[..., 3, :].any()
    assert not weights[..., 3, :].any()
    assert out[..., [0, 1, 2, 4], :].all()
    for gradient in gradients(out, inputs):
        assert gradient.isfinite().all()


@pytest.mark.parametrize("dtype", HALF, ids=str)
def test_half_precision_stays_finite_and_close(dtype):
    q, k, v = qkv(dtype)
    mask = some_mask()
    mask[3] = False
    loud = 30 * q.detach()
    loud.requires_grad_()
    out, weights = scaled_dot_product_attention(loud, k, v, mask)
    assert (weights[~mask.expand_as(weights)] == 0).all()
    for tensor in (out, *gradients(out, [loud, k, v])):
        assert tensor.dtype == dtype
        assert tensor.isfinite().all()
    exact, _ = scaled_dot_product_attention(*(x.double() for x in (q, k, v)), mask)
    near, _ = scaled_dot_product_attention(q, k, v, mask)
    assert (near - exact).abs().max() < 0.05


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        (
            [(5, 32), (7, 64), (7, 13)],
            "scaled_dot_product_attention: k has d_k=64, q has 32; "
            "a query and a key need equal width.",
        ),
        (
            [(5, 11), (7, 11), (6, 13)],
            "scaled_dot_product_attention: k has t_k=7 rows, v has 6; "
            "every key needs one value.",
        ),
    ],
)
def test_what_does_not_fit_is_named(monkeypatch, shapes, message):
    monkeypatch.setattr("jaxtyping.config.jaxtyping_disable", True)
    with pytest.raises(ValueError) as error:  # noqa: PT011 - compared whole below
        scaled_dot_product_attention(*(torch.ones(2, *shape) for shape in shapes))
    assert str(error.value) == message


@pytest.mark.parametrize("need_weights", [False, True])
def test_five_keys_with_three_values_are_refused(monkeypatch, need_weights):
    monkeypatch.setattr("jaxtyping.config.jaxtyping_disable", True)
    attention = MultiHeadAttention(12, 2)
    q, k, v = (torch.ones(2, t, 12) for t in (7, 5, 3))
    with pytest.raises(ValueError, match="k has t_k=5 rows, v has 3"):
        attention(q, k, v, need_weights=need_weights)


# Many heads


def cross_inputs(dtype=torch.float64):
    query = torch.randn(BATCH, T_Q, D_MODEL, dtype=dtype, requires_grad=True)
    key = torch.randn(BATCH, T_K, D_MODEL, dtype=dtype, requires_grad=True)
    value = torch.randn(BATCH, T_K, D_MODEL, dtype=dtype, requires_grad=True)
    return query, key, value


@pytest.mark.parametrize("need_weights", [False, True])
def test_multi_head_attention_equals_pytorch_whose_mask_means_the_opposite(
    need_weights,
):
    ours, inputs, mask = multi_head(), cross_inputs(), some_mask()
    theirs = as_pytorch(ours)
    out, weights = ours(*inputs, mask, need_weights=need_weights)
    wanted, wanted_weights = theirs(
        *inputs, attn_mask=~mask, average_attn_weights=False
    )
    torch.testing.assert_close(out, wanted, **TOLERANCE)
    torch.testing.assert_close(
        gradients(out, inputs), gradients(wanted, inputs), **TOLERANCE
    )
    if need_weights:
        torch.testing.assert_close(weights, wanted_weights, **TOLERANCE)
    else:
        assert weights is None


@pytest.mark.parametrize("need_weights", [False, True])
def test_gradients_of_the_projections_equal_pytorch(need_weights):
    ours, inputs = multi_head(), cross_inputs()
    theirs = as_pytorch(ours)
    projections = ours.w_q, ours.w_k, ours.w_v
    found = gradients(
        ours(*inputs, need_weights=need_weights)[0],
        [p.weight for p in projections]
        + [p.bias for p in projections]
        + [ours.w_o.weight, ours.w_o.bias],
    )
    wanted = gradients(
        theirs(*inputs)[0],
        [
            theirs.in_proj_weight,
            theirs.in_proj_bias,
            theirs.out_proj.weight,
            theirs.out_proj.bias,
        ],
    )
    torch.testing.assert_close(torch.cat(found[:3]), wanted[0], **TOLERANCE)
    torch.testing.assert_close(torch.cat(found[3:6]), wanted[1], **TOLERANCE)
    torch.testing.assert_close(found[6:], wanted[2:], **TOLERANCE)


@pytest.mark.parametrize("dtype", [torch.float64, *HALF], ids=str)
def test_asking_for_weights_changes_nothing_even_for_a_fully_masked_row(dtype):
    attention, inputs = multi_head(dtype), cross_inputs(dtype)
    mask = some_mask(BATCH, HEADS)
    mask[1, :, 3] = False
    fused, _ = attention(*inputs, mask)
    slow, weights = attention(*inputs, mask, need_weights=True)
    tolerance = TOLERANCE if dtype == torch.float64 else {"atol": 0.05, "rtol": 0}
    torch.testing.assert_close(fused, slow, **tolerance)
    # Nothing was looked at, so the output projection adds its bias alone.
    assert torch.equal(fused[1, 3], attention.w_o.bias)
    assert not weights[1, :, 3].any()
    for out in (fused, slow):
        for gradient in gradients(out, inputs):
            assert gradient.isfinite().all()


def test_heads_split_the_features_and_keep_the_positions():
    attention = MultiHeadAttention(D_MODEL, HEADS)
    b, t, f = torch.meshgrid(
        torch.arange(BATCH), torch.arange(T_Q), torch.arange(D_MODEL), indexing="ij"
    )
    heads = attention.split_heads((10_000 * b + 100 * t + f).float())
    assert heads.shape == (BATCH, HEADS, T_Q, D_K)
    for head in range(HEADS):
        for position in range(T_Q):
            first = 10_000 + 100 * position + head * D_K
            assert heads[1, head, position].tolist() == list(range(first, first + D_K))


def test_parameters_are_four_square_matrices_and_their_biases():
    attention = MultiHeadAttention(D_MODEL, HEADS)
    assert count(attention) == 4 * D_MODEL**2 + 4 * D_MODEL
    limit = math.sqrt(6 / (2 * D_MODEL))
    for projection in (attention.w_q, attention.w_k, attention.w_v, attention.w_o):
        assert 0.9 * limit < projection.weight.abs().max() <= limit
        assert not projection.bias.any()


def test_a_sentence_does_not_see_its_neighbours_in_the_batch():
    attention, inputs = multi_head(), cross_inputs()
    together, _ = attention(*inputs)
    alone, _ = attention(*(x[1:] for x in inputs))
    torch.testing.assert_close(together[1:], alone, **TOLERANCE)


def test_without_a_mask_shuffled_tokens_give_shuffled_answers():
    attention, (x, _, _) = multi_head(), cross_inputs()
    order = torch.randperm(T_Q)
    shuffled = x[:, order]
    before, _ = attention(x, x, x)
    after, _ = attention(shuffled, shuffled, shuffled)
    torch.testing.assert_close(before[:, order], after, **TOLERANCE)


@pytest.mark.parametrize("need_weights", [False, True])
@pytest.mark.parametrize("how", ["flag", "mask"])
@pytest.mark.parametrize("changed", range(T_Q))
def test_causal_attention_hides_the_future_bit_for_bit(changed, how, need_weights):
    attention, (x, _, _) = multi_head(), cross_inputs()
    y = x.detach().clone()
    y[:, changed] += 1

    def look(x):
        mask = causal_mask(T_Q) if how == "mask" else None
        causal = how == "flag"
        return attention(x, x, x, mask, causal=causal, need_weights=need_weights)[0]

    before, after = look(x), look(y)
    assert torch.equal(before[:, :changed], after[:, :changed])
    assert (before[:, changed:] != after[:, changed:]).any(-1).all()


def test_heads_that_do_not_divide_the_width_are_refused():
    message = r"^MultiHeadAttention: d_model=10 can't be split evenly into n_heads=3\.$"
    with pytest.raises(ValueError, match=message):
        MultiHeadAttention(10, 3)


# Positions inside attention

D_HEAD = 2 * D_K  # rotary turns pairs
WIDTH, MAX_LEN = HEADS * D_HEAD, 17
# Sinusoids and learned rows are added before, so attention sees none of them.
kinds = pytest.mark.parametrize("kind", ["none", "rotary", "alibi"])
relative_kinds = pytest.mark.parametrize("kind", ["rotary", "alibi"])


def with_positions(kind, dtype=torch.float64):
    positions = relative_positions(kind, WIDTH, HEADS, MAX_LEN)
    attention = MultiHeadAttention(WIDTH, HEADS, positions)
    for projection in (attention.w_q, attention.w_k, attention.w_v, attention.w_o):
        nn.init.normal_(projection.bias)
    return attention.to(dtype)


def some_x(t=T_K, dtype=torch.float64):
    return torch.randn(BATCH, t, WIDTH, dtype=dtype, requires_grad=True)


def square_mask(*shape):
    """Random, but every row may see something."""
    return (torch.rand(*shape, T_K, T_K) < 0.5) | torch.eye(T_K, dtype=torch.bool)


@relative_kinds
@pytest.mark.parametrize("need_weights", [False, True])
def test_positions_act_on_the_scores_as_written_out(kind, need_weights):
    attention, x, mask = with_positions(kind), some_x(), square_mask(BATCH, HEADS)
    q, k, v = (
        attention.split_heads(project(x))
        for project in (attention.w_q, attention.w_k, attention.w_v)
    )
    scores = torch.empty(BATCH, HEADS, T_K, T_K).double()
    for i in range(T_K):
        for j in range(T_K):
            if kind == "rotary":
                turned_q = attention.positions.rotate(q[:, :, i : i + 1], i)
                turned_k = attention.positions.rotate(k[:, :, j : j + 1], j)
                product = (turned_q * turned_k).sum((-2, -1))
                scores[..., i, j] = product / math.sqrt(D_HEAD)
            else:
                product = (q[:, :, i] * k[:, :, j]).sum(-1)
                slopes = attention.positions.slopes
                scores[..., i, j] = product / math.sqrt(D_HEAD) - slopes * abs(i - j)
    wanted_weights = scores.masked_fill(~mask, -math.inf).softmax(-1)
    blended = (wanted_weights @ v).transpose(1, 2).flatten(2)
    out, weights = attention(x, x, x, mask, need_weights=need_weights)
    torch.testing.assert_close(out, attention.w_o(blended), **TOLERANCE)
    if need_weights:
        torch.testing.assert_close(weights, wanted_weights, **TOLERANCE)
    else:
        assert weights is None


@relative_kinds
@pytest.mark.parametrize("dtype", [torch.float64, *HALF], ids=str)
@pytest.mark.parametrize(
    "mask",
    [lambda: None, square_mask, lambda: square_mask(BATCH, 1)],
    ids=["none", "for each query", "for each sentence"],
)
def test_with_positions_asking_for_weights_changes_nothing(kind, dtype, mask):
    attention, x, mask = with_positions(kind, dtype), some_x(dtype=dtype), mask()
    if mask is not None:
        mask[..., 3, :] = False
    fused, nothing = attention(x, x, x, mask)
    slow, weights = attention(x, x, x, mask, need_weights=True)
    assert nothing is None
    assert fused.dtype == slow.dtype == weights.dtype == dtype
    tolerance = TOLERANCE if dtype == torch.float64 else {"atol": 0.05, "rtol": 0}
    torch.testing.assert_close(fused, slow, **tolerance)
    total = torch.ones_like(weights[..., 0])
    if mask is not None:
        total[..., 3] = 0
        assert not weights.masked_fill(mask, 0).any()
        # Nothing was looked at, so the output projection adds its bias alone.
        for out in (fused, slow):
            assert torch.equal(out[:, 3], attention.w_o.bias.expand(BATCH, -1))
    torch.testing.assert_close(weights.sum(-1), total, **tolerance)
    found = [gradients(out, [x, *attention.parameters()]) for out in (fused, slow)]
    for one, other in zip(*found, strict=True):
        assert one.isfinite().all()
        assert other.isfinite().all()
        if dtype == torch.float64:
            torch.testing.assert_close(one, other, **TOLERANCE)


@relative_kinds
def test_half_precision_stays_close_to_double(kind):
    exact, x = with_positions(kind), some_x()
    wanted, _ = exact(x, x, x, causal_mask(T_K))
    for dtype in HALF:
        half, y = with_positions(kind, dtype), x.to(dtype)
        half.load_state_dict(exact.state_dict())
        out, _ = half(y, y, y, causal_mask(T_K))
        torch.testing.assert_close(out.double(), wanted, atol=0.1, rtol=0)


@pytest.mark.parametrize("dtype", [torch.float64, *HALF], ids=str)
def test_a_mask_of_numbers_is_added_to_the_scores(dtype):
    q, k, v = qkv(dtype)
    added = torch.randn(HEADS, T_Q, T_K).to(dtype)
    added[:, 3] = -math.inf
    out = fused_attention(q, k, v, added)
    assert out.dtype == dtype
    scores = q.double() @ k.double().mT / math.sqrt(D_K) + added
    wanted = scores.softmax(-1).nan_to_num(0) @ v.double()
    tolerance = TOLERANCE if dtype == torch.float64 else {"atol": 0.05, "rtol": 0}
    torch.testing.assert_close(out.double(), wanted, **tolerance)
    for gradient in gradients(out, [q, k, v]):
        assert gradient.isfinite().all()


@relative_kinds
@pytest.mark.parametrize("shift", [1, 5])
def test_only_distances_count_so_hidden_tokens_in_front_change_nothing(kind, shift):
    attention, x = with_positions(kind), some_x()
    hidden = torch.randn(BATCH, shift, WIDTH, dtype=torch.float64)
    moved = torch.cat((hidden, x), dim=1)
    mask = (torch.arange(shift + T_K) >= shift)[None]
    before, _ = attention(x, x, x)
    after, _ = attention(moved, moved, moved, mask)
    torch.testing.assert_close(after[:, shift:], before, atol=1e-6, rtol=0)


@relative_kinds
def test_shuffled_tokens_no_longer_give_shuffled_answers(kind):
    attention, x = with_positions(kind), some_x()
    order = torch.tensor([3, 0, 6, 1, 5, 2, 4])
    shuffled = x[:, order]
    before, _ = attention(x, x, x)
    after, _ = attention(shuffled, shuffled, shuffled)
    assert (before[:, order] - after).abs().max() > 0.01


# Causal


ADDITIONAL = {
    "alone": lambda: None,
    "with booleans": lambda: square_mask(BATCH, 1),
    "with numbers": lambda: added_numbers(),
}
additional = pytest.mark.parametrize("mask", ADDITIONAL.values(), ids=ADDITIONAL)


def added_numbers():
    """Some of them −∞, but never at a key of one's own position."""
    added = torch.randn(HEADS, T_K, T_K).double()
    return added.masked_fill(~square_mask(HEADS), -math.inf)


@kinds
@additional
@pytest.mark.parametrize("need_weights", [False, True])
def test_the_causal_flag_equals_the_causal_mask(kind, mask, need_weights):
    attention, x, mask = with_positions(kind), some_x(), mask()
    seen = join_masks(mask, causal_mask(T_K))
    wanted, wanted_weights = attention(x, x, x, seen, need_weights=True)
    out, weights = attention(x, x, x, mask, causal=True, need_weights=need_weights)
    torch.testing.assert_close(out, wanted, **TOLERANCE)
    torch.testing.assert_close(gradients(out, [x]), gradients(wanted, [x]), **TOLERANCE)
    if need_weights:
        torch.testing.assert_close(weights, wanted_weights, **TOLERANCE)
        assert not weights[..., ~causal_mask(T_K)].any()
    else:
        assert weights is None


@pytest.mark.parametrize("need_weights", [False, True])
@pytest.mark.parametrize("t_q", [T_K + 1, T_K + 2])
def test_causal_queries_need_a_key_at_their_own_position(t_q, need_weights):
    attention = multi_head()
    query = torch.randn(BATCH, t_q, D_MODEL).double()
    x = torch.randn(BATCH, T_K, D_MODEL).double()
    with pytest.raises(ValueError) as error:  # noqa: PT011 - compared whole below
        attention(query, x, x, causal=True, need_weights=need_weights)
    assert str(error.value) == (
        f"MultiHeadAttention: causal attention from {t_q} queries to 7 keys; "
        "each query needs a key at its own position."
    )


# Rows that may look at nothing


@kinds
@pytest.mark.parametrize("dtype", [torch.float64, *HALF], ids=str)
@pytest.mark.parametrize("form", ["booleans", "numbers"])
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("need_weights", [False, True])
def test_a_row_without_keys_gives_the_bias_alone_and_finite_gradients(
    kind, dtype, form, causal, need_weights
):
    attention, x = with_positions(kind, dtype), some_x(dtype=dtype)
    mask = square_mask(BATCH, HEADS)
    mask[1, :, 3] = False
    if form == "numbers":  # in single precision, whatever the queries have
        mask = torch.randn(mask.shape).masked_fill(~mask, -math.inf)
    out, weights = attention(x, x, x, mask, causal=causal, need_weights=need_weights)
    assert out.dtype == dtype
    assert torch.equal(out[1, 3], attention.w_o.bias)
    if need_weights:
        assert weights.dtype == dtype
        assert not weights[1, :, 3].any()
    for gradient in gradients(out, [x, *attention.parameters()]):
        assert gradient.isfinite().all()


def test_a_large_finite_number_hides_nothing_from_a_row_that_has_nothing_else():
    attention, x = with_positions("none", torch.float16), some_x(dtype=torch.float16)
    numbers = torch.zeros(T_K, T_K)
    numbers[3] = -1e9  # more than half precision holds
    fused, _ = attention(x, x, x, numbers)
    slow, weights = attention(x, x, x, numbers, need_weights=True)
    torch.testing.assert_close(fused, slow, atol=0.05, rtol=0)
    torch.testing.assert_close(weights.sum(-1), torch.ones_like(weights[..., 0]))


# Keys and values that are kept


def chunks(x, sizes):
    """Pieces of x, each with the number of positions before it."""
    start = 0
    for size in sizes:
        yield x[:, start : start + size], start
        start += size


@kinds
@additional
@pytest.mark.parametrize("how", ["flag", "mask"])
@pytest.mark.parametrize("need_weights", [False, True])
@pytest.mark.parametrize(
    "sizes", [[1] * 7, [7], [3, 1, 2, 1], [1, 5, 1]], ids=lambda sizes: f"{sizes}"
)
def test_step_by_step_with_a_cache_equals_all_at_once(
    kind, mask, how, need_weights, sizes
):
    attention, x, mask = with_positions(kind), some_x(), mask()
    seen = join_masks(mask, causal_mask(T_K))
    whole, weights = attention(x, x, x, seen, need_weights=True)
    cache = KeyValueCache(MAX_LEN)
    with torch.no_grad():
        for piece, start in chunks(x, sizes):
            end = start + piece.shape[1]
            rows = mask if how == "flag" else seen
            rows = None if rows is None else rows[..., start:end, :end]
            out, found = attention(
                *(piece, piece, piece, rows),
                causal=how == "flag",
                need_weights=need_weights,
                cache=cache,
            )
            assert cache.length == end
            torch.testing.assert_close(out, whole[:, start:end], **TOLERANCE)
            if need_weights:
                wanted = weights[:, :, start:end, :end]
                torch.testing.assert_close(found, wanted, **TOLERANCE)


@kinds
def test_a_single_query_may_look_at_all_so_it_needs_no_mask(kind):
    attention, x = with_positions(kind), some_x()
    whole, _ = attention(x, x, x, causal=True)
    cache = KeyValueCache(T_K)
    with torch.no_grad():
        for t in range(T_K):
            one = x[:, t : t + 1]
            out, _ = attention(one, one, one, cache=cache)
            torch.testing.assert_close(out[:, 0], whole[:, t], **TOLERANCE)


@kinds
@pytest.mark.parametrize("rows", [[1, 0], [1, 1], [0, 0]], ids=str)
def test_selected_rows_go_on_from_their_own_past(kind, rows):
    attention, x = with_positions(kind), some_x()
    rows = torch.tensor(rows)
    past, future = x[:, :4], x[:, 4:]
    joined = torch.cat((past[rows], future), dim=1)
    whole, _ = attention(joined, joined, joined, causal=True)
    cache = KeyValueCache(MAX_LEN)
    with torch.no_grad():
        attention(past, past, past, causal=True, cache=cache)
        cache.select(rows)
        assert cache.length == 4
        out, _ = attention(future, future, future, causal=True, cache=cache)
    torch.testing.assert_close(out, whole[:, 4:], **TOLERANCE)


@pytest.mark.parametrize("need_weights", [False, True])
def test_a_complete_cache_is_read_and_its_keys_are_not_computed_again(need_weights):
    attention, (query, key, value) = multi_head(), cross_inputs()
    mask, cache = some_mask(BATCH, 1), KeyValueCache(T_K, grows=False)
    with torch.no_grad():
        wanted = attention(query, key, value, mask, need_weights=True)
        for new in ((key, value), (key * 2, value), (key, value * 2)):
            out, weights = attention(
                query, *new, mask, need_weights=need_weights, cache=cache
            )
            torch.testing.assert_close(out, wanted[0], **TOLERANCE)
            if need_weights:
                torch.testing.assert_close(weights, wanted[1], **TOLERANCE)
            assert cache.length == T_K


# Fewer heads of keys and values

N_HEADS, N_KV = 6, 3  # two query heads share one


def grouped(kind="none", n_kv_heads=N_KV):
    """One attention with groups, and one whose key and value rows are repeated."""
    width = N_HEADS * D_HEAD
    positions = relative_positions(kind, width, N_HEADS, MAX_LEN)
    few = MultiHeadAttention(width, N_HEADS, positions, n_kv_heads)
    many = MultiHeadAttention(width, N_HEADS, positions)
    share = N_HEADS // n_kv_heads
    with torch.no_grad():
        for name in ("w_q", "w_k", "w_v", "w_o"):
            own, other = getattr(few, name), getattr(many, name)
            nn.init.normal_(own.bias)
            heads = own.out_features // D_HEAD
            # Query heads 0 and 1 ask head 0, heads 2 and 3 ask head 1, and so on.
            order = [
                head // share * D_HEAD + feature
                for head in range(N_HEADS)
                for feature in range(D_HEAD)
            ]
            rows = order if heads < N_HEADS else list(range(width))
            other.weight.copy_(own.weight[rows])
            other.bias.copy_(own.bias[rows])
    return few.double(), many.double()


@kinds
@pytest.mark.parametrize("n_kv_heads", [1, 2, 3])
@pytest.mark.parametrize("need_weights", [False, True])
def test_grouped_queries_equal_repeated_keys_and_values(kind, n_kv_heads, need_weights):
    few, many = grouped(kind, n_kv_heads)
    x = torch.randn(BATCH, T_K, N_HEADS * D_HEAD).double().requires_grad_()
    mask = square_mask(BATCH, 1)
    out, weights = few(x, x, x, mask, causal=True, need_weights=need_weights)
    wanted, wanted_weights = many(x, x, x, mask, causal=True, need_weights=True)
    torch.testing.assert_close(out, wanted, **TOLERANCE)
    torch.testing.assert_close(gradients(out, [x]), gradients(wanted, [x]), **TOLERANCE)
    if need_weights:
        assert weights.shape == (BATCH, N_HEADS, T_K, T_K)
        torch.testing.assert_close(weights, wanted_weights, **TOLERANCE)


@kinds
@torch.no_grad()
def test_grouped_queries_keep_fewer_keys_and_say_the_same_step_by_step(kind):
    few, many = grouped(kind)
    x = torch.randn(BATCH, T_K, N_HEADS * D_HEAD).double()
    whole, _ = many(x, x, x, causal=True)
    cache = KeyValueCache(MAX_LEN)
    for piece, start in chunks(x, [3, 1, 2, 1]):
        out, _ = few(piece, piece, piece, causal=True, cache=cache)
        wanted = whole[:, start : start + piece.shape[1]]
        torch.testing.assert_close(out, wanted, **TOLERANCE)
    assert cache.stored[0].shape == (BATCH, N_KV, MAX_LEN, D_HEAD)


def test_grouped_queries_have_smaller_key_and_value_matrices():
    few, many = grouped()
    width, narrow = N_HEADS * D_HEAD, N_KV * D_HEAD
    assert count(few) == 2 * width * (width + 1) + 2 * narrow * (width + 1)
    assert count(many) == 4 * width * (width + 1)


@pytest.mark.parametrize("n_kv_heads", [0, 4, 5, 12])
def test_groups_of_unequal_size_are_refused(n_kv_heads):
    with pytest.raises(ValueError) as error:  # noqa: PT011 - compared whole below
        MultiHeadAttention(N_HEADS * D_HEAD, N_HEADS, n_kv_heads=n_kv_heads)
    assert str(error.value) == (
        f"MultiHeadAttention: n_heads=6 can't share n_kv_heads={n_kv_heads} evenly."
    )
