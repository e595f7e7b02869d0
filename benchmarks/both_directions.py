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
from dataclasses import dataclass, replace
from pathlib import Path

from captions import trained_and_scored
from record import save

from tt_utils.data.batching import Batch, PairBatches
from tt_utils.runtime import best_device
from tt_utils.training.recipes import Budget, prepare


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
        rows.append(trained(way == "both first", given.budget, seed, out))
        print(rows[-1], flush=True)
    result = {"direction": "en-de", "budget": given.budget, "rows": rows}
    save(f"both_directions_{given.budget}", result, best_device())


def trained(
    both_first: bool, budget: Budget, seed: int, out: Path
) -> dict[str, object]:
    """Learn both ways first or not; say how good the translator became."""
    ready = prepare("multi30k", budget, "en", "de", seed)
    both_epoch = len(BothFirst(ready.data, 0).both.order(0))
    steps = ready.training.steps
    epochs = round(steps / 3 / both_epoch) if both_first else 0
    data = BothFirst(ready.data, epochs)
    scores = trained_and_scored(ready, data, ready.training, out)
    return {"steps_both_ways": epochs * both_epoch} | scores


if __name__ == "__main__":
    main()
