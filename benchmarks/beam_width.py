"""Does a wider beam find better translations? Multi30k, with and without a penalty.

The model is that of the quick budget, trained in fewer steps. A training that was done
before, in the folder `--runs`, is not done again.
"""

import argparse
import time
from dataclasses import asdict, replace
from pathlib import Path

import torch
from record import save
from tqdm import tqdm

from tt_utils.blocks.masks import padding_mask
from tt_utils.data.batching import pad
from tt_utils.decoding.search import beam_search
from tt_utils.decoding.translator import ROOM, Translator, batches_of
from tt_utils.evaluation.bleu import corpus_bleu
from tt_utils.evaluation.translation import held_out_texts
from tt_utils.models.transformer import Transformer
from tt_utils.runtime import best_device, seed_everything
from tt_utils.training.loop import train
from tt_utils.training.loss import validation_loss
from tt_utils.training.recipes import prepare, suited

WIDTHS = (1, 2, 4, 8, 16, 32, 64)
PENALTIES = (0.0, 0.6, 1.4)  # the exponent of beam search's length penalty
LOOK_BACK = 9  # the average of the weights looks back on a ninth of the steps
MAX_TOKENS = 4_096  # of all beams that are in work at once


def main() -> None:
    """Train if need be, then search with every width and penalty."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    parser.add_argument("--direction", choices=("de-en", "en-de"), default="de-en")
    parser.add_argument("--steps", type=int, default=1_800)
    parser.add_argument("--sentences", type=int, default=500)
    given = parser.parse_args()
    folder = given.runs / f"beam-{given.direction}"
    losses = trained(folder, given.direction, given.steps)
    translator = Translator.load(folder, best_device())
    pairs = held_out_texts(translator.about)[: given.sentences]
    rows = []
    for penalty in PENALTIES:
        for width in WIDTHS:
            rows.append(searched(translator, pairs, width, penalty))
            print(rows[-1], flush=True)
    result = {
        "direction": given.direction,
        "steps": len(losses),
        "sentences": len(pairs),
        "rows": rows,
    }
    save("beam_width", result, best_device())


def trained(folder: Path, direction: str, steps: int) -> list[float]:
    """Train, or go on after a stop; give the loss of every step."""
    device = best_device()
    ready = prepare("multi30k", "quick", *direction.split("-"))
    config = replace(
        suited(ready.training, device), steps=steps, average=steps // LOOK_BACK
    )
    seed_everything(config.seed)
    return train(
        Transformer(ready.model).to(device),
        ready.data,
        config,
        validate=lambda model: validation_loss(model, ready.valid),
        checkpoint=folder,
        every=max(1, steps // 9),
        vocabulary=ready.vocabulary,
    )


def searched(
    translator: Translator, pairs: list[tuple[str, str]], width: int, penalty: float
) -> dict[str, object]:
    """Translate all sources by one beam search, and judge what it found."""
    model, pad_id = translator.model, translator.model.config.pad_id
    ids = [translator.encode(source) for source, _ in pairs]
    outputs, log_p = [""] * len(pairs), 0.0
    start = time.process_time()
    for group in tqdm(
        list(batches_of(ids, MAX_TOKENS // width)), desc=f"{width} beams, {penalty}"
    ):
        src = pad([ids[i] for i in group], pad_id).to(best_device())
        found = beam_search(model, src, width, penalty, src.shape[1] + ROOM)
        for i, row in zip(group, found.tolist(), strict=True):
            outputs[i] = translator.target.decode(row)
        log_p += log_probability(model, src, found)
    references = [reference for _, reference in pairs]
    bleu = asdict(corpus_bleu(outputs, references))
    words = [sum(len(text.split()) for text in side) for side in (outputs, references)]
    return {
        "width": width,
        "length_penalty": penalty,
        "bleu": bleu.pop("score"),
        **bleu,
        "length_ratio": words[0] / words[1],
        "log_probability": log_p / len(pairs),
        "cpu_seconds": time.process_time() - start,
    }


@torch.no_grad()
def log_probability(model: Transformer, src: torch.Tensor, out: torch.Tensor) -> float:
    """Add up the log-probabilities that the model gives to these sentences."""
    config = model.config
    src_mask = padding_mask(src, config.pad_id)
    begun = torch.cat((torch.full_like(out[:, :1], config.bos_id), out[:, :-1]), dim=1)
    x = model.decode(begun, model.encode(src, src_mask), src_mask)
    log_p = model.generator(x).log_softmax(dim=-1)
    chosen = log_p.gather(-1, out[..., None])[..., 0]
    return chosen.masked_fill(out == config.pad_id, 0.0).sum().item()


if __name__ == "__main__":
    main()
