"""Corpora by name: the right sentences in each split, and vocabularies that fit."""

import gzip

import pytest

from tt_utils.data import corpora, multi30k
from tt_utils.data.corpora import (
    Corpus,
    check_data,
    encode_pairs,
    grammar_test_pairs,
    load_corpus,
    make_tokenizers,
)
from tt_utils.data.grammar.lexicon import ADJECTIVES, NOUNS, VERBS
from tt_utils.data.grammar.rules import held_out, sentences
from tt_utils.data.tokenizer import UNK, WordTokenizer

CAPTIONS = Corpus(
    train=[("Ein Hund läuft.", "A dog runs."), ("Ein Mann läuft.", "A man runs.")],
    valid=[("Ein Hund.", "A dog.")],
    test=[("Ein Kind läuft.", "A child runs.")],
)


@pytest.fixture(scope="module")
def grammar():
    with pytest.MonkeyPatch.context() as patch:
        for name, number in (("PAIRS", 1_000), ("VALID", 100), ("TEST", 100)):
            patch.setattr(corpora, f"GRAMMAR_{name}", number)
        # Checking types would draw this out to minutes.
        patch.setattr("jaxtyping.config.jaxtyping_disable", True)
        yield load_corpus("grammar")


def test_the_splits_of_the_grammar_share_no_sentence(grammar):
    splits = [{source for source, _ in pairs} for pairs in vars(grammar).values()]
    assert [len(split) for split in splits] == [1_000, 100, 100]
    assert len(set().union(*splits)) == 1_200


def side_by_side(text):
    """Adjective-noun and verb-object combinations that stand together in the text.

    Found by the lexicon alone; what may be verb or adjective is left out.
    """
    nouns = {form: n.en for n in NOUNS for form in (n.en, n.en_plural) if form}
    verbs = {v: verb.en for verb in VERBS for v in (verb.en, verb.en_3sg, verb.en_past)}
    adjectives = {a.en for a in ADJECTIVES} - verbs.keys()
    words = [word for word in text.split() if word not in ("the", "a", "an", "my")]
    for i, word in enumerate(words[:-1]):
        following = [w for w in words[i + 1 :] if w not in adjectives][:1]
        if following and following[0] in nouns:
            if word in adjectives:
                yield word, nouns[following[0]]
            elif word in verbs and verbs[word] not in {a.en for a in ADJECTIVES}:
                yield verbs[word], nouns[following[0]]


def shows_held_out(text):
    return any(map(held_out, side_by_side(text)))


def test_only_the_grammars_test_sentences_hold_held_out_combinations(grammar):
    """Two in five hold theirs apart, "the ball is blue", so they don't show it here."""
    for split in (grammar.train, grammar.valid):
        assert not any(shows_held_out(source) for source, _ in split)
    shown = [shows_held_out(source) for source, _ in grammar.test]
    assert sum(shown) / len(shown) > 0.4


def test_every_test_sentence_holds_a_held_out_combination(grammar):
    drawn = sentences(100, seed=1, split="test", aligned=False)
    wanted = {" ".join(p.en): any(map(held_out, p.pairs)) for p in drawn}
    assert [wanted[source] for source, _ in grammar.test] == [True] * 100


def test_test_pairs_are_the_test_sentences_with_their_alignments(grammar):
    pairs = grammar_test_pairs()
    assert [(" ".join(p.source), " ".join(p.target)) for p in pairs] == grammar.test
    assert all(pair.alignment for pair in pairs)


def test_the_captions_are_tested_on_the_flickr_sentences_of_2016(monkeypatch, tmp_path):
    """Each sentence says which file and line it is from."""
    for name in multi30k.FILES:
        (tmp_path / "multi30k").mkdir(exist_ok=True)
        lines = "".join(f"{name} {i}\n" for i in range(3))
        (tmp_path / "multi30k" / name).write_bytes(gzip.compress(lines.encode()))
    monkeypatch.setattr(multi30k, "locate", lambda path, *_: tmp_path / path)
    corpus = load_corpus("multi30k", "en", "de")
    for split, name in [
        (corpus.train, "train"),
        (corpus.valid, "val"),
        (corpus.test, "test_2016_flickr"),
    ]:
        sides = f"{name}.en.gz", f"{name}.de.gz"
        assert split == [tuple(f"{side} {i}" for side in sides) for i in range(3)]


def test_the_captions_themselves_are_tested_on_the_named_file(real_multi30k):
    corpus = load_corpus("multi30k")
    lines = gzip.decompress((real_multi30k / "test_2016_flickr.de.gz").read_bytes())
    assert [source for source, _ in corpus.test] == lines.decode().splitlines()
    assert len(corpus.test) == 1_000


def test_data_that_we_do_not_have_are_named():
    message = r"^data is 'wmt'; choose one of grammar, multi30k\.$"
    with pytest.raises(ValueError, match=message):
        check_data("wmt")


def test_the_grammar_has_a_vocabulary_a_language_from_training_alone(grammar):
    source, target = make_tokenizers("grammar", grammar)
    assert {"the", "I", "?"} <= set(source.words)
    assert {"el", "¿"} <= set(target.words)
    assert "el" not in source.words
    pairs = encode_pairs(grammar.train, source, target)
    assert UNK not in {i for pair in pairs for side in pair for i in side}
    assert source.words_of(pairs[0][0]) == grammar.train[0][0].split()
    few = make_tokenizers("grammar", Corpus(grammar.train[:9], [], grammar.test))
    assert len(few[0]) < len(source)


def test_words_and_their_text_have_the_same_ids(grammar):
    tokenizers = make_tokenizers("grammar", grammar)
    words = [(source.split(), target.split()) for source, target in grammar.test]
    as_words = encode_pairs(words, *tokenizers)
    assert as_words == encode_pairs(grammar.test, *tokenizers)


def test_the_captions_share_one_vocabulary_of_pieces():
    source, target = make_tokenizers("multi30k", CAPTIONS)
    assert source is target
    assert not isinstance(source, WordTokenizer)
    ((german, english),) = encode_pairs(CAPTIONS.test, source, target)
    assert source.decode(german) == "Ein Kind läuft."
    assert target.decode(english) == "A child runs."


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
