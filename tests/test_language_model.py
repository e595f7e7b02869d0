"""Bits per character, from a model and by hand."""

import math

import numpy as np
import pytest
import torch

from tt_utils.evaluation.language_model import (
    bits_per_character,
    log_probabilities,
    mixed,
)
from tt_utils.models.gpt import GPT, GPTConfig

VOCAB = 13


def test_each_token_gets_what_the_model_gives_it_alone_whatever_stands_beside_it():
    torch.manual_seed(0)
    sizes = {"d_model": 16, "d_ff": 23, "n_heads": 2, "max_len": 11}
    model = GPT(GPTConfig(VOCAB, 1, **sizes))
    texts = [[2, 7, 5], [2, *range(3, 10), 2], [2, 4]]
    found = log_probabilities(model, texts)
    assert [len(each) for each in found] == [2, 8, 1]
    assert model.training
    with torch.no_grad():
        for text, each in zip(texts, found, strict=True):
            logits = model.eval()(torch.tensor([text]))[0].log_softmax(-1)
            wanted = [logits[i, token] for i, token in enumerate(text[1:])]
            np.testing.assert_allclose(each, wanted, atol=1e-5)


def test_three_bits_for_four_characters_and_an_end():
    scores = [np.log([0.5, 0.25]), np.log([0.5, 0.5])]
    assert bits_per_character(scores, ["ab", "c"]) == pytest.approx(5 / 5)


def test_a_mixture_is_the_mean_of_the_probabilities():
    (found,) = mixed([np.log([0.5, 0.1])], [np.log([0.1, 0.1])])
    np.testing.assert_allclose(found, [math.log(0.3), math.log(0.1)])
