"""Does a small model keep what was said in a chat? Three seeds of the recipe.

The share of right replies by the distance to the fact, in dialogues as long as in
training and in longer ones; the same model with one exchange of memory; and a training
whose loss counts all tokens, not the replies alone.
"""

import argparse
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import torch
from record import save

from tt_utils.data.dialogue import (
    DONT_KNOW,
    Judged,
    ShortFirst,
    by_distance,
    most_frequent,
    questions,
    share_right,
)
from tt_utils.decoding.chat import replies
from tt_utils.models.gpt import GPT
from tt_utils.runtime import seed_everything
from tt_utils.training.loop import train
from tt_utils.training.recipes_dialogue import (
    EXCHANGES,
    FARTHEST,
    LONGER,
    PreparedDialogues,
    everything,
    fresh_dialogues,
    prepare_dialogues,
)

SEEN = range(1, EXCHANGES)
FAR = range(1, FARTHEST + 1)


def main() -> None:
    """Train from each seed, both ways, and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--steps", type=int, default=0, help="0: the recipe's own")
    given = parser.parse_args()
    torch.set_num_threads(1)  # the model is tiny
    rows = []
    for seed in given.seeds:
        ready = prepare_dialogues(seed)
        if given.steps:
            training = replace(ready.training, steps=given.steps)
            ready = replace(ready, training=training)
        for row in measured(ready):
            rows.append({"seed": seed, "steps": ready.training.steps} | row)
            print(rows[-1], flush=True)
    save("dialogue", {"rows": rows, "guess": guessed()})


def measured(ready: PreparedDialogues) -> Iterator[dict[str, Any]]:
    """Measure the recipe's model, and the one that learned from all tokens."""
    model, seconds = trained(ready, ready.data)
    short, long = fresh_dialogues(EXCHANGES), fresh_dialogues(LONGER)
    near = questions(short, replies(model, ready.tokenizer, short))
    far = questions(long, replies(model, ready.tokenizer, long))
    last = questions(short, replies(model, ready.tokenizer, short, memory=1))
    yield {
        "loss on": "replies",
        "cpu_seconds": round(seconds),
        "near": by_distance(near, SEEN),
        "far": by_distance(far, FAR),
        "one exchange": by_distance(last, SEEN),
    } | summary(near, model, ready)
    model, seconds = trained(ready, everything(ready.data))
    near = questions(short, replies(model, ready.tokenizer, short))
    yield {
        "loss on": "all tokens",
        "cpu_seconds": round(seconds),
        "near": by_distance(near, SEEN),
    } | summary(near, model, ready)


def trained(ready: PreparedDialogues, data: ShortFirst) -> tuple[GPT, float]:
    """Train a model from its seed; tell the CPU seconds."""
    seed_everything(ready.training.seed)
    model = GPT(ready.model)
    start = time.process_time()
    train(model, data, ready.training)
    return model, time.process_time() - start


def summary(judged: Judged, model: GPT, ready: PreparedDialogues) -> dict[str, float]:
    """Give shares over all distances, and of pairs that were never joined."""
    other = fresh_dialogues(unseen=True)
    joined = questions(other, replies(model, ready.tokenizer, other))
    told = [(x, reply) for x, reply in judged if x.distance]
    return {
        "told": share_right(told),
        "overwritten": share_right(told, lambda x: x.changed),
        "never joined": share_right(joined, lambda x: x.distance and x.unseen),
        "false don't know": sum(r == DONT_KNOW for _, r in told) / len(told),
        "never told": share_right(judged, lambda x: x.distance is None),
    }


def guessed() -> list[float]:
    """Score the most frequent reply to each kind of question, by distance."""
    short = fresh_dialogues(EXCHANGES)
    guess = most_frequent(short)
    judged = questions(short, [[guess(x) for x in dialogue] for dialogue in short])
    return by_distance(judged, SEEN)


if __name__ == "__main__":
    main()
