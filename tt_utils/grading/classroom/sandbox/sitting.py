"""One run of a notebook in the sandbox: what it handed in, and how far it came."""

import os
import selectors
import signal
import subprocess
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from tt_utils.grading.classroom.handed_in.notebook_cells import in_words
from tt_utils.grading.classroom.sandbox import replies
from tt_utils.grading.classroom.sandbox.feed import Feed
from tt_utils.grading.classroom.sandbox.held_back import Held, held_back
from tt_utils.grading.classroom.sandbox.limits import STARVED, Limits
from tt_utils.grading.classroom.sandbox.parcel import packed
from tt_utils.grading.classroom.sandbox.questions import (
    NOT_NOW,
    Questions,
    refusal,
)
from tt_utils.grading.classroom.sandbox.replies import Forged, HandedIn
from tt_utils.grading.classroom.sandbox.started import Started
from tt_utils.grading.classroom.sandbox.watch import Watch
from tt_utils.grading.classroom.student_side.frames import (
    Malformed,
    Reader,
    pack,
)
from tt_utils.grading.classroom.student_side.session import Job

LOOK = 0.1  # seconds between two looks at the processes
NOTES = 6  # of exceptions in cells
UNREAD = 2**25  # bytes of answers that the student's side has asked for and left
SLACK = 1.5  # our limits of time come after those that the student's side sets itself


@dataclass
class Sat:
    """What one run came to.

    Attributes:
        handed_in: by task.
        notes: sentences for the instructor.
        unknown: cells that hand in a task which was not asked for, and its id.
        ended: it came to the end of the notebook.
        out_of_time: the whole of it took too long.
        seconds: of computing and of waiting, of which a notebook has so many in all.
        began: the student's side has started to run cells.
        stopped_in: the number of the cell in which it was stopped, or died; None after
            the last one.
        reason: why, in words that follow on "Cell 4 ".
    """

    handed_in: dict[str, HandedIn] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    unknown: list[tuple[int, str]] = field(default_factory=list)
    ended: bool = False
    out_of_time: bool = False
    seconds: float = 0.0
    began: bool = False
    stopped_in: int | None = None
    reason: str = ""
    complaint: str = ""


def sit(started: Started, package: bytes, job: Job, limits: Limits) -> Sat:
    """Runs a job to its end, or to that of its limits, and leaves no process.

    Raises NotOffered for a job whose things to ask don't say what they offer.
    """
    sitting = None
    feed = Feed(started.process.stdin)
    try:
        tasks, held = held_back(job.tasks)
        job = replace(job, tasks=tasks)
        for part in (package, packed(job)):
            feed.put(len(part).to_bytes(8, "little") + part)
        sitting = _Sitting(started, job, limits, feed, held)
        sitting.follow()
    finally:
        started.stop()
        feed.end()
    sitting.sat.seconds = sitting.watch.whole
    return sitting.sat


class _Sitting:
    def __init__(
        self,
        started: Started,
        job: Job,
        limits: Limits,
        feed: Feed,
        held: dict[int, Held],
    ) -> None:
        self.started, self.job, self.limits = started, job, limits
        self.feed, self.held = feed, held
        self.questions = Questions(held, limits.task)
        self.sat = Sat()
        self.watch = Watch(started.process.pid if started.watched else None)
        # By the clock alone, who waits for a CPU looks as if he did nothing.
        self.slack = 1 if started.watched else STARVED
        self.patience = limits.start
        self.cells = deque(n for n, _ in job.cells)
        self.turns: dict[str, int] = {}
        self.cell: int | None = None
        self.raised = 0

    def follow(self) -> None:
        """Reads messages until the end, or until a limit is met."""
        process, reader = self.started.process, Reader()
        end = time.monotonic() + STARVED * self.limits.wall
        looked = 0.0
        with selectors.DefaultSelector() as selector:
            for pipe in (process.stdout, process.stderr):
                os.set_blocking(pipe.fileno(), False)
                selector.register(pipe, selectors.EVENT_READ)
            while not self.sat.ended:
                for key, _ in selector.select(LOOK):
                    part = os.read(key.fd, 2**18)
                    if key.fileobj is process.stderr:
                        self.complain(part)
                        if not part:
                            selector.unregister(process.stderr)
                    elif not part:
                        return self.gone()
                    else:
                        try:
                            for head, body in reader.feed(part):
                                self.hear(head, body)
                        except (Malformed, Forged) as error:
                            return self.stop(f"was stopped: {error}")
                now = time.monotonic()
                if now - looked < LOOK:
                    continue
                looked = now
                if reason := self.over_limit(now > end):
                    return self.stop(reason)

    def complain(self, part: bytes) -> None:
        """Of standard error only the beginning is kept."""
        text = self.sat.complaint + part.decode("utf-8", "replace")
        self.sat.complaint = text[:2000]

    def over_limit(self, out_of_time: bool) -> str:
        self.watch.look()
        if self.watch.memory(self.limits.memory) > self.limits.memory:
            return (
                "was running when the notebook took more than "
                f"{self.limits.memory >> 20} MiB, perhaps by what began before it"
            )
        slack = STARVED if out_of_time else self.slack
        if out_of_time or self.watch.whole > slack * self.limits.wall:
            self.sat.out_of_time = True
            return f"was stopped: the notebook ran for {slack * self.limits.wall:.0f} s"
        if self.watch.cpu > SLACK * self.patience + 1:
            return f"was stopped after {self.patience:.0f} s of computing"
        if self.watch.idle > self.slack * self.patience:
            if self.started.watched:
                return f"was stopped after {self.patience:.0f} s of waiting"
            return f"was stopped: it took over {self.slack * self.patience:.0f} s"
        return ""

    def gone(self) -> None:
        """The student's side has ended by itself, before it said so."""
        with suppress(subprocess.TimeoutExpired):
            self.started.process.wait(2)
        with suppress(OSError):  # nothing there, or closed
            self.complain(os.read(self.started.process.stderr.fileno(), 2000))
        code = self.started.process.returncode
        by_timer = {-signal.SIGPROF, 128 + signal.SIGPROF}
        by_timer |= {-signal.SIGXCPU, 128 + signal.SIGXCPU}
        if code in by_timer:
            self.stop(f"was stopped after {self.limits.cell:.0f} s of computing")
        else:
            self.stop(
                "ended the whole notebook: by a crash, by all memory taken, or "
                "by `os._exit`"
            )

    def stop(self, reason: str) -> None:
        self.sat.stopped_in, self.sat.reason = self.cell, reason

    def hear(self, head: dict[str, Any], body: bytes) -> None:
        """Raises Forged for a message that makes no sense."""
        say = head.get("say")
        if say == "cell":
            self.hear_cell(head.get("number"))
        elif say == "raised":
            self.hear_raised(head.get("text"))
        elif say in ("handed", "call", "taken", "by name"):
            self.hear_task(say, head, body)
        elif say == "ask":
            self.hear_question(head.get("thing"), head.get("mark"), body)
        elif say == "unknown":
            task = head.get("task")
            replies.require(isinstance(task, str) and len(task) < 20)
            task = replies.short(task)
            if len(self.sat.unknown) < NOTES:
                self.sat.unknown.append((self.cell or 0, task))
        elif say == "end":
            self.sat.ended = True
        else:
            raise Forged("it sent what is no message")

    def hear_cell(self, number: Any) -> None:
        replies.require(self.cells and number == self.cells.popleft())
        self.cell, self.sat.began = number, True
        self.begin(self.limits.cell)

    def hear_raised(self, text: Any) -> None:
        self.raised += 1
        if self.raised <= NOTES:
            cell = in_words(self.cell, self.job.cells) if self.cell else "A cell"
            self.note(f"{cell} raised {replies.short(text).rstrip('.')}.")

    def hear_task(self, say: str, head: dict[str, Any], body: bytes) -> None:
        task = head.get("task")
        replies.require(isinstance(task, str) and task in self.job.tasks)
        if say == "by name":
            self.note(f"No cell hands in {task}; what has its names was taken.")
            self.cell = None
            return
        turn = head.get("turn")
        if say == "handed":
            asked = self.job.tasks[task]
            longest = max(self.limits.task, asked.seconds)
            self.begin(self.limits.start + 2 * len(asked.rounds) * longest)
            self.turns[task] = turn
            answers = replies.answers_in(head.get("answers"))
            self.sat.handed_in[task] = HandedIn(answers)
            return
        replies.require(task in self.turns and turn == self.turns[task])
        if say == "taken":
            self.sat.handed_in[task].whole = True
            self.begin(self.limits.cell)
            return
        rounds, number = self.job.tasks[task].rounds, head.get("seed")
        replies.require(type(number) is int and 0 <= number < len(rounds))
        calls = self.sat.handed_in[task].rounds.setdefault(number, [])
        replies.require(len(calls) < len(rounds[number]))
        request = rounds[number][len(calls)]
        calls.append(replies.observation(body, len(request.arguments)))

    def hear_question(self, number: Any, mark: Any, call: bytes) -> None:
        """A call of a thing that is held back, which only its own request may make."""
        replies.require(replies.is_count(number) and replies.is_count(mark))
        if self.feed.waiting > UNREAD:
            raise Forged("it asks, and doesn't listen")
        held = self.held.get(number)
        if held is None or not self.is_asked(held):
            answer = refusal(NOT_NOW)
        else:
            turn = held.task, self.turns[held.task], held.round
            answer = self.questions.answer(number, call, turn)
        self.feed.put(pack({"say": "answer", "mark": mark}, answer))

    def is_asked(self, held: Held) -> bool:
        """Is this the request that is answered right now?"""
        now = self.sat.handed_in.get(held.task)
        calls = now.rounds.get(held.round, []) if now else []
        return now is not None and not now.whole and len(calls) == held.request

    def begin(self, patience: float) -> None:
        self.watch.look()
        self.watch.restart()
        self.patience = patience

    def note(self, sentence: str) -> None:
        if len(self.sat.notes) < 20 and sentence not in self.sat.notes:
            self.sat.notes.append(sentence)
