"""How much memory does a training step take at most, each rival in its own process?"""

import json
import resource
import subprocess
import sys

import torch
from record import save
from training_speed import LENGTH, ROWS, SIZES, VOCAB, make_steppers

from tt_utils.models.transformer import TransformerConfig
from tt_utils.runtime import best_device

STEPS = 3


def main() -> None:
    """Start a process for every rival and size; as such a process, measure."""
    if len(sys.argv) == 3:
        print(json.dumps(peak_of(*sys.argv[1:])))
        return
    rows = []
    for size in SIZES:
        for name in make_steppers(TransformerConfig(VOCAB, VOCAB, d_model=8, d_ff=8)):
            command = [sys.executable, __file__, size, name]
            answer = subprocess.run(command, capture_output=True, text=True, check=True)
            rows.append({"size": size, "model": name} | json.loads(answer.stdout))
            print(rows[-1])
    save("memory", {"rows": rows}, best_device())


def peak_of(size: str, name: str) -> dict[str, float]:
    """Take some steps; give what they added to the process at its largest, in MB.

    `weights` is what the model's parameters alone take.
    """
    torch.set_num_threads(1)
    torch.manual_seed(0)
    config = TransformerConfig(VOCAB, VOCAB, dropout=0.1, **SIZES[size])
    before = peak()
    stepper = make_steppers(config)[name]()
    weights = 4 * sum(p.numel() for p in stepper.model.parameters())
    batch = [
        torch.randint(1, VOCAB, (ROWS, LENGTH), device=best_device()) for _ in range(3)
    ]
    for _ in range(STEPS):
        stepper(*batch)
    return {"peak": (peak() - before) / 1e6, "weights": weights / 1e6}


def peak() -> int:
    """Give the most bytes that the process, or its part of the GPU, ever held."""
    if torch.cuda.is_available():
        return torch.cuda.max_memory_allocated()
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    main()
