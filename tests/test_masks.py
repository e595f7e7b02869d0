"""Masks: True = may attend."""

import pytest
import torch

from tt_utils.blocks.masks import causal_mask, padding_mask


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


def test_both_masks_combine_with_and():
    tokens = torch.tensor([[4, 4, 0], [4, 4, 4]])
    mask = padding_mask(tokens, 0) & causal_mask(3)
    assert mask.shape == (2, 1, 3, 3)
    assert mask[0, 0].tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 0]]
    assert mask[1, 0].tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
