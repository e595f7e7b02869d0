"""How good a trained translator is, on sentences that it never saw."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float

from tt_utils.data.batching import IdPair, make_batch
from tt_utils.data.corpora import (
    TextPair,
    check_data,
    encode_pairs,
    grammar_test_pairs,
    load_corpus,
)
from tt_utils.data.grammar import SentencePair
from tt_utils.data.tokenizer import join_words
from tt_utils.decoding.translator import Translator
from tt_utils.evaluation.alignment import (
    Alignment,
    alignment_error_rate,
    hard_alignment,
)
from tt_utils.evaluation.bleu import Bleu, corpus_bleu, exact_match
from tt_utils.models.transformer import Transformer
from tt_utils.modes import evaluating


@dataclass(frozen=True)
class TranslationReport:
    """`exact` is a share; `alignment_error` needs gold links, which few data have.

    Many published scores of Multi30k are of lower-cased text: `bleu_lowercased`.
    """

    sentences: int
    exact: float
    bleu: Bleu
    bleu_lowercased: Bleu
    alignment_error: float | None = None


def evaluate(
    translator: Translator, beam_size: int = 4, show_progress: bool = False
) -> TranslationReport:
    """Compare translations of the test sentences with their references.

    They are those of the data that the model was trained on; it never saw them.
    """
    about = translator.about
    has_links = about["data"] == "grammar"
    sources, references = map(list, zip(*held_out_texts(about), strict=True))
    outputs = translator.translate(sources, beam_size, show_progress=show_progress)
    return TranslationReport(
        sentences=len(sources),
        exact=exact_match(as_words(outputs), as_words(references)),
        bleu=corpus_bleu(outputs, references),
        bleu_lowercased=corpus_bleu(outputs, references, lowercase=True),
        alignment_error=(
            alignment_error(translator, grammar_test_pairs()) if has_links else None
        ),
    )


def held_out_texts(about: dict[str, Any]) -> list[TextPair]:
    """Give the test sentences of the named data, as people write them."""
    check_data(about["data"])
    if about["data"] == "multi30k":
        return load_corpus("multi30k", about["source"], about["target"]).test
    pairs = grammar_test_pairs()
    return [(join_words(pair.source), join_words(pair.target)) for pair in pairs]


def as_words(texts: Sequence[str]) -> list[list[str]]:
    """Split each text at its spaces."""
    return [text.split() for text in texts]


def alignment_error(translator: Translator, pairs: Sequence[SentencePair]) -> float:
    """Compare where the translator looks with the gold links of the pairs."""
    return alignment_error_rate(
        attended_links(translator, pairs),
        [pair.alignment for pair in pairs],
        [pair.sure for pair in pairs],
    )


def attended_links(
    translator: Translator, pairs: Sequence[SentencePair], rows: int = 200
) -> list[Alignment]:
    """Link each target word to the source word that its prediction attends to most.

    The weights are the mean over the heads of the last layer's cross-attention, while
    the decoder reads the right words: teacher forcing. `rows` pairs make a batch.
    """
    words = [(pair.source, pair.target) for pair in pairs]
    ids = encode_pairs(words, translator.source, translator.target)
    found = []
    for start in range(0, len(pairs), rows):
        weights = cross_attention(translator.model, ids[start : start + rows])
        for pair, mean in zip(pairs[start : start + rows], weights, strict=True):
            found.append(hard_alignment(mean[: len(pair.target), : len(pair.source)]))
    return found


def cross_attention(
    model: Transformer, pairs: Sequence[IdPair]
) -> Float[np.ndarray, "batch t_tgt t_src"]:
    """Average the heads of the last layer's cross-attention; dropout is off."""
    device = next(model.parameters()).device
    batch = make_batch(pairs, model.config.pad_id)
    with evaluating(model):
        weights = model.attention_weights(batch.src.to(device), batch.tgt.to(device))
    return weights.cross[-1].mean(dim=1).cpu().numpy()
