"""Does it pay to learn both directions first? Multi30k, en to de, the budget full.

Bidirectional training: for the first third of the steps every pair of captions is
learned both ways, en to de and de to en, with no sign which is asked; then en to de
alone. All else is the recorded `multi30k.py --budget full`, its number of steps too, so
that the two cost the same. A training in the folder `--out` is resumed.

Source: Ding et al. 2021.
"""

import argparse
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

from one_idea import in_batches, judged
from record import save

from tt_utils.checkpoint import load_checkpoint
from tt_utils.data.batching import Batch, PairBatches
from tt_utils.decoding.translator import Translator
from tt_utils.evaluation.translation import evaluate
from tt_utils.models.transformer import Transformer
from tt_utils.runtime import best_device, seed_everything
from tt_utils.training.loop import train
from tt_utils.training.loss import validation_loss
from tt_utils.training.recipes import RECIPES, prepare, suited

RECIPE = RECIPES["multi30k", "full"]
LOOKS = 20  # at the validation captions, and checkpoints


@dataclass(frozen=True)
class BothFirst:
    """So many epochs of both directions, then epochs of one."""

    one: PairBatches
    epochs: int

    @property
    def both(self) -> PairBatches:
        """Every pair as it is and turned round."""
        turned = [(target, source) for source, target in self.one.pairs]
        return replace(self.one, pairs=[*self.one.pairs, *turned])

    def epoch(self, seed: str, start: int = 0) -> Iterator[Batch]:
        """Yield an epoch; the last word of its seed is its number."""
        data = self.both if int(seed.split()[-1]) < self.epochs else self.one
        return data.epoch(seed, start)

    def fingerprint(self) -> str:
        """Tell this data from other data."""
        return f"{self.epochs} epochs both ways, then {self.one.fingerprint()}"


def main() -> None:
    """Train, judge on the validation captions, and score the test captions once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("runs/multi30k-both-ways"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=RECIPE.training.steps)
    given = parser.parse_args()
    ready = prepare("multi30k", "full", "en", "de", given.seed)
    config = replace(
        suited(ready.training, best_device()),
        steps=given.steps,
        average=round(given.steps / RECIPE.training.steps * RECIPE.training.average),
    )
    both_epoch = len(BothFirst(ready.data, 0).both.order(0))
    data = BothFirst(ready.data, round(given.steps / 3 / both_epoch))
    seed_everything(given.seed)
    model = Transformer(ready.model).to(best_device())
    train(
        model,
        data,
        config,
        validate=lambda model: validation_loss(model, ready.valid),
        checkpoint=given.out,
        every=max(1, given.steps // LOOKS),
        vocabulary=ready.vocabulary,
    )
    translator = Translator(model, ready.source, ready.target, ready.about)
    ids = ready.target.pad_id, ready.target.bos_id, ready.target.eos_id
    batches = partial(in_batches, recipe=RECIPE, ids=ids)
    result = {
        "direction": "en-de",
        "seed": given.seed,
        "steps": config.steps,
        "steps_both_ways": data.epochs * both_epoch,
        "history": load_checkpoint(given.out).info["history"],
        "validation": judged(translator, ready.corpus.valid, batches),
        "greedy": asdict(evaluate(translator, beam_size=1)),
        "beam 4": asdict(evaluate(translator, beam_size=4)),
    }
    print(result)
    save("both_directions", result, best_device())


if __name__ == "__main__":
    main()
