"""Rounded keys and values differ from the real ones by half a scale at most."""

import torch

from tt_utils.blocks.cache_in_8_bits import CacheIn8Bits, from_8_bits, to_8_bits

BATCH, HEADS, T, D_HEAD, MAX_LEN = 3, 5, 7, 22, 13


def some_vectors():
    torch.manual_seed(0)
    return torch.randn(BATCH, HEADS, T, D_HEAD, dtype=torch.float64)


def test_no_number_moves_by_more_than_half_a_scale():
    x = some_vectors()
    whole, scale = to_8_bits(x)
    assert whole.dtype == torch.int8
    assert whole.abs().amax(dim=-1).eq(127).all(), "the largest uses the whole range"
    assert (x - from_8_bits(whole, scale)).abs().le(scale * 0.5000001).all()
    assert scale.shape == (BATCH, HEADS, T, 1)


def test_zeros_stay_zeros():
    zeros = torch.zeros(T, D_HEAD)
    assert torch.equal(from_8_bits(*to_8_bits(zeros)), zeros)


def test_what_was_rounded_once_is_not_rounded_again():
    once = from_8_bits(*to_8_bits(some_vectors()))
    torch.testing.assert_close(from_8_bits(*to_8_bits(once)), once)


def test_the_cache_gives_back_what_was_rounded():
    cache, x = CacheIn8Bits(MAX_LEN), some_vectors()
    for t in range(T):
        k, v = cache.extend(x[:, :, t : t + 1], -x[:, :, t : t + 1])
    torch.testing.assert_close(k, from_8_bits(*to_8_bits(x)))
    torch.testing.assert_close(v, -k)
    assert cache.length == T
