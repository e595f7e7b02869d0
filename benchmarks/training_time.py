"""How long would the quick Multi30k training take in fp32, as on most laptops?

Fast bf16 needs a processor with AVX512-BF16 or AMX. Some steps of the recipe are taken
in either precision, in turns, on all cores; their time, multiplied, gives the whole
training's. It is extrapolated, not run to its end.
"""

import argparse
import statistics
from collections.abc import Callable
from dataclasses import replace

from record import save
from timing import interleaved, ratio

from tt_utils.models.transformer import Transformer
from tt_utils.runtime import best_device
from tt_utils.training.loop import train
from tt_utils.training.recipes import prepare

PRECISIONS = ("fp32", "bf16")


def main() -> None:
    """Take the steps and multiply."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    ready = prepare("multi30k", "quick")

    def taking_steps(precision: str) -> Callable[[], object]:
        model = Transformer(ready.model).to(best_device())
        settings = replace(
            ready.training, steps=given.steps, warmup=1, precision=precision
        )
        return lambda: train(model, ready.data, settings)

    actions = {precision: taking_steps(precision) for precision in PRECISIONS}
    times = interleaved(actions, given.rounds)
    rows = []
    for precision in PRECISIONS:
        per_step = [seconds / given.steps for seconds in times[precision]]
        minutes = [ready.training.steps * seconds / 60 for seconds in per_step]
        rows.append(
            {
                "precision": precision,
                "seconds_per_step": statistics.median(per_step),
                "minutes": statistics.median(minutes),
                "minutes_range": [min(minutes), max(minutes)],
                **ratio(times["fp32"], times[precision]),
            }
        )
        print(rows[-1])
    result = {
        "rows": rows,
        "steps_measured": given.steps,
        "steps": ready.training.steps,
    }
    save("training_time", result, best_device())


if __name__ == "__main__":
    main()
