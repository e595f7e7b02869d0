"""Does it pay to learn both directions first? Multi30k, en to de.

Bidirectional training: for the first third of the steps every pair of captions is
learned both ways, en to de and de to en, with no sign which is asked; then en to de
alone. The control learns English to German throughout. All else is the recipe of
`multi30k.py`, its number of steps too. A training in the folder `--runs` is resumed,
not begun again.

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
from tt_utils.training.recipes import RECIPES, Budget, prepare, suited

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
    """Train both ways; judge on the validation captions, score the test's once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    parser.add_argument("--budget", choices=("quick", "full"), default="quick")
    parser.add_argument("--both", nargs="*", type=int, default=[0, 1], metavar="SEED")
    parser.add_argument("--one", nargs="*", type=int, default=[0, 1], metavar="SEED")
    given = parser.parse_args()
    trainings = [("both first", seed) for seed in given.both]
    trainings += [("one way", seed) for seed in given.one]
    rows = []
    for way, seed in trainings:
        out = given.runs / f"{way.replace(' ', '-')}-{given.budget}-{seed}"
        rows.append(trained_and_scored(way == "both first", given.budget, seed, out))
        print(rows[-1], flush=True)
    result = {"direction": "en-de", "budget": given.budget, "rows": rows}
    save(f"both_directions_{given.budget}", result, best_device())


def trained_and_scored(
    both_first: bool, budget: Budget, seed: int, out: Path
) -> dict[str, object]:
    """Train into a folder, and say how good the translator became."""
    ready = prepare("multi30k", budget, "en", "de", seed)
    config = suited(ready.training, best_device())
    both_epoch = len(BothFirst(ready.data, 0).both.order(0))
    epochs = round(config.steps / 3 / both_epoch) if both_first else 0
    seed_everything(seed)
    model = Transformer(ready.model).to(best_device())
    train(
        model,
        BothFirst(ready.data, epochs),
        config,
        validate=lambda model: validation_loss(model, ready.valid),
        checkpoint=out,
        every=config.steps // LOOKS,
        vocabulary=ready.vocabulary,
    )
    translator = Translator(model, ready.source, ready.target, ready.about)
    ids = ready.target.pad_id, ready.target.bos_id, ready.target.eos_id
    batches = partial(in_batches, recipe=RECIPES["multi30k", budget], ids=ids)
    return {
        "seed": seed,
        "steps": config.steps,
        "steps_both_ways": epochs * both_epoch,
        "history": load_checkpoint(out).info["history"],
        "validation": judged(translator, ready.corpus.valid, batches),
        "greedy": asdict(evaluate(translator, beam_size=1)),
        "beam 4": asdict(evaluate(translator, beam_size=4)),
    }


if __name__ == "__main__":
    main()
