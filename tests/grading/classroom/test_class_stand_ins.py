"""A stand-in behaves like the thing that a check hands over, and tells nothing."""

import builtins
import functools
import pickle
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields, is_dataclass, replace

import numpy as np
import pytest
import torch
from answers import tried
from quick import FUNCTIONS, defined_by

from tt_utils.grading.classroom.sandbox import questioned
from tt_utils.grading.classroom.sandbox.held_back import NotOffered, held_back
from tt_utils.grading.classroom.sandbox.parcel import asked_of, by_value, packed
from tt_utils.grading.classroom.sandbox.questions import Questions
from tt_utils.grading.classroom.sandbox.replies import Forged
from tt_utils.grading.classroom.student_side.session import Asked
from tt_utils.grading.judging.compare import agree
from tt_utils.grading.judging.known_answers import sources
from tt_utils.grading.observing import asking, probes, stand_ins
from tt_utils.grading.observing.attempt import attempt, fresh, same
from tt_utils.grading.observing.call_bytes import OddBytes, from_bytes, to_bytes
from tt_utils.grading.observing.observation import Request
from tt_utils.grading.tasks.inputs import Rule
from tt_utils.grading.tasks.requests import requests

SEEDS = 0, 271_828


def stood_in(*arguments, **more):
    """One request with stand-ins, and what they stand for."""
    request = Request(probes.call, arguments, **more)
    asked, held = held_back({"": Asked(1, True, ("f",), ((request,),))})
    return asked[""].rounds[0][0], held


ELSEWHERE = ThreadPoolExecutor(1)  # where no setting of an answer's own holds


def answered_from(held):
    def ask(number, call):
        found = ELSEWHERE.submit(questioned.answer, held[number].thing, call)
        return found.result()

    asking.answered_by(ask)


def one(thing):
    """A stand-in for a thing, answered at once."""
    request, held = stood_in(thing)
    answered_from(held)
    return request.arguments[0]


SENT = {
    task.id: (task, *held_back({task.id: asked_of(task, SEEDS)})) for task in FUNCTIONS
}
ASKING = [task for task, _, held in SENT.values() if held]
by_task = pytest.mark.parametrize("task", ASKING, ids=lambda task: task.id)


def test_the_tasks_that_question_something_hold_it_back():
    ids = {task.id for task in ASKING}
    assert ids >= {"03.5", "04.4", "06.5", "07.5", "08.4", "11.2", "12.4", "15.4"}


@pytest.mark.parametrize("task", FUNCTIONS, ids=lambda task: task.id)
def test_every_thing_says_what_it_offers(task):
    for held in SENT[task.id][2].values():
        assert isinstance(held.thing, Rule) or hasattr(type(held.thing), "offers")


def test_what_says_nothing_of_what_it_offers_is_not_sent():
    class Secret:
        answer = 42

    with pytest.raises(NotOffered, match="`offers"):
        stood_in(Secret())
    with pytest.raises(NotOffered, match="`offers"):
        stood_in([{"a": (Secret(),)}])

    class Telling(Secret):
        offers = ("answer",)
        answer = np.ones(3)

    with pytest.raises(NotOffered, match="only a number"):
        stood_in(Telling())


@pytest.mark.filterwarnings("ignore")
@by_task
def test_collected_answers_fare_as_in_a_notebook(task):
    """What comes of each request is the same, and so are verdicts and hints."""
    found = tried(task.id)
    texts = [*task.right, *found.RIGHT.values(), *found.WRONG.values()]
    texts += [sources(task, mistake)[0] for mistake in task.known]
    for number, source in enumerate(dict.fromkeys(texts)):
        answers, seed = defined_by(task, source), SEEDS[number % 2]
        asked, held = held_back({task.id: asked_of(task, (seed,))})
        answered_from(held)
        pairs = zip(requests(task, seed), asked[task.id].rounds[0], strict=True)
        for pair in pairs:
            seen = []
            for request in pair:
                torch.manual_seed(0)
                with np.errstate(all="ignore"):
                    seen.append(attempt(answers, request))
            here, away = seen
            assert here.raised == away.raised, source
            assert (here.one_thing, here.changed) == (away.one_thing, away.changed)
            alike = repr(here) == repr(away) or agree(here, away, 1e-6, 1e-7)
            assert alike, source


# No inside is found in what is sent.
def insides(thing, depth=6):
    """Texts and arrays that a thing is made of: its fields, and what it closes over."""
    if depth == 0:
        return
    if isinstance(thing, functools.partial):
        for part in (thing.func, thing.args, thing.keywords):
            yield from insides(part, depth - 1)
    elif isinstance(thing, np.ndarray):
        if thing.dtype.kind == "f" and thing.size > 3 and len(set(thing.flat)) > 3:
            yield thing.tobytes()
    elif isinstance(thing, tuple | list):
        for part in thing:
            yield from insides(part, depth - 1)
    elif isinstance(thing, dict):
        yield from insides(list(thing.values()), depth)
    elif hasattr(thing, "__code__"):
        yield thing.__code__.co_code
        for cell in thing.__closure__ or ():
            yield from insides(cell.cell_contents, depth - 1)
    elif is_dataclass(thing):
        secret = {one.name for one in fields(thing)} - set(type(thing).offers)
        for name in secret - {"t", "vocab", "seed", "rule", "name", "words"}:
            yield name.encode() if len(name) > 4 else b"\0never"
        for name in secret:
            yield from insides(getattr(thing, name), depth - 1)


@by_task
def test_no_inside_is_in_the_parcel(task):
    by_value(task)
    _, asked, held = SENT[task.id]
    sent = packed(asked[task.id])
    names = {*task.arguments, *task.outputs, *task.answers, "memory", "vocab_size"}
    for one_held in held.values():
        for inside in insides(one_held.thing):
            if inside.decode("latin-1") not in names:  # the exercise's own words
                assert inside not in sent, inside
        if isinstance(one_held.thing, Rule) and one_held.round == 0:
            assert one_held.thing.words.encode() not in sent


@by_task
def test_nothing_tells_one_from_another(task):
    _, asked, held = SENT[task.id]
    numbers = list(held)
    assert len(set(numbers)) == len(numbers)
    assert numbers != sorted(numbers)
    found = pickle.loads(
        packed([r.arguments for x in asked[task.id].rounds for r in x])
    )
    things = [x for x in flat(found) if isinstance(x, stand_ins.StandIn)]
    assert len(things) == len(held)
    told = {
        (repr(one), type(one), tuple(sorted(vars(one))), one._fields, *one._methods)
        for one in things
    }
    assert len({(text, kind) for text, kind, *_ in told}) <= 1
    assert len(told) == 1


def flat(tree):
    if isinstance(tree, tuple | list):
        for part in tree:
            yield from flat(part)
    elif isinstance(tree, dict):
        yield from flat(list(tree.values()))
    else:
        yield tree


# What goes in, and what comes out.
TREES = [
    None, True, 3, -1.5, "text", [1, [2.5, None]], (1, "a"), {"a": 1, 2: (3,)}, [],
    (), {}, [[]], float("inf"), 10**30,
]  # fmt: skip
ARRAYS = [np.ones((2, 3), kind) for kind in "?bBhHiIlLqQefd"]
ARRAYS += [np.zeros((0, 3)), np.float32(2.5), np.array(3), np.arange(6)[::-2]]
TENSORS = [
    torch.ones(2, 3, dtype=kind)
    for kind in (
        torch.bool, torch.uint8, torch.int32, torch.int64, torch.float16,
        torch.bfloat16, torch.float32, torch.float64,
    )
]  # fmt: skip
TENSORS += [torch.arange(6).reshape(2, 3).T, torch.zeros(0, 2), torch.tensor(1.5)]


@pytest.mark.parametrize("tree", TREES + ARRAYS + TENSORS, ids=repr)
def test_a_value_comes_back_as_it_went(tree):
    back = one(lambda x: x)(tree)
    assert type(back) is type(tree)
    if isinstance(tree, np.ndarray | np.generic | torch.Tensor):
        assert back.dtype == tree.dtype
        assert back.shape == tree.shape
        assert (np.asarray(back.tolist()) == np.asarray(tree.tolist())).all()
    else:
        assert back == tree


def test_names_of_arguments_go_along():
    assert one(lambda x, *, y=1: (x, y))(x=1, y=[2]) == (1, [2])


@pytest.mark.parametrize(
    "x", [range(3), (n for n in range(3)), {0: 1, 1: 2, 2: 3}.keys()]
)
def test_what_can_be_walked_is_a_list(x):
    assert one(lambda x: x)(x) == [0, 1, 2]


@pytest.mark.parametrize(
    "error",
    [
        ValueError("odd"), IndexError("index out of range in self"), KeyError("a"),
        KeyError(3), TypeError("x"), ZeroDivisionError("division by zero"),
        RuntimeError("x"), AssertionError(), MemoryError("x"), StopIteration("x"),
    ],
    ids=repr,
)  # fmt: skip
def test_an_exception_comes_back_as_it_was(error):
    def fails(_):
        raise error

    with pytest.raises(type(error)) as found:
        one(fails)(1)
    assert str(found.value) == str(error)


def test_an_exception_of_another_kind_comes_under_its_base():
    def own(_):
        raise type("Own", (LookupError,), {})("x")

    def exits(_):
        raise type("Own", (Exception,), {})("x" * 10_000)

    with pytest.raises(LookupError, match="x"):
        one(own)(1)
    with pytest.raises(RuntimeError, match="xx") as found:
        one(exits)(1)
    assert len(str(found.value)) < 3000


def test_wrong_calls_are_refused_in_the_same_words():
    for wrong in (lambda f: f(), lambda f: f(1, 2), lambda f: f(y=1)):
        with pytest.raises(TypeError) as here:
            wrong(half)
        with pytest.raises(TypeError) as away:
            wrong(one(half))
        assert str(here.value) == str(away.value)


def half(x):
    return x / 2


def test_what_can_not_be_sent_is_said():
    with pytest.raises(TypeError, match="can't be sent"):
        one(half)(object())
    with pytest.raises(TypeError, match="can't be sent"):
        one(half)(np.array(["a"]))


@pytest.mark.parametrize(
    "x",
    [
        np.zeros(2**20 + 1),
        np.zeros((0, 2**40)),
        torch.zeros(3000, 2),
        [0] * 2**20,
        np.zeros((2**11, 2)),
    ],
    ids=lambda x: str(getattr(x, "shape", "list")),
)
def test_a_huge_call_is_one_sentence(x):
    with pytest.raises(ValueError, match="where a class is graded"):
        one(half)(x)


def test_a_huge_result_is_one_sentence():
    with pytest.raises(ValueError, match="where a class is graded"):
        one(lambda n: np.zeros(n))(2**22)


# Slopes.
def wavy(x, y=None):
    out = torch.sin(x @ x.mT) @ x
    return out if y is None else (out + y.sum(), {"twice": 2 * y})


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(
    "take",
    [
        lambda f, x: torch.autograd.functional.jacobian(f, x),
        lambda f, x: torch.autograd.functional.jacobian(f, x, vectorize=True),
        lambda f, x: torch.func.jacrev(f)(x),
        lambda f, x: torch.func.jacfwd(f)(x),
        lambda f, x: torch.func.vmap(f)(torch.stack([x, 2 * x])),
        lambda f, x: torch.func.grad(lambda x: f(x).sum())(x),
        lambda f, x: torch.autograd.functional.vjp(f, x, torch.ones_like(x))[1],
        lambda f, x: slopes_of_numbers(f, x),
        lambda f, x: torch.func.jacrev(lambda y: f(x, y)[1]["twice"])(x),
    ],
    ids=range(9),
)
def test_slopes_come_through(take, dtype):
    x = torch.linspace(-1, 1, 15, dtype=dtype).reshape(5, 3)
    here, away = take(wavy, x), take(one(wavy), x)
    assert away.dtype == here.dtype
    torch.testing.assert_close(away, here)


def slopes_of_numbers(f, x):
    x = x.clone().requires_grad_()
    out = f(x)
    rows = [torch.autograd.grad(n, x, retain_graph=True)[0] for n in out.flatten()]
    return torch.stack(rows)


def test_no_slopes_where_none_are():
    x = torch.ones(2, 3, requires_grad=True)
    for f in (lambda x: x.detach(), lambda x: torch.ones(3), lambda x: x > 0):
        assert not one(f)(x).requires_grad
    with torch.no_grad():
        assert not one(wavy)(x).requires_grad
    assert one(wavy)(x).requires_grad
    (unused,) = torch.autograd.grad(
        one(lambda x, y: x * 2)(x, y := x + 1).sum(), y, allow_unused=True
    )
    assert unused is None


def test_slopes_of_slopes_are_refused_with_a_sentence():
    x = torch.ones(2, 3, requires_grad=True)
    with pytest.raises(RuntimeError, match="slopes of slopes"):
        torch.autograd.grad(one(wavy)(x).sum(), x, create_graph=True)


# Fields that are offered.
@dataclass
class Counter:
    secret: int
    on: bool = True
    offers = ("on", "calls", "switch")
    calls: int = 0

    def switch(self):
        self.on = not self.on
        return self

    def __call__(self, x):
        self.calls += self.on
        return self.secret * x * self.calls


def test_fields_and_methods_work_as_on_the_thing():
    here, away = Counter(7), one(Counter(7))
    for thing in (here, away):
        assert thing(1) == 7
        assert thing(1) == 14
        assert thing.switch() is thing
        assert thing(1) == 14
        assert (thing.on, thing.calls) == (False, 2)
    with pytest.raises(
        AttributeError, match="'Counter' object has no attribute 'secret'"
    ):
        print(away.secret)
    again = fresh(away, "numpy")
    assert same(again, away)
    again.switch()
    assert not same(again, away)


def test_each_attempt_has_a_fresh_one():
    request, held = stood_in(Counter(3))
    answered_from(held)

    def use(counter):
        return counter(1), counter.calls

    for _ in range(2):
        seen = attempt((use,), replace(request, results=2))
        assert [value.array.item() for value in seen.values] == [3, 1]
        assert seen.changed == (0,)


# Questions that are none.
GOOD = {"fields": {}, "arguments": (1,), "named": {}}
ODD = {
    "nothing": b"",
    "noise": b"\xff" * 100,
    "no call": to_bytes([1]),
    "fields that are not offered": to_bytes(GOOD | {"fields": {"secret": 1}}),
    "a field's odd value": to_bytes(GOOD | {"fields": {"on": [1]}}),
    "odd names": to_bytes(GOOD | {"named": {1: 2}}),
    "more": to_bytes(GOOD | {"more": 1}),
    "too little": to_bytes({"fields": {}}),
    "odd rows": to_bytes(GOOD | {"rows": [1]}),
    "odd slopes": to_bytes(GOOD | {"upstream": 1}),
    "more slopes than results": to_bytes(GOOD | {"upstream": [torch.ones(1)] * 3}),
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_question_is_a_forgery(name):
    _, held = stood_in(Counter(7))
    (number,) = held
    with pytest.raises(Forged):
        Questions(held, 5.0).answer(number, ODD[name], ())


def test_bytes_of_another_make_are_no_call():
    for content in (b"", b"x" * 9, to_bytes(1)[:-1]):
        with pytest.raises(OddBytes):
            from_bytes(content)


def test_a_round_has_so_many_calls_and_seconds(monkeypatch):
    def slow(_):
        end = time.thread_time() + 0.06
        while time.thread_time() < end:
            pass

    _, held = stood_in(slow)
    (number,) = held
    questions, call = Questions(held, 0.1), to_bytes(GOOD)
    found = [from_bytes(questions.answer(number, call, ("t", 1, 0))) for _ in range(3)]
    assert [*map(len, found)] == [2, 2, 1]
    kind, (text,) = found[2]["raised"]
    assert getattr(builtins, kind) is RuntimeError
    assert "of computing" in text
    assert "value" in from_bytes(questions.answer(number, call, ("t", 1, 1)))
    monkeypatch.setattr("tt_utils.grading.classroom.sandbox.questions.CALLS", 0)
    answer = from_bytes(questions.answer(number, call, ("t", 1, 2)))
    assert "called more than" in answer["raised"][1][0]
