"""One file that was handed in."""

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Submission:
    """One file that was handed in, or one sentence on why it can't be graded.

    `place` is the file, or the zip that holds it under the number `entry`; of two
    numbers the first is that of a zip inside.
    """

    path: str
    student: str = ""
    name: str = ""
    email: str = ""
    content: bytes = field(default=b"", repr=False)
    sha256: str = ""
    problem: str = ""
    place: Path | None = None
    entry: tuple[int, ...] = ()
