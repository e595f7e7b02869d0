"""Answers as learners write them, in torch, with the mistake that each one makes.

Many hold a second mistake too: the hint must be for the one that shows first.
"""

import math

import torch


def usual(q, k, v, mask=None):
    """Only a row without any key is wrong."""
    scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    weights = scores.softmax(-1)
    return weights @ v, weights


def large_negative(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = torch.nn.functional.softmax(scores, dim=-1)
    return weights @ v, weights


def without_scale(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1))
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


def without_scale_or_mask(q, k, v, mask=None):
    weights = torch.softmax(q @ k.mT, dim=-1)
    return weights @ v, weights


def over_queries(q, k, v, mask=None):
    scores = q @ k.mT / q.size(-1) ** 0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = scores.softmax(dim=-2)
    return weights @ v, weights


def filled_with_zero(q, k, v, mask=None):
    scores = q @ k.mT / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores * mask
    weights = scores.softmax(dim=-1)
    return weights @ v, weights


def masked_weights(q, k, v, mask=None):
    weights = (q @ k.mT / q.size(-1) ** 0.5).softmax(dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return weights @ v, weights


def masked_fill_of_mask(q, k, v, mask=None):
    scores = q @ k.mT / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask, -torch.inf)
    weights = scores.softmax(dim=-1)
    return weights @ v, weights


def own_softmax(q, k, v, mask=None):
    scores = q @ k.mT / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    powers = torch.exp(scores)
    weights = powers / powers.sum(-1, keepdim=True)
    return weights @ v, weights


def weights_first(q, k, v, mask=None):
    out, weights = usual(q, k, v, mask)
    return weights, out


ATTENTION = {
    usual: "fully masked row gives NaN",
    large_negative: "fully masked row spreads evenly",
    without_scale: "no scale",
    without_scale_or_mask: "no scale",
    over_queries: "softmax over queries",
    filled_with_zero: "masked scores filled with 0",
    masked_weights: "mask after softmax",
    masked_fill_of_mask: "mask inverted",
    own_softmax: "overflow",
    weights_first: "results swapped",
}

SCALE_BUG = {
    (lambda q, k: q @ k.mT / math.sqrt(k.shape[1])): "as planted",
    (lambda q, k: q @ k.mT / k.shape[0] ** 0.5): "shape[0]",
    (lambda q, k: q @ k.mT / 8): "8 written down",
    (lambda q, k: q @ k.mT): "scale removed",
    (lambda q, k: q @ k.mT / k.size(2) ** 0.5): "counted from the front",
}
