"""Runs notebooks from a fresh kernel and stores their outputs, the same each time."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import nbclient
import nbfiles

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def execute(root: Path, path: Path, cell_timeout: int) -> None:
    """Runs one notebook in its own folder and writes it; an error changes nothing.

    A cell that fails without the tag raises-exception raises CellExecutionError.
    """
    notebook = nbfiles.read(path)
    client = nbclient.NotebookClient(
        notebook,
        timeout=cell_timeout,
        kernel_name="python3",
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            tidy_outputs(root, cell)
    # The kernel reports its exact Python version, which differs between machines.
    notebook.metadata["language_info"] = {"name": "python"}
    notebook.metadata["kernelspec"] = dict(KERNEL)
    nbfiles.write(path, notebook)


def tidy_outputs(root: Path, cell) -> None:
    """Drops folders of this machine and the blanks that a wiped progress bar leaves."""
    home = str(root).replace(str(Path.home()), "~", 1)
    for output in cell.outputs:
        for folder in (sys.prefix, str(root), home):
            if "traceback" in output:
                output.traceback = [
                    line.replace(f"{folder}/", "") for line in output.traceback
                ]
    cell.outputs = [output for output in cell.outputs if is_kept(output)]


def is_kept(output) -> bool:
    """A view means nothing without its kernel; its picture stands before it."""
    if output.output_type == "stream":
        return bool(output.text.strip())
    return WIDGET_VIEW not in output.get("data", {})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: all of them")
    parser.add_argument("--cell-timeout", type=int, default=600, metavar="SECONDS")
    options = parser.parse_args()
    paths = options.notebooks or nbfiles.find(nbfiles.ROOT, nbfiles.EXECUTED)
    nbfiles.fix_environment()
    failed = 0
    for path in paths:
        if not path.is_file():
            print(f"{path}: no such notebook; name one like notebooks/00_tour.ipynb")
            failed += 1
            continue
        started = time.monotonic()
        try:
            execute(nbfiles.ROOT, path.resolve(), options.cell_timeout)
        except (nbclient.exceptions.CellExecutionError, TimeoutError) as error:
            print(f"{path}: left as it was, because a cell failed:\n{error}")
            failed += 1
        except nbclient.exceptions.DeadKernelError:
            print(f"{path}: left as it was, because its kernel died; out of memory?")
            failed += 1
        else:
            print(f"{path}: {time.monotonic() - started:.0f} s, outputs stored")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
