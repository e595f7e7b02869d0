"""QK-norm gives queries and keys one length, head by head, and bounds the scores."""

import math

import torch

from tt_utils.blocks.attention import MultiHeadAttention
from tt_utils.blocks.positions import RotaryPositions
from tt_utils.blocks.qk_norm import add_qk_norm

BATCH, T, D_HEAD, N_HEADS, N_KV_HEADS = 3, 7, 22, 10, 5
D_MODEL = D_HEAD * N_HEADS


def some_attention():
    torch.manual_seed(0)
    positions = RotaryPositions(D_HEAD, 13)
    attention = MultiHeadAttention(D_MODEL, N_HEADS, positions, N_KV_HEADS).double()
    add_qk_norm(attention)
    return attention.double()


def some_x():
    return 100 * torch.randn(BATCH, T, D_MODEL, dtype=torch.float64)


def test_every_head_of_every_query_and_key_has_one_length():
    attention, x = some_attention(), some_x()
    for project, n in ((attention.w_q, N_HEADS), (attention.w_k, N_KV_HEADS)):
        heads = attention.split_heads(project(x), n)  # (batch, heads, t, d_head)
        assert heads.shape == (BATCH, n, T, D_HEAD)
        lengths = heads.norm(dim=-1)
        torch.testing.assert_close(lengths, torch.full_like(lengths, D_HEAD**0.5))


def test_values_keep_their_length():
    attention, x = some_attention(), some_x()
    assert attention.w_v(x).norm() > 10 * attention.w_k(x).norm()


def test_no_score_exceeds_the_root_of_d_head():
    attention, x = some_attention(), some_x()
    _, weights = attention(x, x, x, need_weights=True)
    # Two scores differ by at most 2√d_head, and so do the logarithms of their weights.
    logs = weights.log()
    spread = logs.amax(dim=-1) - logs.amin(dim=-1)
    assert spread.max() <= 2 * math.sqrt(D_HEAD)


def test_it_adds_a_gain_for_each_feature_of_a_head_twice():
    plain = MultiHeadAttention(D_MODEL, N_HEADS, n_kv_heads=N_KV_HEADS)
    more = sum(p.numel() for p in some_attention().parameters())
    assert more == sum(p.numel() for p in plain.parameters()) + 2 * D_HEAD
