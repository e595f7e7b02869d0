"""The embedded grammar: how well and how fast is it learned, and what is attended to?

Three seeds, each trained anew by the command that readers use; its time includes all
preparation. Alignments are scored beside IBM model 1, the diagonal and chance, all on
the same unseen sentences.
"""

import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

from record import save

from tt_utils.checkpoint import load_checkpoint
from tt_utils.data.corpora import GRAMMAR_PAIRS, grammar_test_pairs
from tt_utils.data.grammar import sentence_pairs
from tt_utils.decoding.translator import Translator
from tt_utils.evaluation.alignment import (
    alignment_error_rate,
    diagonal_alignment,
    uniform_error_rate,
)
from tt_utils.evaluation.ibm1 import IBMModel1
from tt_utils.evaluation.translation import attended_links, evaluate
from tt_utils.models.transformer import Transformer
from tt_utils.runtime import seed_everything

SEEDS = (0, 1, 2)


def main() -> None:
    """Train and score every seed."""
    rows = []
    for seed in SEEDS:
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "tt_utils", "train", "--budget", "quick"]
            spent = timed([*command, "--seed", str(seed), "--out", folder])
            translator = Translator.load(Path(folder))
            last = load_checkpoint(Path(folder)).info["history"][-1]
        found = asdict(evaluate(translator, beam_size=1))
        rows.append({"seed": seed, **found, **last, **spent})
        print(rows[-1], flush=True)
    save("grammar", {"rows": rows, "alignment_error": baselines(translator)})


def timed(command: list[str]) -> dict[str, float]:
    """Run a command to its end; give its time on the clock and of the processor."""

    def now() -> tuple[float, float]:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.perf_counter(), used.ru_utime + used.ru_stime

    before = now()
    subprocess.run(command, check=True)
    whole, processor = (after - b for after, b in zip(now(), before, strict=True))
    return {"command_seconds": whole, "command_cpu_seconds": processor}


def baselines(translator: Translator) -> dict[str, float]:
    """Score other ways to guess the alignment of the same sentences."""
    pairs = grammar_test_pairs()
    gold = [pair.alignment for pair in pairs], [pair.sure for pair in pairs]
    lengths = [(len(pair.source), len(pair.target)) for pair in pairs]
    learned = sentence_pairs(GRAMMAR_PAIRS, seed=0, split="train")
    ibm1 = IBMModel1().fit([(pair.source, pair.target) for pair in learned])
    seed_everything(0)
    untrained = Translator(
        Transformer(translator.model.config).eval(),
        translator.source,
        translator.target,
        translator.about,
    )
    links = {
        "IBM model 1": [ibm1.align(pair.source, pair.target) for pair in pairs],
        "untrained": attended_links(untrained, pairs),
        "diagonal": [diagonal_alignment(*length) for length in lengths],
    }
    errors = {name: alignment_error_rate(found, *gold) for name, found in links.items()}
    return errors | {"uniform": uniform_error_rate(gold[0], lengths, gold[1])}


if __name__ == "__main__":
    main()
