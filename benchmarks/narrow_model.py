"""Does a narrower model translate better for the same computing time? Multi30k, en-de.

The idea: 29,000 captions are few, and a narrow model has less to overfit with; its
steps cost less, so that it takes more of them. A step's cost is measured in turns with
the *quick* recipe's steps, as in `one_idea.py`; the average grows with the number of
steps, and the learning rate rises as the width falls. All else is the recipe of
`multi30k.py`, its 400 steps of warm-up too. A training in the folder `--runs` is
resumed, not begun again, if `--cost` is given as it was measured.

Source: Wu et al. 2021, whose best Transformer on these captions is 128 wide.
"""

import argparse
from dataclasses import replace
from pathlib import Path

from captions import trained_and_scored
from one_idea import Idea, cost_of_step
from record import save

from tt_utils.runtime import best_device
from tt_utils.training.recipes import prepare

SIZES = {
    192: {"d_model": 192, "d_ff": 384},
    128: {"d_model": 128, "d_ff": 256, "n_encoder_layers": 4, "n_decoder_layers": 4},
}


def main() -> None:
    """Train each width for what the recipe costs, and score it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    parser.add_argument("--budget", choices=("quick", "full"), default="quick")
    parser.add_argument("--width", type=int, choices=SIZES, required=True)
    parser.add_argument("--cost", type=float, help="of a step; measured if not given")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    sizes = SIZES[given.width]
    ready = prepare("multi30k", given.budget, "en", "de", given.seed)
    cost = given.cost or cost_of_step(
        Idea(f"{given.width} wide", sizes=tuple(sizes.items())), ready.corpus
    )
    recipe, wide = ready.training, ready.model.d_model
    config = replace(
        recipe,
        steps=round(recipe.steps / cost),
        average=round(recipe.average / cost),
        peak_lr=recipe.peak_lr * wide / given.width,
    )
    ready = replace(ready, model=replace(ready.model, **sizes))
    out = given.runs / f"{given.width}-wide-{given.budget}-{given.seed}"
    result = {"direction": "en-de", "budget": given.budget, "width": given.width}
    result |= {"step_cost": cost, "peak_lr": config.peak_lr}
    result |= trained_and_scored(ready, ready.data, config, out)
    print(result)
    save(f"narrow_model_{given.width}_{given.budget}", result, best_device())


if __name__ == "__main__":
    main()
