"""Settings that were tried: each can be built."""

import json

import pytest
import torch
from record import RESULTS

from tt_utils.data.corpora import (
    GRAMMAR_TEST,
    MULTI30K_PIECES,
    encode_pairs,
)
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


def test_each_side_is_encoded_by_its_own_vocabulary():
    source, target = WordTokenizer(["a", "cat"]), WordTokenizer(["gato", "un", "x"])
    assert encode_pairs([("a cat", "un gato")], source, target) == [([4, 5], [5, 4])]
    config = RECIPES["grammar", "quick"].config(source, target)
    assert (config.src_vocab_size, config.tgt_vocab_size) == (6, 7)


def recorded(name):
    """The rows of a result, on whatever machines it was recorded."""
    files = list(RESULTS.rglob(f"{name}.json"))
    assert files
    return [row for f in files for row in json.loads(f.read_text())["result"]["rows"]]


@pytest.mark.parametrize("budget", ["quick", "full"])
def test_the_recorded_captions_were_learned_by_this_recipe(budget):
    """A recipe that changes makes its recorded results out of date."""
    recipe = RECIPES["multi30k", budget]
    vocabulary = WordTokenizer(map(str, range(MULTI30K_PIECES - 4)))
    with torch.device("meta"):
        model = Transformer(recipe.config(vocabulary, vocabulary))
    parameters = sum(p.numel() for p in model.parameters())
    for row in recorded(f"multi30k_{budget}"):
        assert row["steps"] == recipe.training.steps
        assert row["parameters"] == parameters


def test_the_recorded_grammar_was_learned_by_this_recipe():
    for row in recorded("grammar"):
        assert row["step"] == RECIPES["grammar", "quick"].training.steps
        assert row["sentences"] == GRAMMAR_TEST
