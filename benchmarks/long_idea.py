"""Does BPE-dropout pay in a long training? Multi30k, en to de, the budget full.

A short race (`one_idea.py`) can't judge what is meant against overfitting. Here every
epoch cuts the words anew, in steps that cost what those of the recorded
`multi30k.py --budget full` do; with fewer of them, the average is in proportion. A
training in the folder `--out` is resumed, not begun again.
"""

import argparse
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

from one_idea import CutAnew, in_batches, judged
from record import save

from tt_utils.checkpoint import load_checkpoint
from tt_utils.decoding.translator import Translator
from tt_utils.evaluation.translation import evaluate
from tt_utils.models.transformer import Transformer
from tt_utils.runtime import best_device, seed_everything
from tt_utils.training.loop import train
from tt_utils.training.loss import validation_loss
from tt_utils.training.recipes import RECIPES, prepare, suited

RECIPE = RECIPES["multi30k", "full"]
EVERY = RECIPE.training.steps // 20  # steps between two looks at the validation


def main() -> None:
    """Train, judge on the validation captions, and score the test captions once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("runs/multi30k-en-de-cuts"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=RECIPE.training.steps)
    given = parser.parse_args()
    ready = prepare("multi30k", "full", "en", "de", given.seed)
    ids = ready.target.pad_id, ready.target.bos_id, ready.target.eos_id
    batches = partial(in_batches, recipe=RECIPE, ids=ids)
    share = given.steps / RECIPE.training.steps
    config = replace(
        suited(ready.training, best_device()),
        steps=given.steps,
        average=round(share * RECIPE.training.average),
    )
    seed_everything(given.seed)
    model = Transformer(ready.model).to(best_device())
    train(
        model,
        CutAnew(ready.corpus.train, ready.target, batches),
        config,
        validate=lambda model: validation_loss(model, ready.valid),
        checkpoint=given.out,
        every=EVERY,
        vocabulary=ready.vocabulary,
    )
    translator = Translator(model, ready.source, ready.target, ready.about)
    result = {
        "direction": "en-de",
        "seed": given.seed,
        "steps": config.steps,
        "history": load_checkpoint(given.out).info["history"],
        "validation": judged(translator, ready.corpus.valid, batches),
        "greedy": asdict(evaluate(translator, beam_size=1)),
        "beam 4": asdict(evaluate(translator, beam_size=4)),
    }
    print(result)
    save("long_idea", result, best_device())


if __name__ == "__main__":
    main()
