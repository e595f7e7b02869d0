"""Does BPE-dropout pay in a long training? Multi30k, en to de, the budget full.

A short race (`one_idea.py`) can't judge what is meant against overfitting. Here every
epoch cuts the words anew, in steps that cost what those of the recorded
`multi30k.py --budget full` do; with fewer of them, the average is in proportion. A
training in the folder `--out` is resumed, not begun again.
"""

import argparse
from dataclasses import replace
from pathlib import Path

from captions import batcher, trained_and_scored
from one_idea import CutAnew
from record import save

from tt_utils.runtime import best_device
from tt_utils.training.recipes import prepare


def main() -> None:
    """Train, judge on the validation captions, and score the test captions once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("runs/multi30k-en-de-cuts"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, help="as many as the recipe if not given")
    given = parser.parse_args()
    ready = prepare("multi30k", "full", "en", "de", given.seed)
    recipe = ready.training
    steps = given.steps or recipe.steps
    config = replace(
        recipe, steps=steps, average=round(steps / recipe.steps * recipe.average)
    )
    data = CutAnew(ready.corpus.train, ready.target, batcher(ready))
    result = {"direction": "en-de"}
    result |= trained_and_scored(ready, data, config, given.out)
    print(result)
    save("long_idea", result, best_device())


if __name__ == "__main__":
    main()
