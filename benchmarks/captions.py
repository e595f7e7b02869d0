"""One training on Multi30k's captions, and its scores, for benchmarks that vary it."""

from dataclasses import asdict
from functools import partial
from pathlib import Path

from one_idea import in_batches, judged

from tt_utils.checkpoint import load_checkpoint
from tt_utils.decoding.translator import Translator
from tt_utils.evaluation.translation import evaluate
from tt_utils.models.transformer import Transformer
from tt_utils.runtime import best_device, seed_everything
from tt_utils.training.config import TrainingConfig
from tt_utils.training.loop import train
from tt_utils.training.loss import validation_loss
from tt_utils.training.recipes import RECIPES, Prepared, suited
from tt_utils.training.trainer import TrainingData

LOOKS = 20  # at the validation captions in as many steps as the recipe takes


def trained_and_scored(
    ready: Prepared, data: TrainingData, config: TrainingConfig, out: Path
) -> dict[str, object]:
    """Train into a folder; judge on the validation captions, score the test's once."""
    seed_everything(config.seed)
    model = Transformer(ready.model).to(best_device())
    train(
        model,
        data,
        suited(config, best_device()),
        validate=lambda model: validation_loss(model, ready.valid),
        checkpoint=out,
        every=RECIPES["multi30k", ready.about["budget"]].training.steps // LOOKS,
        vocabulary=ready.vocabulary,
    )
    translator = Translator(model, ready.source, ready.target, ready.about)
    return {
        "seed": config.seed,
        "steps": config.steps,
        "history": load_checkpoint(out).info["history"],
        "validation": judged(translator, ready.corpus.valid, batcher(ready)),
        "greedy": asdict(evaluate(translator, beam_size=1)),
        "beam 4": asdict(evaluate(translator, beam_size=4)),
    }


def batcher(ready: Prepared) -> partial:
    """Give what makes batches of pairs, as the recipe's."""
    ids = ready.target.pad_id, ready.target.bos_id, ready.target.eos_id
    return partial(
        in_batches, recipe=RECIPES["multi30k", ready.about["budget"]], ids=ids
    )
