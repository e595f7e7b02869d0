"""What is known of one submission after grading, as plain JSON."""

from dataclasses import asdict, astuple, dataclass, field
from typing import Any

from tt_utils.grading.reporting.result import Result, Verdict

FORMAT = 1
LONGEST = 4000  # characters of one piece of evidence


@dataclass(frozen=True)
class TaskRecord:
    """What became of one task, in the words that the learner reads."""

    verdict: Verdict
    points: int = 0
    out_of: int = 0
    message: str = ""
    evidence: tuple[tuple[str, str], ...] = ()
    hints: tuple[str, ...] = ()
    mistakes: tuple[str, ...] = ()
    rungs: tuple[tuple[str, bool | None, bool], ...] = ()
    section: str = ""
    why: str = ""

    @classmethod
    def of(cls, result: Result) -> "TaskRecord":
        return cls(
            verdict=result.verdict,
            points=result.points,
            out_of=result.out_of,
            message=cut(result.message),
            evidence=tuple((label, cut(text)) for label, text in result.evidence),
            hints=result.hints,
            mistakes=result.mistakes,
            rungs=tuple(map(astuple, result.rungs)),
            section=result.section,
            why=result.why,
        )

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "TaskRecord":
        """Raises TypeError for fields of another format."""
        return cls(
            **{k: deep_tuple(v) if isinstance(v, list) else v for k, v in data.items()}
        )


@dataclass(frozen=True)
class Record:
    """One submission.

    Attributes:
        submission: its path inside what was handed to `tt grade`; "" for someone on
            the roster who handed in nothing.
        student: who that is, as the roster or the file's name says; `name` and `email`
            as the roster says.
        sha256: of the notebook; "" where it could not be read.
        problem: one sentence if nothing could be graded.
        notes: sentences on what happened on the way, such as a cell that was stopped.
        tasks: by id.
    """

    submission: str
    student: str = ""
    name: str = ""
    email: str = ""
    sha256: str = ""
    problem: str = ""
    notes: tuple[str, ...] = ()
    tasks: dict[str, TaskRecord] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def points(self) -> int:
        return sum(task.points for task in self.tasks.values())

    @property
    def out_of(self) -> int:
        return sum(task.out_of for task in self.tasks.values())

    def to_json(self) -> dict[str, Any]:
        return {"format": FORMAT, **asdict(self)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Record":
        """Raises ValueError, KeyError or TypeError for what is no record."""
        data = dict(data)
        if data.pop("format") != FORMAT:
            raise ValueError(f"not a record of format {FORMAT}")
        tasks = {k: TaskRecord.from_json(v) for k, v in data["tasks"].items()}
        return cls(**{**data, "notes": tuple(data["notes"]), "tasks": tasks})


def cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[:LONGEST] + " …"


def deep_tuple(items: Any) -> Any:
    return tuple(map(deep_tuple, items)) if isinstance(items, list) else items
