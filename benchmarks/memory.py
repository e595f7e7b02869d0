"""How much memory does a training step take at most, each rival in its own process?"""

import argparse
import json
import resource
import statistics
import subprocess
import sys

import torch
from record import save
from training_speed import SIZES, VOCAB, entries, half_precision, shape

from tt_utils.models.transformer import TransformerConfig
from tt_utils.runtime import best_device

STEPS = 2
MEASURED = ("small", "base")


def main() -> None:
    """Start processes for every rival and size; as such a process, measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=MEASURED)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--one", nargs=2, metavar=("SIZE", "RIVAL"))
    given = parser.parse_args()
    if given.one:
        print(json.dumps(peak_of(*given.one)))
        return
    rows, on = [], str(best_device())
    for size in given.sizes:
        for name in entries(on, half_precision(on)):
            command = [sys.executable, __file__, "--one", size, name]
            found = [answer_of(command) for _ in range(given.rounds)]
            peaks = [answer["peak"] for answer in found]
            rows.append(
                {
                    "size": size,
                    "model": name,
                    "peak": statistics.median(peaks),
                    "peak_range": [min(peaks), max(peaks)],
                    "weights": found[0]["weights"],
                }
            )
            print(rows[-1], flush=True)
    torch.set_num_threads(1)
    save("memory", {"rows": rows}, on)


def answer_of(command: list[str]) -> dict[str, float]:
    """Run a process, and read what it measured."""
    answer = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(answer.stdout)


def peak_of(size: str, name: str) -> dict[str, float]:
    """Take some steps; give what they added to the process at its largest, in MB.

    The first step makes the optimizer's state, so the second is the largest.
    `weights` is what the model's parameters alone take.
    """
    torch.set_num_threads(1)
    config = TransformerConfig(VOCAB, VOCAB, dropout=0.1, **SIZES[size])
    on = str(best_device())
    rows, length, _ = shape(on)
    before = peak()
    stepper = entries(on, half_precision(on))[name].stepper(config)
    weights = 4 * sum(p.numel() for p in stepper.model.parameters())
    batch = [torch.randint(1, VOCAB, (rows, length), device=on) for _ in range(3)]
    for _ in range(STEPS):
        stepper(*batch)
    return {"peak": (peak() - before) / 1e6, "weights": weights / 1e6}


def peak() -> int:
    """Give the most bytes that the process, or its part of the GPU, ever held."""
    if torch.cuda.is_available():
        return torch.cuda.max_memory_allocated()
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    main()
