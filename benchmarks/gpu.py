"""Everything that is measured on a GPU, by one command.

A call stops starting new measurements when its minutes are over, and another goes on:
what this commit has measured on this card already is not measured again.
"""

import argparse
import json
import subprocess
import sys
import time

import record
import torch

from tt_utils.runtime import best_device

# Each with the minutes that it may take on a large card, compilation included.
COMMANDS = {
    "training_speed_small": ("training_speed.py --size small --rounds 5", 2),
    "training_speed_base": ("training_speed.py --size base --rounds 5", 3),
    "training_speed_big": ("training_speed.py --size big --rounds 5", 4),
    "one_change": ("one_change.py --size base --rounds 5", 5),
    "memory": ("memory.py --rounds 1", 8),
    "decoding_speed": ("decoding_speed.py --rounds 5", 2),
}


def main() -> int:
    """Start what is missing, one after another."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=9.5)
    given = parser.parse_args()
    on = str(best_device())
    if not on.startswith("cuda"):
        print("gpu: PyTorch finds no GPU here; nothing is measured.")
        return 1
    end = time.monotonic() + 60 * given.minutes
    left = [name for name in COMMANDS if not is_measured(name, on)]
    for name in list(left):
        command, minutes = COMMANDS[name]
        if time.monotonic() + 60 * minutes > end:
            continue
        print(f"gpu: {name}", flush=True)
        script, *options = command.split()
        command = [sys.executable, str(record.FOLDER / script), *options]
        if subprocess.run(command).returncode == 0:
            left.remove(name)
    print(f"gpu: left for another call: {', '.join(left) or 'nothing'}")
    return 1 if left else 0


def is_measured(name: str, on: str) -> bool:
    """Say whether this commit's result is there."""
    folder = record.slug(torch.cuda.get_device_name(on))
    for results in (record.RESULTS, record.TRIALS):
        path = results / folder / f"{name}.json"
        if path.exists() and json.loads(path.read_text())["commit"] == record.commit():
            return True
    return False


if __name__ == "__main__":
    sys.exit(main())
