"""The embedded grammar: how well and how fast is it learned, and what is attended to?

Three seeds. Alignments are scored beside IBM model 1, the diagonal and chance, all on
the same unseen sentences.
"""

import subprocess
import sys
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
    """Train where no checkpoint is, then score."""
    runs = Path(sys.argv[1] if len(sys.argv) > 1 else "runs")
    rows = []
    for seed in SEEDS:
        out = runs / f"grammar-quick-{seed}"
        command = [sys.executable, "-m", "tt_utils", "train", "--budget", "quick"]
        subprocess.run([*command, "--seed", str(seed), "--out", str(out)], check=True)
        translator = Translator.load(out)
        found = asdict(evaluate(translator, beam_size=1))
        last = load_checkpoint(out).info["history"][-1]
        rows.append({"seed": seed, **found, **last})
        print(rows[-1], flush=True)
    save("grammar", {"rows": rows, "alignment_error": baselines(translator)})


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
