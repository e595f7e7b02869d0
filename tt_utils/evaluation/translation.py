"""How good a trained translator is, on sentences that it never saw."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from tt_utils.data.batching import make_batch
from tt_utils.data.corpora import (
    as_texts,
    check_data,
    encode_pairs,
    grammar_test_pairs,
    load_corpus,
)
from tt_utils.data.grammar import SentencePair
from tt_utils.decoding.translator import Translator, attach_marks
from tt_utils.evaluation.alignment import (
    Alignment,
    alignment_error_rate,
    hard_alignment,
)
from tt_utils.evaluation.bleu import Bleu, corpus_bleu, exact_match


@dataclass(frozen=True)
class Scores:
    """`exact` is a share; `alignment_error` needs gold links, which few data have.

    Many published scores of Multi30k are of lower-cased text: `bleu_lowercased`.
    """

    sentences: int
    exact: float
    bleu: Bleu
    bleu_lowercased: Bleu
    alignment_error: float | None = None


def score(
    translator: Translator, beam_size: int = 4, show_progress: bool = False
) -> Scores:
    """Translate the test sentences of the data that the model was trained on."""
    about = translator.about
    check_data(about["data"])
    if about["data"] == "grammar":
        pairs = grammar_test_pairs()
        texts = [(source, attach_marks(target)) for source, target in as_texts(pairs)]
        error = alignment_error_rate(
            attended_links(translator, pairs),
            [pair.alignment for pair in pairs],
            [pair.sure for pair in pairs],
        )
    else:
        texts = load_corpus("multi30k", about["source"], about["target"]).test
        error = None
    sources, references = map(list, zip(*texts, strict=True))
    outputs = translator.translate(sources, beam_size, show_progress=show_progress)
    exact = exact_match([o.split() for o in outputs], [r.split() for r in references])
    cased, lowercased = (
        corpus_bleu(outputs, references, lowercase=lower) for lower in (False, True)
    )
    return Scores(len(texts), exact, cased, lowercased, error)


@torch.inference_mode()
def attended_links(
    translator: Translator, pairs: Sequence[SentencePair], rows: int = 200
) -> list[Alignment]:
    """Link each target word to the source word that its prediction looks at most.

    The weights are the mean over the heads of the last layer's cross-attention.
    """
    device, found = next(translator.model.parameters()).device, []
    for start in range(0, len(pairs), rows):
        group = pairs[start : start + rows]
        ids = encode_pairs(as_texts(group), translator.source, translator.target)
        batch = make_batch(ids, translator.model.config.pad_id)
        tokens = batch.src.to(device), batch.tgt.to(device)
        weights = translator.model.attention_weights(*tokens).cross[-1]
        for pair, mean in zip(group, weights.mean(dim=1).cpu().numpy(), strict=True):
            found.append(hard_alignment(mean[: len(pair.target), : len(pair.source)]))
    return found
