"""Write down what was measured, with all that is needed to judge or repeat it."""

import ast
import hashlib
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "benchmarks"
RESULTS = FOLDER / "results"
TRIALS = ROOT / "runs" / "results"
MEASURED = ("tt_utils", "tools", "benchmarks/*.py")
PACKAGES = ("torch", "numpy", "tokenizers", "sacrebleu")
# What makes a CPU multiply matrices fast, above all in bf16: on x86, then on ARM.
ABILITIES = ("avx2", "avx512f", "avx512_bf16", "amx_bf16", "asimd", "sve", "bf16")
DECORATION = re.compile(r"\((?:R|TM)\)|CPU|Processor|@.*", re.IGNORECASE)
HAVE_DOCSTRINGS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def save(name: str, result: dict[str, Any], device: Any = "cpu") -> None:
    """Put a result beside the others of this machine, in the place of an older one.

    `device` is where the work was done. What uncommitted code measured goes to
    `runs/results`, which git ignores: nobody could repeat it.
    """
    import torch

    device = str(device)
    model = gpu_model(device) if device.startswith("cuda") else cpu_model()
    code = commit()
    recorded = {
        "command": " ".join(
            ["python", f"benchmarks/{Path(sys.argv[0]).name}", *sys.argv[1:]]
        ),
        "date": datetime.now(UTC).date().isoformat(),
        "commit": code,
        "digest": digest(Path(sys.argv[0]).name),
        "on": device.partition(":")[0],
        "device": describe(model, device),
        "threads": torch.get_num_threads(),
        "versions": {"python": platform.python_version()}
        | {package: version(package) for package in PACKAGES},
        "result": result,
    }
    path = (RESULTS if is_clean(code) else TRIALS) / slug(model) / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(recorded, indent=1, ensure_ascii=False) + "\n")
    if is_clean(code):
        print(f"written: {path.relative_to(ROOT)}")
    else:
        print(
            f"only tried: {path.relative_to(ROOT)}; the code is at {code}, so commit "
            "first and measure again for a result to keep."
        )


def commit() -> str:
    """Name the commit; a plus says that files differ from it.

    Where there is no repository, the environment variable TT_COMMIT says it.
    """
    head = git("rev-parse", "--short", "HEAD").stdout.strip()
    if not head:
        return os.environ.get("TT_COMMIT", "unknown")
    return head + ("+" if git("status", "--porcelain", "--", *MEASURED).stdout else "")


def git(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Ask the repository."""
    command = ["git", "-C", str(ROOT), *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def is_clean(code: str) -> bool:
    """Say whether a commit names the code completely."""
    return bool(re.fullmatch(r"[0-9a-f]{7,40}", code))


# What was measured


def script_of(found: dict[str, Any]) -> str:
    """Name the file that measured a result, from the repository's root."""
    return found["command"].split()[1]


def is_old(found: dict[str, Any]) -> bool:
    """Say whether a result's benchmark has changed since."""
    return found.get("digest") != digest(Path(script_of(found)).name)


def is_gone(found: dict[str, Any]) -> bool:
    """Say whether a result's benchmark has left the repository."""
    return not (ROOT / script_of(found)).is_file()


def is_lost(found: dict[str, Any]) -> bool:
    """Say whether the history lacks a result's commit, or the benchmark in it.

    A shallow clone can't tell, nor can a copy without a history: there nothing is lost.
    """
    # A whole history, seen from its top: the way up to it is empty.
    seen = git("rev-parse", "--is-shallow-repository", "--show-cdup")
    if seen.stdout != "false\n\n":
        return False
    code = found["commit"]
    answers = (
        git("merge-base", "--is-ancestor", code, "HEAD"),
        git("cat-file", "-e", f"{code}:{script_of(found)}"),
    )
    return any(answer.returncode for answer in answers)


def digest(script: str) -> str:
    """Sign what a benchmark does: its code and its helpers', docstrings aside."""
    parts = []
    for path in sorted(sources(FOLDER / script)):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, HAVE_DOCSTRINGS) and ast.get_docstring(node):
                del node.body[0]
        parts.append(ast.unparse(tree))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]


def sources(script: Path) -> set[Path]:
    """Find a benchmark's files: itself and what it imports, but not this one."""
    found, unread = set(), [script]
    while unread:
        path = unread.pop()
        found.add(path)
        for name in imported(ast.parse(path.read_text(encoding="utf-8"))):
            other = FOLDER / f"{name}.py"
            if name != "record" and other.is_file() and other not in found:
                unread.append(other)
    return found


def imported(tree: ast.Module) -> Iterator[str]:
    """Name the modules that a file imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


# Where it was measured


def describe(model: str, device: str) -> str:
    """Say all that the machine tells about what worked."""
    import torch

    if device.startswith("cuda"):
        memory = torch.cuda.get_device_properties(device).total_memory
        return f"{model}, {memory / 2**30:.0f} GiB"
    facts = cpu_facts()
    flags = f"{facts.get('flags', '')} {facts.get('Features', '')}".split()
    details = [ability for ability in ABILITIES if ability in flags]
    if "cpu family" in facts:
        # A hypervisor may hide the model's name, but seldom its number.
        numbers = f"family {facts['cpu family']}, model {facts.get('model', '?')}"
        details.insert(0, numbers)
    inside = f" ({', '.join(details)})" if details else ""
    return f"{model}{inside}, {torch.get_num_threads()} of {os.cpu_count()} cores"


def gpu_model(device: str) -> str:
    """Name the GPU."""
    import torch

    return torch.cuda.get_device_name(device)


def cpu_model() -> str:
    """Name the processor as far as the system does."""
    facts = cpu_facts()
    return facts.get("model name") or platform.processor() or platform.machine()


def cpu_facts() -> dict[str, str]:
    """Read what the system says about the first core; empty if it says nothing."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = cpuinfo.read_text().partition("\n\n")[0].splitlines()
        pairs = (line.partition(":") for line in lines)
        return {key.strip(): value.strip() for key, _, value in pairs}
    if sys.platform == "darwin":
        command = ["sysctl", "-n", "machdep.cpu.brand_string"]
        answer = subprocess.run(command, capture_output=True, text=True).stdout.strip()
        return {"model name": answer}
    return {}


def slug(model: str) -> str:
    """Make a folder's name of a machine's: AMD EPYC → amd-epyc."""
    words = re.findall(r"[a-z0-9]+", DECORATION.sub(" ", model).lower())
    return "-".join(words) or "unknown"
