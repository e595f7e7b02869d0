"""What the benchmarks of this book measured, on which machine, and when."""

import json
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parent
# In the repository, or else where the package was installed from it.
FOLDERS = PACKAGE.parent / "benchmarks" / "results", PACKAGE / "results"


def recorded(name: str, on: str | None = None) -> list[dict[str, Any]]:
    """Read every machine's record of a benchmark, in the order of the machines' names.

    A record tells the command, date, commit, device and versions, under "result" what
    was measured, and under "remark" what else one must know of it. `on` asks for one
    kind of device: "cpu" or "cuda". The list is empty where nothing was measured yet.
    """
    folder = next((folder for folder in FOLDERS if folder.is_dir()), FOLDERS[-1])
    files = sorted(folder.glob(f"*/{name}.json"))
    found = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    return [record for record in found if on in (None, record["on"])]


def origin(record: dict[str, Any]) -> str:
    """Say in one line of Markdown where a record comes from."""
    versions = ", ".join(f"{k} {v}" for k, v in record["versions"].items())
    return (
        f"**{record['device']}**; {record['date']}; commit {record['commit']}; "
        f"{versions}. The command: `{record['command']}`."
    )
