"""Say which recorded results can't be repeated, or lack a row; one line each.

A result must come from committed code that this history holds, and have a row for
everything that the benchmark measures now. Where that can't be mended, for a machine
that is gone or a training of hours, a `remark` beside the result says so, and the
results page shows it. One whose benchmark has changed or left since stays valid at its
commit: the page says that it is older, and a note here says how to measure it anew.
"""

import json
import sys
from collections.abc import Iterator

import decoding_speed
import end_to_end
import memory
import record
import training_speed
import training_time


def main() -> int:
    """Print what is wrong and what is old; nothing is the good answer."""
    count = 0
    for path in sorted(record.RESULTS.glob("*/*.json")):
        found = json.loads(path.read_text(encoding="utf-8"))
        where = f"{path.parent.name}/{path.name}"
        for problem in problems(path.stem, found):
            print(f"{where}: {problem}")
            count += 1
        if not record.is_gone(found) and record.is_old(found):
            print(f"note: {where} is older than its benchmark ({found['command']})")
    print(f"check: {count or 'no'} problems with recorded results")
    return 1 if count else 0


def problems(name: str, found: dict) -> Iterator[str]:
    """Look at one result."""
    commit = found["commit"]
    if "remark" not in found:
        if not record.is_clean(commit):
            yield f"its commit is {commit}; measure again from committed code"
        elif record.is_lost(found):
            yield f"this history has no commit {commit} that holds its benchmark"
    wanted, present = measured_now(name, found), recorded_rows(name, found["result"])
    for row in wanted:
        if row not in present:
            yield f"has no row for {', '.join(map(str, row))}; measure again"


def measured_now(name: str, found: dict) -> list[tuple]:
    """List what the benchmark measures on such a device."""
    half = "fp16" if "fp16" in json.dumps(found["result"]) else "bf16"
    rivals = training_speed.entries(found.get("on", "cpu"), half)
    if name.startswith("training_speed_"):
        return [(rival,) for rival in rivals]
    if name == "memory":
        return [(size, rival) for size in memory.MEASURED for rival in rivals]
    if name == "decoding_speed":
        one = (decoding_speed.UNCACHED, *decoding_speed.CACHED)
        tasks = [*decoding_speed.TASKS, *((1, n, one) for n in decoding_speed.LENGTHS)]
        return [(rows, length, who) for rows, length, names in tasks for who in names]
    if name == "end_to_end":
        return [(run,) for run in end_to_end.NAMES]
    if name == "training_time":
        return [(precision,) for precision in training_time.PRECISIONS]
    return []


def recorded_rows(name: str, result: dict) -> set[tuple]:
    """List what was measured then, in the same words."""
    keys = {
        "memory": ("size", "model"),
        "decoding_speed": ("sentences", "length", "decoder"),
        "end_to_end": ("trained",),
        "training_time": ("precision",),
    }.get(name, ("model",))
    rows = [*result.get("rows", ()), *result.get("curve", ())]
    return {tuple(row.get(key) for key in keys) for row in rows}


if __name__ == "__main__":
    sys.exit(main())
