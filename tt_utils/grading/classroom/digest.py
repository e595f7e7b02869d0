"""What a grade depends on, as a digest: another one means to grade again."""

import hashlib
from collections.abc import Callable
from pathlib import Path

from tt_utils.grading import tasks
from tt_utils.grading.classroom.records.record import FORMAT
from tt_utils.grading.classroom.settings import Settings

GRADING = Path(tasks.__file__).parents[1]


def graded_with(
    settings: Settings, read: Callable[[Path], bytes] = Path.read_bytes
) -> str:
    """A digest of the tasks and of how they are graded, but for the seeds."""
    digest = hashlib.sha256(f"{FORMAT} {settings.chapter} {settings.limits}".encode())
    paths = *sorted(GRADING.rglob("*.py")), *tasks.task_files().values()
    for path in dict.fromkeys(paths):
        digest.update(read(path))
    return digest.hexdigest()[:16]
