"""English captions: how well does a decoder-only model foresee them, beside counting?

The model, a Kneser–Ney model of order 4 and both mixed half and half, in bits per
character of the 1,014 validation captions; with 2,000, 8,000 and 29,000 captions to
learn from, the same for both. Three seeds; and as a control two seeds mixed.
"""

import time
from itertools import combinations

import torch
from record import save

from tt_utils.data.captions import load_captions
from tt_utils.evaluation.kneser_ney import KneserNey
from tt_utils.evaluation.language_model import (
    bits_per_character,
    log_probabilities,
    mixed,
)
from tt_utils.runtime import seed_everything
from tt_utils.training.loop import train
from tt_utils.training.recipes_captions import prepare

# Texts and steps: the fewer texts, the sooner a model has them by heart.
SIZES = {2_000: 300, 8_000: 600, 29_000: 1_200}
SEEDS = (0, 1, 2)


def main() -> None:
    """Train and score every size and seed."""
    torch.set_num_threads(1)
    captions, rows, controls = load_captions(), [], []
    for size, steps in SIZES.items():
        trained = []
        for seed in SEEDS:
            ready = prepare(captions.train[:size], steps, seed)
            learned, judged = map(ready.rows, (captions.train[:size], captions.valid))
            start = time.process_time()
            counting = KneserNey(learned, len(ready.tokenizer))
            counted = [counting.log_probabilities(ids) for ids in judged]
            counting_seconds = time.process_time() - start
            seed_everything(seed)
            model = ready.build()
            start = time.process_time()
            train(model, ready.data, ready.training)
            seconds = time.process_time() - start
            scores = log_probabilities(model, judged)
            trained.append(scores)
            both = mixed(scores, counted)
            named = {"model": scores, "counting": counted, "mixed": both}
            bits = {
                name: bits_per_character(each, captions.valid)
                for name, each in named.items()
            }
            won = sum(a.sum() > b.sum() for a, b in zip(scores, counted, strict=True))
            rows.append(
                {
                    **{"captions": size, "steps": steps, "seed": seed, **bits},
                    "model_better": int(won),
                    "cpu_seconds": seconds,
                    "counting_cpu_seconds": counting_seconds,
                }
            )
            print(rows[-1], flush=True)
        controls += [
            {
                **{"captions": size, "seeds": [i, j]},
                "two_models": bits_per_character(
                    mixed(trained[i], trained[j]), captions.valid
                ),
            }
            for i, j in combinations(range(len(SEEDS)), 2)
        ]
        print(controls[-1], flush=True)
    save("captions", {"rows": rows, "controls": controls})


if __name__ == "__main__":
    main()
