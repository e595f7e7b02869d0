"""What does each change to a training step bring alone, and two together?

The step is that of `tt train`, on sentences of equal length. Times are taken in turns
in one process; memory is that of a process for each change. On a CPU the memory of a
compiled step is left out: the compiler's own can't be told from it there.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from unittest.mock import patch

import torch
from memory import peak
from record import save
from timing import interleaved, ratio, wait
from torch import Tensor
from training_speed import (
    HALVES,
    SIZES,
    VOCAB,
    card_peak,
    half_precision,
    matmul,
    matmul_operations,
    shape,
)

from tt_utils.blocks import attention
from tt_utils.data.batching import Batch, make_batch
from tt_utils.models.transformer import Transformer, TransformerConfig
from tt_utils.runtime import best_device
from tt_utils.training.config import TrainingConfig
from tt_utils.training.trainer import Trainer

BASELINE = "fp32"
MEMORY_STEPS = 2  # the first makes the optimizer's state


@dataclass(frozen=True)
class Change:
    """What differs from the baseline: fp32, fused attention, one part, not compiled."""

    precision: str = "fp32"
    compiled: bool = False
    written_out: bool = False
    parts: int = 1


def changes(on: str) -> dict[str, Change]:
    """Name every change, alone, and the fast ones together."""
    half = half_precision(on)
    found = {
        BASELINE: Change(),
        "attention written out": Change(written_out=True),
        half: Change(precision=half),
        "compiled": Change(compiled=True),
        "in 4 parts": Change(parts=4),
        f"{half} and compiled": Change(precision=half, compiled=True),
    }
    return found | ({"tf32": Change(precision="tf32")} if on[:4] == "cuda" else {})


class Stepper:
    """One model in training: a call is some steps on the same batch."""

    def __init__(self, change: Change, size: str, on: str) -> None:
        torch.manual_seed(0)
        config = model_config(size)
        model = Transformer(config).to(on)
        training = TrainingConfig(
            steps=1_000,
            peak_lr=1e-3,
            label_smoothing=0.1,
            precision=change.precision if change.precision in HALVES else "fp32",
            compile=change.compiled,
            accumulate=change.parts,
        )
        self.change, self.trainer = change, Trainer(model, training)

    def __call__(self, batch: Batch, steps: int) -> None:
        """Take the steps, then look at their losses, which must be numbers."""
        tf32 = self.change.precision == "tf32"
        torch.set_float32_matmul_precision("high" if tf32 else "highest")
        way = written_out if self.change.written_out else attention.fused_attention
        with patch.object(attention, "fused_attention", way):
            for _ in range(steps):
                self.trainer.step(batch)
            self.trainer.read_losses()


def written_out(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, causal: bool = False
) -> Tensor:
    """Hold all scores and weights, as chapter 05 does."""
    if causal:
        mask = attention.without_later(mask, q, k)
    return attention.scaled_dot_product_attention(q, k, v, mask)[0]


def model_config(size: str) -> TransformerConfig:
    """Give the sizes that training_speed.py uses."""
    return TransformerConfig(VOCAB, VOCAB, dropout=0.1, **SIZES[size])


def random_batch(on: str) -> Batch:
    """Draw sentences of equal length; no id of theirs is a special one."""
    rows, length, _ = shape(on)
    torch.manual_seed(0)
    ids = torch.randint(4, VOCAB, (2, rows, length - 1)).tolist()
    return make_batch(list(zip(*ids, strict=True))).to(on)


def measure(size: str, rounds: int, on: str) -> list[dict[str, object]]:
    """Look at the memory of each, then let all take their turns."""
    rows, length, steps = shape(on)
    # Before this process grows: a new one's largest size starts at its parent's.
    memory = {name: memory_of(name, size, on) for name in changes(on)}
    batch, named = random_batch(on), changes(on)
    steppers, first = {}, {}
    for name, change in named.items():
        steppers[name] = Stepper(change, size, on)
        wait()
        start = time.perf_counter()
        steppers[name](batch, 1)
        wait()
        first[name] = time.perf_counter() - start
        print(f"{name}: {first[name]:.1f} s for the first step", flush=True)

    def turn(stepper: Stepper) -> Callable[[], object]:
        return lambda: stepper(batch, steps)

    n = 8_192 if on.startswith("cuda") else 2_048
    precisions = {change.precision for change in named.values()}
    peaks = {f"matmul {p}": matmul(p, n, on) for p in precisions}
    turns = {name: turn(stepper) for name, stepper in steppers.items()}
    times = interleaved(turns | peaks, rounds)
    del steppers, turns
    operations = steps * matmul_operations(model_config(size), rows, length)
    found = []
    for name, change in named.items():
        faster = ratio(times[BASELINE], times[name])
        busy = ratio(times[f"matmul {change.precision}"], times[name])
        seconds = statistics.median(times[name])
        row = {
            "change": name,
            "tokens_per_second": steps * rows * length / seconds,
            **faster,
            "share_of_matmul_peak": operations / (2 * n**3) * busy["ratio"],
            "first_step_seconds": first[name],
            "peak": memory[name],
        }
        card = card_peak(on)
        if card and change.precision in HALVES:
            row["share_of_card_peak"] = operations / seconds / card
        found.append(row)
        print(row, flush=True)
    return found


def memory_of(name: str, size: str, on: str) -> float | None:
    """Ask a process of its own for the most that it held, in MB."""
    if changes(on)[name].compiled and not on.startswith("cuda"):
        return None
    command = [sys.executable, __file__, "--size", size, "--one", name]
    answer = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(answer.stdout)["peak"]


def peak_of(name: str, size: str, on: str) -> dict[str, float]:
    """Take two steps; give what they and the model added to the process, in MB."""
    before = peak()
    Stepper(changes(on)[name], size, on)(random_batch(on), MEMORY_STEPS)
    return {"peak": (peak() - before) / 1e6}


def main() -> None:
    """Measure one size; as a process of its own, one change's memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", choices=SIZES, default="small")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--one", metavar="CHANGE")
    given = parser.parse_args()
    torch.set_num_threads(1)
    on = str(best_device())
    if given.one:
        print(json.dumps(peak_of(given.one, given.size, on)))
        return
    rows, length, steps = shape(on)
    model = Transformer(model_config(given.size))
    parameters = sum(p.numel() for p in model.parameters())
    result = {
        "rows": measure(given.size, given.rounds, on),
        "size": given.size,
        "parameters": parameters,
        "sentences": rows,
        "length": length,
        "steps_in_a_turn": steps,
    }
    save("one_change", result, on)


if __name__ == "__main__":
    main()
