"""What `tt train` trains: corpora, vocabularies and settings fit together."""

import json

import pytest
import torch
from record import RESULTS

from tt_utils.data import corpora
from tt_utils.data.corpora import (
    GRAMMAR_TEST,
    MULTI30K_PIECES,
    Corpus,
    encode_pairs,
    load_corpus,
    make_tokenizers,
)
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


def test_no_word_of_the_test_enters_the_vocabulary():
    corpus = Corpus([("a cat", "un gato")], [("a dog", "un perro")], [("a hen", "x")])
    source, target = make_tokenizers("grammar", corpus)
    assert source.words[4:] == ["a", "cat"]
    assert target.words[4:] == ["gato", "un"]


def test_pieces_are_learned_from_both_languages_of_training():
    pieces, _ = make_tokenizers("multi30k", CAPTIONS)
    assert len(pieces.encode("läuft")) < len("läuft".encode())
    assert len(pieces.encode("runs")) < len("runs"), "English is half of it"
    assert len(pieces.encode("child")) == len(" child"), "the test is not read"


def test_each_side_is_encoded_by_its_own_vocabulary():
    source, target = WordTokenizer(["a", "cat"]), WordTokenizer(["gato", "un", "x"])
    assert encode_pairs([("a cat", "un gato")], source, target) == [([4, 5], [5, 4])]
    config = RECIPES["grammar", "quick"].config(source, target)
    assert (config.src_vocab_size, config.tgt_vocab_size) == (6, 7)


@pytest.mark.parametrize("budget", ["quick", "full"])
def test_the_recorded_captions_were_learned_by_this_recipe(budget):
    """A recipe that changes makes its recorded results out of date."""
    result = RESULTS / f"multi30k_{budget}.json"
    recipe = RECIPES["multi30k", budget]
    vocabulary = WordTokenizer(map(str, range(MULTI30K_PIECES - 4)))
    with torch.device("meta"):
        model = Transformer(recipe.config(vocabulary, vocabulary))
    parameters = sum(p.numel() for p in model.parameters())
    for row in json.loads(result.read_text())["result"]["rows"]:
        assert row["steps"] == recipe.training.steps
        assert row["parameters"] == parameters


def test_the_recorded_grammar_was_learned_by_this_recipe():
    for row in json.loads((RESULTS / "grammar.json").read_text())["result"]["rows"]:
        assert row["step"] == RECIPES["grammar", "quick"].training.steps
        assert row["sentences"] == GRAMMAR_TEST
