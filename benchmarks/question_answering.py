"""How many layers does a question need? Readers of 1, 2 and 4 layers, three seeds.

Each learns from questions with one and with two facts, and answers new ones about
stories as long as those of training, and about longer ones. Then the reader of
two layers learns from questions with one fact, about short stories and about all.
And a reader of one layer learns with the words of the question as tokens of their own.
"""

import argparse
import time
from dataclasses import replace
from typing import Any

import torch
from record import save

from tt_utils.data.stories import StoryData, prepare_stories
from tt_utils.data.stories.prepare import LONG, SHORT
from tt_utils.data.tokenizer import EOS
from tt_utils.decoding.answering import Answerer
from tt_utils.evaluation.answers import score_readings
from tt_utils.models.bert import BERTConfig, SpanReader
from tt_utils.runtime import seed_everything
from tt_utils.training.config import TrainingConfig
from tt_utils.training.loop import train
from tt_utils.training.recipes_stories import (
    ABOUT,
    BOTH,
    MIXTURE,
    ONE_FACT,
    ROWS,
    reader_config,
    story_batches,
)

DEPTHS = (1, 2, 4)
LENGTHS = {"short": SHORT, "all": (SHORT[0], LONG[1])}  # of the stories to learn from


def main() -> None:
    """Train every reader from every seed, and score it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--shorten", type=int, default=1, help="divide all steps by it")
    given = parser.parse_args()
    torch.set_num_threads(1)  # the model is tiny
    both, one = (
        replace(config, steps=config.steps // given.shorten)
        for config in (BOTH, ONE_FACT)
    )
    depths, lengths, marked = [], [], []
    for seed in given.seeds:
        data = prepare_stories(both.steps * ROWS, MIXTURE, seed)
        for n_layers in DEPTHS:
            depths.append(measured(data, n_layers, replace(both, seed=seed)))
            print(depths[-1], flush=True)
        row = measured(data, 1, replace(both, seed=seed), Marked)
        marked.append({"learned": "both"} | row)
        print(marked[-1], flush=True)
        for name, learned in LENGTHS.items():
            data = prepare_stories(one.steps * ROWS, [1], seed, learned)
            row = measured(data, 2, replace(one, seed=seed))
            lengths.append({"learned": name} | row)
            print(lengths[-1], flush=True)
        data = prepare_stories(one.steps * ROWS, [1], seed)
        for name, kind in (("one, marked", Marked), ("one, as written", SpanReader)):
            row = measured(data, 1, replace(one, seed=seed), kind)
            marked.append({"learned": name} | row)
            print(marked[-1], flush=True)
    found = {"depths": depths, "lengths": lengths, "marked": marked}
    save("question_answering", found)


class Marked(SpanReader):
    """Give the words of the question ids of their own, behind those of the story."""

    def __init__(self, config: BERTConfig) -> None:
        super().__init__(replace(config, vocab_size=2 * config.vocab_size))

    def states(self, tokens: torch.Tensor) -> torch.Tensor:
        """Shift the ids before the first </s>."""
        question = (tokens == EOS).cumsum(dim=1) == 0
        return super().states(tokens + question * (self.config.vocab_size // 2))


def measured(
    data: StoryData,
    n_layers: int,
    config: TrainingConfig,
    kind: type[SpanReader] = SpanReader,
) -> dict[str, Any]:
    """Train one reader; give the share of exact matches by facts and length."""
    seed_everything(config.seed)
    model = kind(reader_config(data.tokenizer, n_layers))
    start = time.process_time()
    losses = train(model, story_batches(data.train), config)
    row = {
        "seed": config.seed,
        "layers": n_layers,
        "steps": config.steps,
        "parameters": sum(p.numel() for p in model.parameters()),
        "cpu_seconds": round(time.process_time() - start),
        "loss": round(sum(losses[-100:]) / len(losses[-100:]), 3),
    }
    answerer = Answerer(model.eval(), data.tokenizer, ABOUT)
    for name, asked in (("short", data.test), ("long", data.longer)):
        for facts, questions in asked.items():
            readings = [one.reading() for one in questions]
            row[f"{facts} {name}"] = score_readings(answerer, readings).exact
            guessed = sum(one.guess == one.answer for one in questions)
            row[f"{facts} {name} guess"] = guessed / len(questions)
    return row


if __name__ == "__main__":
    main()
