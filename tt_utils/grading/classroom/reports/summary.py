"""What a class as a whole got right, and which mistakes it made how often."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tt_utils.grading.classroom.records.record import Record
from tt_utils.grading.classroom.reports.grades import task_ids
from tt_utils.grading.tasks import UnknownTask, find
from tt_utils.grading.tasks.spec import Task

BINS = 10
IN_WORDS = {"as planted": "the planted bug is still there"}


@dataclass(frozen=True)
class Misconception:
    """A known mistake: how many made it, and its hint."""

    name: str
    count: int
    hint: str


@dataclass(frozen=True)
class TaskSummary:
    """One task over the whole class.

    `tried` is how many handed in an answer to it, `unknown` how many of the wrong ones
    show no listed mistake.
    """

    id: str
    title: str
    out_of: int
    right: int
    tried: int
    mean: float
    misconceptions: tuple[Misconception, ...]
    unknown: int
    section: str

    @property
    def wrong(self) -> int:
        return self.tried - self.right


@dataclass(frozen=True)
class ClassSummary:
    """All records, and what they have in common.

    `bins` counts the graded by tenths of the points that their own tasks have.
    """

    records: tuple[Record, ...]
    tasks: tuple[TaskSummary, ...]
    bins: tuple[int, ...]

    @property
    def out_of(self) -> int:
        return sum(task.out_of for task in self.tasks)

    @property
    def graded(self) -> tuple[Record, ...]:
        return tuple(record for record in self.records if record.tasks)

    @property
    def problems(self) -> tuple[Record, ...]:
        return tuple(record for record in self.records if record.problem)

    @property
    def has_roster(self) -> bool:
        """Whether a roster knows anybody: then who has no name is a stranger."""
        return any(record.name for record in self.records)

    @property
    def several(self) -> set[str]:
        """Students with more than one notebook."""
        counts = Counter(record.student for record in self.records)
        return {student for student, count in counts.items() if count > 1}

    @property
    def with_other_tasks(self) -> tuple[Record, ...]:
        """Who is graded for other tasks than most are, so that points don't compare."""
        sets = Counter(frozenset(record.tasks) for record in self.graded)
        usual = sets.most_common(1)[0][0] if sets else frozenset()
        return tuple(one for one in self.graded if frozenset(one.tasks) != usual)

    @property
    def to_teach_again(self) -> list[tuple[TaskSummary, Misconception]]:
        """The mistakes of all tasks, the most frequent first."""
        found = [(task, one) for task in self.tasks for one in task.misconceptions]
        return sorted(found, key=lambda pair: -pair[1].count)


def summary(records: Sequence[Record]) -> ClassSummary:
    """Count over all records."""
    tasks = tuple(task_summary(task_id, records) for task_id in task_ids(records))
    bins = [0] * BINS
    for record in records:
        if record.tasks:
            share = record.points / max(1, record.out_of)
            bins[min(BINS - 1, int(share * BINS))] += 1
    return ClassSummary(tuple(records), tasks, tuple(bins))


def task_summary(task_id: str, records: Sequence[Record]) -> TaskSummary:
    """Count what became of one task."""
    task = known(task_id)
    all_of_it = [r.tasks[task_id] for r in records if task_id in r.tasks]
    tried = [one for one in all_of_it if one.verdict in ("right", "not yet")]
    wrong = [one for one in tried if one.verdict == "not yet"]
    counts = Counter(name for one in wrong for name in dict.fromkeys(one.mistakes))
    hints = {m.name: m.hint for m in task.known} if task else {}
    section = next((one.section for one in wrong if one.section), "")
    return TaskSummary(
        id=task_id,
        title=task.title if task else "",
        out_of=max(one.out_of for one in all_of_it),
        right=sum(one.verdict == "right" for one in tried),
        tried=len(tried),
        mean=mean([one.points for one in tried]),
        misconceptions=tuple(
            Misconception(IN_WORDS.get(name, name), count, hints.get(name, ""))
            for name, count in counts.most_common()
        ),
        unknown=sum(not one.mistakes for one in wrong),
        section=section,
    )


def mean(numbers: Sequence[int]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0


def known(task_id: str) -> Task | None:
    """The task, or None for one that this installation doesn't have any more."""
    try:
        return find(task_id)
    except UnknownTask:
        return None


def title_of(task_id: str) -> str:
    task = known(task_id)
    return task.title if task else ""
