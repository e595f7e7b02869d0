"""Do two small models translate better together? Multi30k, en to de.

Models that `narrow_model.py` trained write each sentence together: for every next
piece the mean of their probabilities counts. (In papers: an ensemble.) Each model alone
is judged beside them, with the same search; `cpu_seconds` is what the validation
captions took.
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
from tt_utils.evaluation.bleu import corpus_bleu
from tt_utils.evaluation.translation import evaluate
from tt_utils.models.transformer import Transformer
from tt_utils.runtime import best_device


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
        """Give the logarithm of the sum of all probabilities, which are the logits."""
        parts = zip(self.models, x.split(self.widths, dim=-1), strict=True)
        logs = [model.generator(own).log_softmax(dim=-1) for model, own in parts]
        return torch.stack(logs).logsumexp(dim=0)


def main() -> None:
    """Score each model, and all together."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    given = parser.parse_args()
    alone = {
        folder.name: Translator.load(folder, best_device()) for folder in given.folders
    }
    first = next(iter(alone.values()))
    vote = Vote([translator.model for translator in alone.values()])
    rows = []
    for name, translator in (alone | {"together": replace(first, model=vote)}).items():
        if translator.target.to_json() != first.target.to_json():
            raise SystemExit(f"vote: {name} has pieces of its own; none can be added.")
        rows.append({"name": name} | scored(translator))
        print(rows[-1], flush=True)
    save("vote", {"direction": "en-de", "rows": rows}, best_device())


def scored(translator: Translator) -> dict[str, object]:
    """Judge on the validation captions, and score the test's once."""
    about = translator.about
    pairs = load_corpus("multi30k", about["source"], about["target"]).valid
    sources, references = map(list, zip(*pairs, strict=True))
    started = time.process_time()
    outputs = translator.translate(sources)
    return {
        "parameters": sum(p.numel() for p in translator.model.parameters()),
        "cpu_seconds": time.process_time() - started,
        "validation": asdict(corpus_bleu(outputs, references)),
        "beam 4": asdict(evaluate(translator, beam_size=4)),
    }


if __name__ == "__main__":
    main()
