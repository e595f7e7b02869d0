"""Which sandbox works here: each is tried once, before anything is graded."""

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Literal

from tt_utils.grading import tasks
from tt_utils.grading.classroom.sandbox.kinds import Kind, start
from tt_utils.grading.classroom.sandbox.limits import Limits
from tt_utils.grading.classroom.sandbox.other_user import open_to_others
from tt_utils.grading.classroom.sandbox.sitting import sit
from tt_utils.grading.classroom.sandbox.stage import files, zipped
from tt_utils.grading.classroom.student_side.session import Job

AUTO: tuple[Kind, ...] = ("bwrap", "podman", "docker")
GRADING = Path(tasks.__file__).parents[1]
LOOK = GRADING / "classroom" / "student_side" / "look_around.py"
LOOKING = 120.0  # seconds, for all files in sight
TELLING = 200  # bytes; a shorter file holds no answer
RECIPE = "tools/sandbox/Dockerfile"
WAY_OUT = (
    "Install bubblewrap (Debian, Ubuntu: apt install bubblewrap), or Docker or Podman "
    f"with the image that {RECIPE} describes"
)


class NoSandbox(RuntimeError):
    """No sandbox works here; the message says why and what to do."""


def find(wanted: Kind | Literal["auto"], limits: Limits) -> Kind:
    """The sandbox that works here: each is tried once. Raises NoSandbox."""
    reasons = []
    for kind in AUTO if wanted == "auto" else (wanted,):
        why = why_not(kind, limits)
        if not why:
            return kind
        reasons.append(f"{kind}: {why}")
    raise NoSandbox(
        "Nothing is graded, because no sandbox works here "
        f"({'; '.join(reasons)}). {WAY_OUT}."
    )


def why_not(kind: Kind, limits: Limits) -> str:
    """Why a sandbox does not work here, "" if it does and shows nothing of the book."""
    if kind == "container" and (reason := open_to_others()):
        return reason
    patient = replace(limits, cell=LOOKING)
    try:
        started = start(kind, patient)
    except OSError as error:
        return error.strerror or str(error)
    look = f"KNOWN = {files_with_answers()}\n{LOOK.read_text(encoding='utf-8')}"
    job = Job(((1, look),), {}, LOOKING, 5, limits.memory, ())
    sat = sit(started, zipped(files(())), job, patient)
    if not sat.ended:
        return last_words(sat.complaint) or sat.reason
    if sat.notes:
        place = sat.notes[0].rpartition("InSight: ")[2].rstrip(".")
        return f"a submission could find the book's answers there, at {place}"
    return ""


def files_with_answers() -> dict[int, set[str]]:
    """The digests of what the grader knows and no submission may see, by size."""
    found = [*GRADING.rglob("*.py"), *tasks.task_files().values()]
    found += (GRADING.parents[1] / "solutions").glob("*.ipynb")
    digests: dict[int, set[str]] = {}
    for file in found:
        content = file.read_bytes()
        if len(content) > TELLING:
            digest = hashlib.sha256(content).hexdigest()
            digests.setdefault(len(content), set()).add(digest)
    return digests


def last_words(complaint: str) -> str:
    """The last line that tells something; Docker's last one points to its help."""
    lines = [line for line in complaint.splitlines() if line.strip()]
    telling = [line for line in lines if "--help" not in line] or lines
    return telling[-1].strip() if telling else ""
