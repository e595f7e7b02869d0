"""Runs notebooks from a fresh kernel and stores their outputs, the same each time.

It is what `jupyter execute --inplace` does, with options that the command lacks:
no time stamps, no widget state, and printed lines in one piece however they arrive.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import nbclient
import nbfiles
from nbclient.exceptions import CellExecutionError, DeadKernelError

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
# As ipykernel names itself: JupyterLab would write any other name anew on opening.
KERNEL = {
    "display_name": "Python 3 (ipykernel)",
    "language": "python",
    "name": "python3",
}


def execute(path: Path) -> None:
    """Runs one notebook in its own folder and writes it; an error changes nothing.

    A cell that fails without the tag raises-exception raises CellExecutionError.
    """
    notebook = nbfiles.read(path)
    nbclient.NotebookClient(
        notebook,
        timeout=1200,  # seconds a cell, as for nbval
        kernel_name="python3",
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(path.parent)}},
    ).execute()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if is_kept(output)]
            for output in cell.outputs:
                if output.output_type == "error":
                    output.traceback = without_folders(output.traceback, path)
    notebook.metadata["kernelspec"] = KERNEL
    nbfiles.write(path, notebook)


def is_kept(output) -> bool:
    """No view without its kernel, and no blanks that a wiped progress bar leaves."""
    if output.output_type == "stream":
        return bool(output.text.strip())
    return WIDGET_VIEW not in output.get("data", {})


def without_folders(lines: list[str], path: Path) -> list[str]:
    """A traceback without folders of this machine."""
    root = str(path.parents[1])
    for folder in (sys.prefix, root, root.replace(str(Path.home()), "~", 1)):
        lines = [line.replace(f"{folder}/", "") for line in lines]
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: all of them")
    given = parser.parse_args().notebooks
    nbfiles.fix_environment()
    failed = 0
    for path in given or nbfiles.find(nbfiles.ROOT, nbfiles.EXECUTED):
        started = time.monotonic()
        try:
            execute(path.resolve())
            print(f"{path}: {time.monotonic() - started:.0f} s, outputs stored")
        except FileNotFoundError:
            print(f"{path}: no such notebook; name one like notebooks/00_tour.ipynb")
            failed += 1
        except (CellExecutionError, DeadKernelError, TimeoutError) as error:
            print(f"{path}: left as it was, because it did not run:\n{error}")
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
