"""What `tt train` trains: corpora, vocabularies and settings fit together."""

import pytest
import torch

from tt_utils.data import corpora
from tt_utils.data.corpora import Corpus, encode_pairs, load_corpus, make_tokenizers
from tt_utils.data.tokenizer import UNK, WordTokenizer
from tt_utils.models.transformer import Transformer
from tt_utils.training.recipes import RECIPES

CAPTIONS = Corpus(
    train=[("Ein Hund läuft.", "A dog runs."), ("Ein Mann läuft.", "A man runs.")],
    valid=[("Ein Hund.", "A dog.")],
    test=[("Ein Kind läuft.", "A child runs.")],
)


@pytest.fixture
def grammar(monkeypatch):
    for name, number in (("PAIRS", 300), ("VALID", 20), ("TEST", 11)):
        monkeypatch.setattr(corpora, f"GRAMMAR_{name}", number)
    return load_corpus("grammar")


def test_the_splits_of_the_grammar_share_no_sentence(grammar):
    splits = [{source for source, _ in pairs} for pairs in vars(grammar).values()]
    assert [len(split) for split in splits] == [300, 20, 11]
    assert len(set().union(*splits)) == 331


def test_the_grammar_has_a_vocabulary_a_language_from_training_alone(grammar):
    source, target = make_tokenizers("grammar", grammar)
    assert {"the", "I", "?"} <= set(source.words)
    assert {"el", "¿"} <= set(target.words)
    assert "el" not in source.words
    pairs = encode_pairs(grammar.train, source, target)
    assert UNK not in {i for pair in pairs for side in pair for i in side}
    assert source.decode(pairs[0][0]) == grammar.train[0][0].split()


def test_the_captions_share_one_vocabulary_of_pieces():
    source, target = make_tokenizers("multi30k", CAPTIONS)
    assert source is target
    ((german, english),) = encode_pairs(CAPTIONS.test, source, target)
    assert source.decode(german) == "Ein Kind läuft."
    assert target.decode(english) == "A child runs."


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=map("-".join, RECIPES))
def test_every_recipe_can_be_built(recipe):
    vocabulary = WordTokenizer(map(str, range(97)))
    with torch.device("meta"):
        model = Transformer(recipe.config(vocabulary, vocabulary))
    assert model.config.norm_first
    assert recipe.training.warmup < recipe.training.steps
