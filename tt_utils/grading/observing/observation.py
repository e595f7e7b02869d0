"""What is asked of an answer, and what came of it, as plain data."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from tt_utils.grading.observing.plain_values import Value


@dataclass(frozen=True)
class Draws:
    """An argument that reaches the learner as `np.random.default_rng(seed)`."""

    seed: int


@dataclass(frozen=True)
class Request:
    """What is asked of an answer: nothing in it tells the right result.

    `results` is how many things should come back. `trains`: does it use an optimiser?
    """

    probe: Callable
    arguments: tuple
    arrays: Literal["numpy", "torch"] = "numpy"
    results: int = 1
    trains: bool = False


@dataclass(frozen=True)
class Raised:
    """An exception in words: its class, its text, and the learner's own line."""

    name: str
    text: str
    line: str


@dataclass(frozen=True)
class Observation:
    """What one request came to.

    Attributes:
        values: what was returned, one by one; empty after an error or a stop.
        one_thing: a single thing came back where several were asked for.
        raised: the exception, if there was one.
        stopped: why it was ended from outside, "" if it was not. "time" is computing
            for too long, "waiting" a sleep or a lock, "ended" a process that is gone,
            "stuck" a thread that can't be stopped.
        printed: the end of what it printed.
        changed: positions of the arguments that it changed in place.
        drawn: how many random numbers were taken from the generators among them.
    """

    values: tuple[Value, ...] = ()
    one_thing: bool = False
    raised: Raised | None = None
    stopped: Literal["", "time", "waiting", "ended", "stuck"] = ""
    printed: str = ""
    changed: tuple[int, ...] = ()
    drawn: int = 0


@dataclass(frozen=True)
class Handed:
    """One of the answers that were handed in: what it is, before it is used."""

    form: str
    kind: Literal["nothing", "unfinished", "stub", "function", "value"]


@dataclass(frozen=True)
class Observed:
    """What was handed in, and what came of each request.

    There are fewer observations than requests where one had to be stopped.
    """

    answers: tuple[Handed, ...]
    calls: tuple[Observation, ...] = ()
