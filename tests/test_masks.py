"""Masks: True = may attend, or numbers to add to the scores."""

import math

import pytest
import torch

from tt_utils.blocks.masks import as_numbers, causal_mask, join_masks, padding_mask


def test_causal_mask_shows_the_past_and_oneself():
    assert causal_mask(3).tolist() == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]


def test_a_single_token_sees_itself():
    assert causal_mask(1).tolist() == [[True]]


def test_causal_mask_lies_on_the_device_asked_for():
    assert causal_mask(2).device.type == "cpu"
    assert causal_mask(2, "meta").device.type == "meta"


@pytest.mark.parametrize("pad_id", [0, 7])
def test_padding_mask_hides_padding_as_a_key(pad_id):
    tokens = torch.tensor([[5, 3, pad_id], [5, pad_id, pad_id]])
    mask = padding_mask(tokens, pad_id)
    assert mask.dtype == torch.bool
    assert mask.tolist() == [[[[True, True, False]]], [[[True, False, False]]]]


# Joined


def test_nothing_joined_with_a_mask_is_that_mask():
    mask = causal_mask(3)
    assert join_masks(None, None) is None
    assert join_masks(mask, None) is mask
    assert join_masks(None, mask) is mask


def test_of_booleans_only_what_both_allow_is_left():
    tokens = torch.tensor([[4, 4, 0], [4, 4, 4]])
    mask = join_masks(padding_mask(tokens, 0), causal_mask(3))
    assert mask.dtype == torch.bool
    assert mask.shape == (2, 1, 3, 3)
    assert mask[0, 0].tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 0]]
    assert mask[1, 0].tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]


@pytest.mark.parametrize("swap", [False, True])
def test_numbers_are_added_and_minus_infinity_where_a_boolean_forbids(swap):
    masks = causal_mask(2), torch.tensor([[0.5, 7.0], [-math.inf, 3.0]]).double()
    joined = join_masks(*masks[::-1] if swap else masks)
    assert joined.dtype == torch.float64
    assert joined.tolist() == [[0.5, -math.inf], [-math.inf, 3.0]]


def test_of_numbers_both_are_added():
    first, second = torch.randn(2, 3, 5)
    assert torch.equal(join_masks(first, second), first + second)


def test_a_boolean_as_numbers_is_zero_or_minus_infinity():
    assert as_numbers(causal_mask(2)).tolist() == [[0, -math.inf], [0, 0]]
    numbers = torch.randn(3)
    assert as_numbers(numbers) is numbers
