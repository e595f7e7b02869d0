"""Multi30k, both directions: BLEU after a training that two cores finish in minutes.

A training that was done before, in the folder `--runs`, is not done again.
"""

import argparse
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

from record import save

from tt_utils.checkpoint import load_checkpoint
from tt_utils.data.corpora import load_corpus
from tt_utils.decoding.translator import Translator
from tt_utils.evaluation.translation import evaluate
from tt_utils.runtime import best_device

DIRECTIONS = ("de-en", "en-de")
SHOWN = 5


def main() -> None:
    """Train and score each direction."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    parser.add_argument("--directions", nargs="+", default=DIRECTIONS)
    parser.add_argument("--budget", choices=("quick", "full"), default="quick")
    given = parser.parse_args()
    runs, size, rows = given.runs, given.budget, []
    for direction in given.directions:
        out = runs / f"multi30k-{direction}-{size}"
        command = [sys.executable, "-m", "tt_utils", "train", "--data", "multi30k"]
        options = ["--direction", direction, "--budget", size, "--out", out]
        subprocess.run([*command, *map(str, options)], check=True)
        rows.append({"direction": direction} | scored(out))
        print(rows[-1], flush=True)
    save(f"multi30k_{size}", {"rows": rows}, best_device())


def scored(out: Path) -> dict[str, object]:
    """Score one checkpoint, greedy and with four beams, with its history."""
    translator = Translator.load(out, best_device())
    found = load_checkpoint(out)
    sources = [text for text, _ in load_corpus(
        "multi30k", translator.about["source"], translator.about["target"]
    ).test[:SHOWN]]  # fmt: skip
    return {
        "greedy": asdict(evaluate(translator, beam_size=1)),
        "beam 4": asdict(evaluate(translator, beam_size=4)),
        "parameters": sum(p.numel() for p in translator.model.parameters()),
        "seed": found.info["training"]["seed"],
        "steps": found.info["step"],
        "history": found.info["history"],
        "examples": list(zip(sources, translator.translate(sources), strict=True)),
    }


if __name__ == "__main__":
    main()
