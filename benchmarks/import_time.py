"""How long does an import take in a fresh process?"""

import statistics
import subprocess
import sys

from record import save

CODE = """
import time
start = time.perf_counter()
import {}
print(time.perf_counter() - start)
"""
MODULES = (
    "tt_utils",
    "numpy",
    "tt_utils.reference",
    "torch",
    "tt_utils.models.transformer",
)
ROUNDS = 7


def main() -> None:
    """Measure each module in processes of their own."""
    seconds, ranges = {}, {}
    for module in MODULES:
        command = [sys.executable, "-c", CODE.format(module)]
        answers = [
            float(subprocess.run(command, capture_output=True, check=True).stdout)
            for _ in range(ROUNDS)
        ]
        seconds[module] = statistics.median(answers)
        ranges[module] = [min(answers), max(answers)]
    print(seconds)
    save("import_time", {"seconds": seconds, "seconds_range": ranges})


if __name__ == "__main__":
    main()
