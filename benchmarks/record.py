"""Write down what was measured, with all that is needed to judge or repeat it."""

import json
import platform
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
CPU = torch.device("cpu")
PACKAGES = ("torch", "numpy", "tokenizers", "sacrebleu")


def save(name: str, result: dict[str, Any], device: torch.device = CPU) -> None:
    """Put a result beside the others, in the place of an older one.

    `device` is where the work was done; what a GPU did has a file of its own.
    """
    if device.type == "cuda":
        name += "_gpu"
    recorded = {
        "command": " ".join(
            ["python", f"benchmarks/{Path(sys.argv[0]).name}", *sys.argv[1:]]
        ),
        "date": datetime.now(UTC).date().isoformat(),
        "commit": commit(),
        "device": device_name(device),
        "threads": torch.get_num_threads(),
        "versions": {"python": platform.python_version()}
        | {package: version(package) for package in PACKAGES},
        "result": result,
    }
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps(recorded, indent=1, ensure_ascii=False) + "\n")
    print(f"written: {path.relative_to(ROOT)}")


def commit() -> str:
    """Name the commit, and say so if files differ from it."""

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(ROOT), *arguments]
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()

    changed = git("status", "--porcelain", "--", "tt_utils", "benchmarks/*.py")
    return (git("rev-parse", "--short", "HEAD") or "unknown") + ("+" if changed else "")


def device_name(device: torch.device) -> str:
    """Name the GPU, or the processor and how many of its cores worked."""
    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = cpuinfo.read_text().splitlines()
        names = (
            line.partition(":")[2].strip() for line in lines if "model name" in line
        )
        model = next(names, model)
    threads = torch.get_num_threads()
    return f"{model}, {threads} core{'s' if threads > 1 else ''}"
