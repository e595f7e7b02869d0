"""Do small models translate better together? Multi30k, en to de.

Models that `narrow_model.py` trained write each sentence together: for every next
piece the mean of their probabilities counts. (In papers: an ensemble.) Each model alone
is judged beside them, with the same search; `cpu_seconds` is what the validation
captions took. The gain over each alone has a paired interval: the same captions are
drawn for both.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path

import torch
from record import save
from torch import Tensor, nn

from tt_utils.blocks.cache import DecoderCache
from tt_utils.data.corpora import load_corpus
from tt_utils.decoding.translator import Translator
from tt_utils.evaluation.bleu import (
    FEWEST_SAMPLES,
    bootstrap,
    corpus_bleu,
    sacrebleu_metric,
)
from tt_utils.models.transformer import Transformer
from tt_utils.runtime import best_device

SAMPLES, SEED = 1_000, 12345


class Vote(nn.Module):
    """Models of one vocabulary, to a search like one: their numbers side by side."""

    def __init__(self, models: Sequence[Transformer]) -> None:
        super().__init__()
        self.models = nn.ModuleList(models)
        self.widths = [model.config.d_model for model in models]
        layers = sum(model.config.n_decoder_layers for model in models)
        self.config = replace(models[0].config, n_decoder_layers=layers)

    def encode(self, src: Tensor, src_mask: Tensor) -> Tensor:
        """Give all memories side by side, (batch, t_src, sum of widths)."""
        return torch.cat([model.encode(src, src_mask) for model in self.models], -1)

    def decode(
        self, tgt: Tensor, memory: Tensor, src_mask: Tensor, cache: DecoderCache
    ) -> Tensor:
        """Run each decoder on its own memory, with its own layers of the cache."""
        layers, found = iter(cache.layers), []
        for model, own in zip(
            self.models, memory.split(self.widths, dim=-1), strict=True
        ):
            part = DecoderCache(0, 0, 0)
            part.layers = list(islice(layers, model.config.n_decoder_layers))
            found.append(model.decode(tgt, own, src_mask, part))
        return torch.cat(found, dim=-1)

    def generator(self, x: Tensor) -> Tensor:
        """Give the logits: the logarithm of the sum of all probabilities.

        That it is not their mean makes no difference: a softmax follows.
        """
        parts = zip(self.models, x.split(self.widths, dim=-1), strict=True)
        logs = [model.generator(own).log_softmax(dim=-1) for model, own in parts]
        return torch.stack(logs).logsumexp(dim=0)


def main() -> None:
    """Score each model, and all together."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    given = parser.parse_args()
    names = [folder.name for folder in given.folders]
    if len(names) < 2 or len(set(names)) < len(names):
        parser.error("give two folders or more, each of another name")
    alone = [Translator.load(folder, best_device()) for folder in given.folders]
    if len({str(translator.target.to_json()) for translator in alone}) > 1:
        parser.error("their pieces differ, so their probabilities can't be added")
    vote = Vote([translator.model for translator in alone])
    rows, outputs = [], []
    for name, translator in zip(
        [*names, "together"], [*alone, replace(alone[0], model=vote)], strict=True
    ):
        row, found = scored(translator)
        rows.append({"name": name} | row)
        outputs.append(found)
        print(rows[-1], flush=True)
    references = {split: sides[1] for split, sides in texts(alone[0]).items()}
    *single, together = outputs
    for row, found in zip(rows, single, strict=False):
        row["gain of the vote"] = {
            split: paired_gain(together[split], found[split], references[split])
            for split in references
        }
    save("vote", {"direction": "en-de", "rows": rows}, best_device())


def scored(translator: Translator) -> tuple[dict[str, object], dict[str, list[str]]]:
    """Score the validation and the test captions; give the translations, too."""
    row: dict[str, object] = {
        "parameters": sum(p.numel() for p in translator.model.parameters())
    }
    outputs = {}
    for split, (sources, references) in texts(translator).items():
        started = time.process_time()
        outputs[split] = translator.translate(sources)
        row.setdefault("cpu_seconds", time.process_time() - started)
        row[split] = asdict(corpus_bleu(outputs[split], references))
    return row, outputs


def texts(translator: Translator) -> dict[str, tuple[list[str], list[str]]]:
    """Give the sources and references of the captions that no model has read."""
    about = translator.about
    corpus = load_corpus("multi30k", about["source"], about["target"])
    return {
        name: tuple(map(list, zip(*pairs, strict=True)))
        for name, pairs in (("validation", corpus.valid), ("test", corpus.test))
    }


def paired_gain(
    better: list[str], other: list[str], references: list[str]
) -> dict[str, float]:
    """Say how much more BLEU one has, with the middle 95 % over drawn captions."""
    metric = sacrebleu_metric(lowercase=False)
    scores = [
        bootstrap(metric, outputs, references, SAMPLES, SEED)
        for outputs in (better, other)
    ]
    apart = sorted(one - two for one, two in zip(*scores, strict=True))
    cut = SAMPLES // FEWEST_SAMPLES
    first, second = (
        corpus_bleu(outputs, references, samples=0) for outputs in (better, other)
    )
    gain = first.score - second.score
    return {"gain": gain, "low": apart[cut], "high": apart[-1 - cut]}


if __name__ == "__main__":
    main()
