"""The published figures: what is scored, against which references, with which links."""

import gzip
from dataclasses import asdict, dataclass, field
from itertools import pairwise

import pytest
import torch

from tt_utils.data import corpora, multi30k
from tt_utils.data.grammar import SentencePair
from tt_utils.data.grammar.lexicon import ADJECTIVES, NOUNS
from tt_utils.data.grammar.rules import held_out
from tt_utils.data.tokenizer import BOS, EOS, PAD, WordTokenizer
from tt_utils.decoding.translator import Translator
from tt_utils.evaluation import translation
from tt_utils.evaluation.bleu import corpus_bleu
from tt_utils.evaluation.translation import (
    alignment_error,
    attended_links,
    evaluate,
    held_out_texts,
)
from tt_utils.models.transformer import (
    AttentionWeights,
    Transformer,
    TransformerConfig,
)

GRAMMAR = {"data": "grammar"}
CAPTIONS = {"data": "multi30k", "source": "de", "target": "en"}

# "The red ball is red", so to say: of other lengths on either side, so that one is
# padded in the other's batch.
LONG = SentencePair(
    source=["is", "the", "ball", "red", "?"],
    target=["¿", "es", "roja", "la", "bola", "?"],
    alignment={(4, 0), (0, 1), (3, 2), (1, 3), (2, 4), (4, 5)},
    sure={(0, 1), (3, 2)},
)
SHORT = SentencePair(
    source=["the", "ball"],
    target=["la", "bola"],
    alignment={(0, 0), (1, 1)},
    sure={(1, 1)},
)
PAIRS = [LONG, SHORT]


def tokenizers():
    return tuple(
        WordTokenizer.from_sentences(getattr(pair, side) for pair in PAIRS)
        for side in ("source", "target")
    )


def small_config(**changes):
    source, target = tokenizers()
    sizes = {"d_model": 12, "d_ff": 20, "n_heads": 2, "max_len": 32, "dropout": 0.0}
    layers = {"n_encoder_layers": 1, "n_decoder_layers": 2}
    return TransformerConfig(len(source), len(target), **sizes | layers | changes)


def small_translator(model_class=Transformer, about=GRAMMAR, **changes):
    torch.manual_seed(0)
    model = model_class(small_config(**changes)).eval()
    return Translator(model, *tokenizers(), about)


# Where the model looks


class Staring(Transformer):
    """Looks at places that are known beforehand.

    In the last layer both heads together look at source word j for target word j, at
    </s> for the target's end, and most of all at words that are not there. The first
    layer looks at the first word, and the first head of the last layer at the second.
    """

    def attention_weights(self, src, tgt):
        rows, t_src, t_tgt = len(src), src.shape[1], tgt.shape[1]
        first = torch.zeros(rows, 2, t_tgt, t_src)
        first[..., 0] = 1.0
        last = torch.zeros(rows, 2, t_tgt, t_src)
        last[:, 0, :, 1] = 0.5
        for row in range(rows):
            words = int((src[row] != PAD).sum()) - 1
            last[row, 1, :, words:] = 0.9
            for j in range(t_tgt):
                last[row, 1, j, j % words] = 0.6
        return AttentionWeights(cross=[first, last])


@pytest.mark.parametrize("rows", [1, 2, 200])
def test_links_are_read_off_the_last_layers_mean_over_heads(rows):
    links = attended_links(small_translator(Staring), PAIRS, rows)
    # The last of LONG's six target words starts again at the first source word.
    assert links == [
        {(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (0, 5)},
        {(0, 0), (1, 1)},
    ]


def test_the_alignment_error_by_hand():
    # Of LONG, found are 6 links: none is sure, none is gold. Of SHORT 2: one is sure,
    # both are gold. Links that must be found: 2 and 1. 1 - (1 + 2)/(8 + 3).
    assert alignment_error(small_translator(Staring), PAIRS) == pytest.approx(8 / 11)


def test_links_are_those_of_each_sentence_alone():
    translator = small_translator()
    expected = []
    for pair in PAIRS:
        src = torch.tensor([[*translator.source.encode(pair.source), EOS]])
        tgt = torch.tensor([[BOS, *translator.target.encode(pair.target)]])
        layers = translator.model.attention_weights(src, tgt).cross
        by_layer = []
        for weights in layers:
            mean = weights[0].mean(dim=0)[: len(pair.target), : len(pair.source)]
            found = mean.argmax(dim=1).tolist()
            by_layer.append({(i, j) for j, i in enumerate(found)})
        expected.append(by_layer)
    assert attended_links(translator, PAIRS) == [last for _, last in expected]
    assert any(first != last for first, last in expected), "else nothing is tested"


def test_the_link_of_a_word_is_made_before_the_word_is_read():
    translator = small_translator()
    found = attended_links(translator, [LONG])[0]
    for changed in range(len(LONG.target)):
        target = list(LONG.target)
        target[changed] = "bola" if target[changed] != "bola" else "la"
        other = attended_links(
            translator, [SentencePair(LONG.source, target, set(), set())]
        )[0]
        before = {(i, j) for i, j in found if j <= changed}
        assert {(i, j) for i, j in other if j <= changed} == before


def test_attention_is_read_without_dropout_and_the_mode_stays_as_it_was():
    translator = small_translator(dropout=0.7)
    still = attended_links(translator, PAIRS * 20)
    assert not translator.model.training
    translator.model.train()
    assert attended_links(translator, PAIRS * 20) == still
    assert translator.model.training


# What is scored


@dataclass(frozen=True)
class Reciting(Translator):
    """Writes what it is told to write, and notes what it was asked."""

    outputs: list[str] = field(default_factory=list)
    asked: list = field(default_factory=list)

    def translate(self, texts, beam_size=4, max_tokens=4_096, show_progress=False):
        self.asked.append((list(texts), beam_size, show_progress))
        return self.outputs


def reciting(outputs, about=GRAMMAR):
    one = small_translator(Staring)
    return Reciting(one.model, one.source, one.target, about, outputs)


@pytest.fixture
def two_pairs(monkeypatch):
    monkeypatch.setattr(translation, "grammar_test_pairs", lambda: PAIRS)


@pytest.mark.usefixtures("two_pairs")
def test_a_report_of_the_grammar_by_hand():
    outputs = ["¿es roja la bola?", "La bola"]
    translator = reciting(outputs)
    report = evaluate(translator, beam_size=3, show_progress=True)
    assert translator.asked == [(["is the ball red?", "the ball"], 3, True)]
    assert report.sentences == 2
    assert report.exact == 0.5
    references = ["¿es roja la bola?", "la bola"]
    assert report.bleu == corpus_bleu(outputs, references)
    assert report.bleu_lowercased == corpus_bleu(outputs, references, lowercase=True)
    assert report.bleu.score < report.bleu_lowercased.score == pytest.approx(100)
    assert report.alignment_error == pytest.approx(8 / 11)


@pytest.mark.usefixtures("two_pairs")
def test_by_default_four_beams_are_scored_in_silence():
    translator = reciting(["la bola", "la bola"])
    evaluate(translator)
    assert [rest for _, *rest in translator.asked] == [[4, False]]


@pytest.mark.usefixtures("two_pairs")
def test_an_output_counts_as_exact_whatever_its_spaces():
    assert evaluate(reciting(["¿es  roja la bola? ", "la"])).exact == 0.5


def captions_of(split, source="de", target="en"):
    return [
        (f"{split} {source} {i}", f"{split} {target} {i} of these") for i in range(3)
    ]


@pytest.mark.parametrize(("source", "target"), [("de", "en"), ("en", "de")])
def test_captions_are_scored_on_the_test_of_2016_in_the_direction_that_was_learned(
    monkeypatch, source, target
):
    monkeypatch.setattr(multi30k, "load", captions_of)
    about = {"data": "multi30k", "source": source, "target": target}
    test = captions_of("test_2016_flickr", source, target)
    assert held_out_texts(about) == test
    translator = reciting([reference for _, reference in test], about)
    report = evaluate(translator)
    assert translator.asked[0][0] == [caption for caption, _ in test]
    assert report.exact == 1
    assert report.sentences == 3
    assert report.alignment_error is None
    assert set(asdict(report)) == {
        *("sentences", "exact", "bleu", "bleu_lowercased", "alignment_error")
    }


def test_the_corpus_of_captions_keeps_its_splits_apart(monkeypatch):
    monkeypatch.setattr(multi30k, "load", captions_of)
    corpus = corpora.load_corpus("multi30k", "en", "de")
    assert corpus.train == captions_of("train", "en", "de")
    assert corpus.valid == captions_of("val", "en", "de")
    assert corpus.test == captions_of("test_2016_flickr", "en", "de")


def test_the_captions_themselves_are_those_of_the_file(real_multi30k):
    sides = [
        gzip.decompress(
            (real_multi30k / f"test_2016_flickr.{language}.gz").read_bytes()
        )
        .decode()
        .splitlines()
        for language in ("de", "en")
    ]
    assert held_out_texts(CAPTIONS) == list(zip(*sides, strict=True))
    assert len(sides[0]) == 1_000


def test_other_data_are_refused():
    with pytest.raises(ValueError, match=r"^data is 'wmt'; choose one of grammar, "):
        held_out_texts({"data": "wmt"})


# Sentences that training never showed


@pytest.fixture(scope="module")
def grammar():
    with pytest.MonkeyPatch.context() as patch:
        for name, number in (("PAIRS", 400), ("VALID", 40), ("TEST", 100)):
            patch.setattr(corpora, f"GRAMMAR_{name}", number)
        return corpora.load_corpus("grammar"), corpora.grammar_test_pairs()


def share_with_held_out_words(sources):
    """Of the sentences, those where a held-out adjective stands beside its noun."""
    adjectives, nouns = {a.en for a in ADJECTIVES}, {n.en for n in NOUNS}
    shown = [
        any(
            one in adjectives and two in nouns and held_out((one, two))
            for one, two in pairwise(words)
        )
        for words in map(str.split, sources)
    ]
    return sum(shown) / len(shown)


def test_test_sentences_hold_combinations_that_training_never_shows(grammar):
    corpus, _ = grammar
    assert share_with_held_out_words([source for source, _ in corpus.train]) == 0
    assert share_with_held_out_words([source for source, _ in corpus.valid]) == 0
    assert share_with_held_out_words([source for source, _ in corpus.test]) > 0.25


def test_the_scored_sentences_are_those_that_the_corpus_keeps_apart(grammar):
    corpus, pairs = grammar
    assert corpus.test == [(" ".join(p.source), " ".join(p.target)) for p in pairs]
    sources = [{source for source, _ in split} for split in vars(corpus).values()]
    assert [len(split) for split in sources] == [400, 40, 100]
    assert len(set.union(*sources)) == 540, "no sentence is in two splits"


def test_as_many_sentences_are_scored_as_the_results_say():
    assert (corpora.GRAMMAR_PAIRS, corpora.GRAMMAR_TEST) == (100_000, 2_000)
