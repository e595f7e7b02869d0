"""Shows a result that a notebook's cell would have dropped."""

import sys
from typing import Any

from tt_utils.grading.reporting.result import Result

_waiting: dict[str, Result] = {}  # the same thing said twice is said once


def show_by_itself(result: Result) -> None:
    """Have the result shown when its cell ends, unless the cell shows it.

    A notebook shows the value of a cell's last line only; a check in the middle, or
    one that is assigned to a name, would say nothing.
    """
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None or not hasattr(shell, "events"):
        return
    if not _waiting:
        shell.events.register("post_run_cell", _show)
    _waiting[f"{result.headline} {result.message}"] = result


def _show(_: Any) -> None:
    from IPython import get_ipython
    from IPython.display import display

    get_ipython().events.unregister("post_run_cell", _show)
    for result in _waiting.values():
        if not result.views:
            display(result)
    _waiting.clear()
