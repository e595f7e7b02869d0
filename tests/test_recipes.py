"""Settings that were tried: each can be built."""

import pytest
import torch

from tt_utils.data.tokenizer import WordTokenizer
from tt_utils.models.transformer import Transformer
from tt_utils.training.recipes import RECIPES


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=map("-".join, RECIPES))
def test_every_recipe_can_be_built(recipe):
    vocabulary = WordTokenizer(map(str, range(97)))
    with torch.device("meta"):
        model = Transformer(recipe.config(vocabulary, vocabulary))
    assert model.config.norm_first
    assert recipe.training.warmup < recipe.training.steps
