"""What a graded task is: data, checks from basic to subtle, and known mistakes.

A task never runs anything by itself. `observe` calls the learner's code and knows no
task; `judge` knows the task and calls nothing of the learner's.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, Literal, get_args

import numpy as np

from tt_utils.grading.observing import probes
from tt_utils.grading.observing.limits import SECONDS
from tt_utils.grading.tasks.mistakes import Mistake, read_mistakes

Kind = Literal[
    "compute by hand", "implement", "find the bug", "predict, then run", "explain"
]


@dataclass(frozen=True)
class Check:
    """One rung of the ladder: a title in the learner's words, and its arguments.

    `probe` says how the answer is used, where it is not simply called: `probes`. Then
    `arguments` and `outputs` may have other names than the task's. What comes out right
    with a planted bug too must stay right, but earns no point: `earns`. Where `inputs`
    is one worked example, `fresh` draws others of its kind for every seed but 0: what
    is asked in the same words each time is answered by a table.
    """

    title: str
    inputs: Callable[[np.random.Generator], tuple]
    probe: Callable = probes.call
    arguments: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    earns: bool = True
    fresh: Callable[[np.random.Generator], tuple] | None = None


@dataclass(frozen=True)
class Law:
    """A property of all outputs together, where single values cannot tell.

    `holds` gets one dict for each check: the outputs' arrays by name, and as "drawn"
    how many numbers were taken from the random generator.
    """

    title: str
    holds: Callable[[list[dict[str, Any]]], bool]
    hint: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Task:
    """What every task has.

    Attributes:
        title: as in the heading of the exercise.
        outputs: names of the values that are compared. What the first right answer
            gives says how: decimal numbers within `rtol` and `atol`, whole numbers,
            truth values and text exactly.
        mistakes: the known mistakes and their hints; `mistakes.py` has the form.
        hints: two questions, unfolded one by one by a learner who is stuck.
        section: the heading to read again.
        page: the notebook that has it, where that isn't the chapter but a companion,
            such as 18b_does_attention_say_why.
        why: said after success: what the answer shows.
        seconds: of CPU time for one round of requests; more than usual for an answer
            that trains. In a class's notebook a cell may then take as long, too.
    """

    title: str
    kind: Kind
    outputs: tuple[str, ...]
    mistakes: str
    hints: tuple[str, str]
    section: str
    page: str = ""
    why: str
    rtol: float = 1e-5
    atol: float = 1e-6
    seconds: float = SECONDS
    id: str = field(default="", init=False)  # from the file's name
    trains: bool = field(default=False, init=False)  # does its file use an optimiser?

    @cached_property
    def known(self) -> tuple[Mistake, ...]:
        """The mistakes, read. Raises ValueError with the line that can't be."""
        return read_mistakes(self.mistakes)

    @property
    def points(self) -> int:
        """One for each check that can be passed, and earns one."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True, eq=False)
class FunctionTask(Task):
    """The learner hands in functions or classes, by the names in `answers`.

    Attributes:
        arguments: their names, for messages.
        right: source texts, each a whole right answer as a learner writes it. The
            first is the reference; mistakes are edits of all of them. np, math and
            torch need no import in them.
        arrays: what the inputs come as.
        truth: source text of the exact results, where answers measure and so only come
            near them.
        pairs: is an answer that no single mistake explains compared with two at once?
            Switch it off where a run takes long, or yields too little to tell pairs
            apart, as one truth value does.
        unwritten: positions of answers that do nothing, in its right answers too: what
            a learner who has not come to them yet is compared with (`without`).
    """

    answers: tuple[str, ...]
    arguments: tuple[str, ...]
    checks: tuple[Check, ...]
    right: tuple[str, ...]
    arrays: Literal["numpy", "torch"] = "numpy"
    laws: tuple[Law, ...] = ()
    truth: str = ""
    pairs: bool = True
    unwritten: tuple[int, ...] = field(default=(), init=False)

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise ValueError(f"kind={self.kind!r}: write one of {get_args(Kind)}")

    def without(self, positions: tuple[int, ...]) -> "FunctionTask":
        """The task as it is for a learner who has not written these answers yet."""
        task = replace(self)
        object.__setattr__(task, "id", self.id)
        object.__setattr__(task, "trains", self.trains)
        object.__setattr__(task, "unwritten", positions)
        return task

    def outputs_of(self, number: int) -> tuple[str, ...]:
        return self.checks[number].outputs or self.outputs

    def arguments_of(self, number: int) -> tuple[str, ...]:
        return self.checks[number].arguments or self.arguments

    def inputs_of(self, number: int, seed: int) -> tuple:
        check = self.checks[number]
        drawn = check.fresh if seed and check.fresh else check.inputs
        return drawn(np.random.default_rng([seed, number]))

    def inputs(self, seed: int) -> list[tuple]:
        """The arguments of every check, the same for the same seed."""
        return [self.inputs_of(number, seed) for number in range(len(self.checks))]

    @property
    def points(self) -> int:
        earning = sum(check.earns for check in self.checks)
        return earning + len(self.laws) + 1  # the last: inputs left alone


@dataclass(frozen=True)
class Symptom:
    """What the sentences of an answer that doesn't pass have in common, and its hint.

    `shows` gets the sentences to translate, the right translations and the answer's.
    """

    name: str
    shows: Callable[[Sequence[str], Sequence[str], Sequence[str]], bool]
    hint: str


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainingTask(Task):
    """The learner hands in one function that trains a model and writes sentences.

    It is asked once, with pairs of sentences that are drawn for this one time, and
    earns a point for each of the `shares` of sentences that it writes without a fault.
    No right sentence is ever where the answer runs. A training is too long to be
    compared with known mistakes, so its hints come from `symptoms`.

    Attributes:
        draw: from a random generator, the pairs to learn from, what is to be
            translated, and the right translations.
        right: a whole right answer, as a learner writes it.
    """

    answers: tuple[str]
    arguments: tuple[str, str]
    draw: Callable[[np.random.Generator], tuple[list, list[str], list[str]]]
    shares: tuple[float, ...]
    symptoms: tuple[Symptom, ...]
    right: tuple[str, ...]
    outputs: tuple[str, ...] = ("translations",)
    mistakes: str = ""

    def case(self, seed: int) -> tuple[list, list[str], list[str]]:
        """The same for the same seed; nobody changes it."""
        return _case(self.draw, seed)

    @property
    def points(self) -> int:
        return len(self.shares)


@lru_cache(maxsize=10)
def _case(draw: Callable, seed: int) -> tuple[list, list[str], list[str]]:
    return draw(np.random.default_rng(seed))


@dataclass(frozen=True, kw_only=True, eq=False)
class ValueTask(Task):
    """The learner hands in numbers or words; the right ones are never shown.

    `right` holds the answers, in the order of `outputs`: several numbers as a tuple,
    or as a list where their order doesn't matter and their count is not told;
    `also_right` other spellings of them that a test holds to be accepted.
    """

    right: tuple[Any, ...]
    also_right: tuple[tuple, ...] = ()

    @property
    def points(self) -> int:
        return len(self.outputs)
