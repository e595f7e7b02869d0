"""Runs a notebook's cells, uses what they hand in, and reports over a pipe.

Whoever hands in may take this apart, since it runs in their process. So nothing here
is secret, and nothing that comes from here is believed: the other side sets the limits
once more, and judges plain numbers.
"""

import os
import pickle
import select
import signal
import sys
import time
import types
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any, NoReturn

from tt_utils.grading.classroom.student_side.cell_code import (
    compiled,
    names_for_cells,
    run,
    what_follows,
)
from tt_utils.grading.classroom.student_side.frames import Reader, pack
from tt_utils.grading.classroom.student_side.hand_in import open_desk
from tt_utils.grading.classroom.student_side.placeholders import (
    Missing,
    NotHere,
    install,
)
from tt_utils.grading.observing import in_process
from tt_utils.grading.observing.attempt import handed, in_words
from tt_utils.grading.observing.imports import import_torch
from tt_utils.grading.observing.observation import Observation, Request
from tt_utils.grading.observing.observation_bytes import to_bytes
from tt_utils.grading.observing.streams import Tail

PROCESSES = 3  # for one round; the second and third where something was stopped
AFTER_A_STOP = 2.0  # seconds of CPU time; a right answer needs less than one


@dataclass(frozen=True)
class Asked:
    """What is asked of the answers to a task, and nothing of what is right.

    Attributes:
        count: how many answers it takes.
        functions: are they functions, or values?
        names: as the exercise calls them.
        rounds: the requests, once for each seed.
        seconds: of CPU time for a round, where the task asks for more than usual.
    """

    count: int
    functions: bool
    names: tuple[str, ...]
    rounds: tuple[tuple[Request, ...], ...]
    seconds: float = 0.0


@dataclass(frozen=True)
class Job:
    """One run of a notebook: its cells by number, and the tasks that may be handed in.

    `seconds` of CPU time are for a cell, `task_seconds` for a task and seed, `memory`
    is in bytes for each process, on top of what Python and PyTorch take themselves.
    `by_name`: are answers taken that no cell hands in? `trains`: does a task use an
    optimiser, whose first use costs seconds?
    """

    cells: tuple[tuple[int, str], ...]
    tasks: dict[str, Asked]
    seconds: float
    task_seconds: float
    memory: int
    by_name: tuple[str, ...]
    trains: bool = False


def main(job: bytes) -> NoReturn:
    """Run the job and end the process, whatever is left in it."""
    content = pickle.loads(job)
    inlet, outlet = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    try:
        Session(inlet, outlet, content).run()
    finally:
        os._exit(0)


class Session:
    """One notebook at work; it is also the desk where `check` hands in."""

    def __init__(self, inlet: int, outlet: int, job: Job) -> None:
        self.inlet, self.outlet, self.job = inlet, outlet, job
        self.reader = Reader()
        self.process = os.getpid()
        self.turn = 0
        self.at_desk: set[str] = set()

    def run(self) -> None:
        sys.stdout = sys.stderr = Tail()
        if self.needs_torch():
            with suppress(ImportError):  # on no cell's clock, nor limit of memory
                import_torch(self.job.trains).set_num_threads(1)
        with suppress(OSError, ValueError):
            in_process.limit_memory(self.job.memory)
        install()
        open_desk(self)
        notebook = types.ModuleType("__main__")
        sys.modules["__main__"] = notebook
        names = vars(notebook)
        names |= names_for_cells()
        for number, source in self.job.cells:
            self.say({"say": "cell", "number": number})
            try:
                code = compiled(source, number)
                self.limit(self.job.seconds)
                while code is not None:
                    try:
                        run(code, names)
                        break
                    except NotHere as error:  # the book's code: go on after that line
                        bound, code = what_follows(source, number, error)
                        for name in bound:
                            names.setdefault(name, Missing(name))
            except BaseException as error:
                self.limit(0)
                raised = in_words(error)
                text = f"{raised.name}: {raised.text}" if raised.text else raised.name
                self.say({"say": "raised", "number": number, "text": text[:400]})
            self.limit(0)
        if self.job.by_name:
            self.take_by_name(names)
        self.say({"say": "end"})

    def needs_torch(self) -> bool:
        requests = (r for asked in self.job.tasks.values() for r in asked.rounds)
        return any("torch" in source for _, source in self.job.cells) or any(
            request.arrays == "torch" for round_ in requests for request in round_
        )

    def limit(self, seconds: float) -> float:
        """CPU seconds from now until the system ends this process; 0: no limit.

        Returns what was left of the limit before.
        """
        if os.getpid() != self.process:
            os._exit(0)  # a copy that a cell has made must not go on with the notebook
        try:
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            return signal.setitimer(signal.ITIMER_PROF, seconds)[0]
        except Exception:  # a cell has put something else there
            return 0.0

    def take(self, task_id: str, answers: tuple) -> None:
        asked = self.job.tasks.get(task_id)
        if asked is None:
            self.say({"say": "unknown", "task": task_id})
            return
        left = self.limit(0)
        self.turn += 1
        self.at_desk.add(task_id)
        head = {"task": task_id, "turn": self.turn}
        forms = [asdict(handed(answer)) for answer in answers[:100]]
        self.say({"say": "handed", **head, "answers": forms})
        if len(answers) == asked.count and (
            not asked.functions or all(map(callable, answers))
        ):
            seconds = max(self.job.task_seconds, asked.seconds)
            for seed, requests in enumerate(asked.rounds):
                if self.observe(answers, requests, seconds, {**head, "seed": seed}):
                    seconds = min(seconds, AFTER_A_STOP)
        self.say({"say": "taken", **head})
        self.limit(left)

    def observe(
        self,
        answers: tuple,
        requests: Sequence[Request],
        seconds: float,
        head: dict[str, Any],
    ) -> bool:
        """Was a request stopped? Those after it get a process of their own."""
        for process in range(PROCESSES):
            done = 0
            try:
                for call in in_process.observe(answers, requests, seconds, self.answer):
                    self.say({"say": "call", **head}, to_bytes(call))
                    done += 1
            except OSError:  # no process to be had
                ended = Observation(stopped="ended")
                self.say({"say": "call", **head}, to_bytes(ended))
                return True
            requests, seconds = requests[done:], min(seconds, AFTER_A_STOP)
            if not requests:
                return process > 0
        return True

    def answer(self, thing: int, call: bytes, end: float) -> bytes:
        """What the other side says to a call of a thing that it has kept.

        Raises TimeoutError where it says nothing until `end`.
        """
        mark = int.from_bytes(os.urandom(6), "little")
        self.say({"say": "ask", "thing": thing, "mark": mark}, call)
        while True:
            wait = max(0.0, end - time.monotonic())
            if not select.select([self.inlet], [], [], wait)[0]:
                raise TimeoutError
            part = os.read(self.inlet, 2**18)
            if not part:
                os._exit(0)  # the grader is gone
            for head, answer in self.reader.feed(part):
                if head.get("mark") == mark:
                    return answer

    def take_by_name(self, names: dict[str, Any]) -> None:
        """Answers that stand in the notebook, but in no call of `check`."""
        for task_id in self.job.by_name:
            asked = self.job.tasks[task_id]
            if task_id not in self.at_desk and all(n in names for n in asked.names):
                self.say({"say": "by name", "task": task_id})
                self.take(task_id, tuple(names[name] for name in asked.names))

    def say(self, head: dict[str, Any], body: bytes = b"") -> None:
        if os.getpid() != self.process:
            os._exit(0)
        in_process.write_all(self.outlet, pack(head, body))
