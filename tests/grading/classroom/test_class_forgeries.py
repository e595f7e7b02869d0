"""Notebooks that know the first round by heart, or lie: nothing unsolved earns a point.

The numbers of the first round are the notebook's, so its right answers can be copied
out of the installed book. Those of the others nobody has seen.
"""

import ctypes
import json
import platform
from dataclasses import replace

import numpy as np
import pytest
from quick import FUNCTIONS

from tt_utils.grading.classroom.grader import grade
from tt_utils.grading.classroom.handed_in.submission import Submission
from tt_utils.grading.classroom.rounds import judged
from tt_utils.grading.classroom.sandbox.limits import STARVED
from tt_utils.grading.classroom.sandbox.parcel import order_of
from tt_utils.grading.classroom.sandbox.replies import HandedIn
from tt_utils.grading.judging.known_answers import expected
from tt_utils.grading.observing.observation import Handed, Observation
from tt_utils.grading.observing.plain_values import plain
from tt_utils.grading.tasks import find
from tt_utils.grading.tasks.inputs import Rule
from tt_utils.grading.tasks.requests import requests

SEEDS = 0, 271_828, 314_159, 314_159  # as `rounds.new_seeds` makes them
TASK = find("01.2")
KNOWN = [expected(TASK, 0, n).values[0].array.tolist() for n in range(5)]
HONEST = 'check("01.1", 56, 56 / 65)'
CALL = 'check("01.2", cosine_matrix)'
RIGHT = """
def cosine_matrix(A, B):
    lengths = np.outer(np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1))
    return np.divide(A @ B.T, lengths, out=np.zeros(lengths.shape), where=lengths > 0)
"""

# What a cell may use: the first round's answers, by turn and by shape.
KNOWING = f"""
import gc, os, sys, time
KNOWN = [np.array(table) for table in {KNOWN}]
BY_SHAPE = {{table.shape: table for table in KNOWN}}

def by_shape(A, B):
    return BY_SHAPE[len(A), len(B)]

def frames():
    frame = sys._getframe()
    while frame:
        yield frame
        frame = frame.f_back

def answer_in(place):
    "One number higher each time, in whichever process."
    with open(place, "ab+") as file:
        file.write(b"x")
        file.flush()
        return os.fstat(file.fileno()).st_size - 1
"""

# Each defines what is handed in as 01.2.
BY_HEART = {
    "a table by shape": "cosine_matrix = by_shape",
    "a table by what is asked": """
from tt_utils.grading.classroom.student_side import hand_in
first = hand_in._desks[0].job.tasks["01.2"].rounds[0]
TABLE = {r.arguments[0].tobytes(): t for r, t in zip(first, KNOWN)}
def cosine_matrix(A, B):
    return TABLE.get(A.tobytes(), by_shape(A, B))
""",
    "turns counted in a file": """
def cosine_matrix(A, B):
    turn = answer_in("/tmp/turn")
    return KNOWN[turn] if turn < 5 else by_shape(A, B)
""",
    "turns counted in shared memory": """
import mmap
shared = mmap.mmap(-1, 8)
def cosine_matrix(A, B):
    shared[0] += 1
    return KNOWN[(shared[0] - 1) % 5]
""",
    "turns told through a pipe": """
inlet, outlet = os.pipe()
os.write(outlet, bytes(range(5)))
os.set_blocking(inlet, False)
def cosine_matrix(A, B):
    try:
        return KNOWN[os.read(inlet, 1)[0]]
    except BlockingIOError:
        return by_shape(A, B)
""",
    "answers kept from round to round": """
def cosine_matrix(A, B):
    place = f"/tmp/kept-{A.shape}{B.shape}.npy"
    if not os.path.exists(place):
        np.save(place, by_shape(A, B))
    return np.load(place)
""",
    "the request in a frame of the grader's": """
def cosine_matrix(A, B):
    asked = next(f.f_locals["requests"] for f in frames() if "requests" in f.f_locals)
    now = next(f.f_locals["request"] for f in frames() if "request" in f.f_locals)
    return KNOWN[next(n for n, one in enumerate(asked) if one is now)]
""",
    "the requests among all objects": """
found = [x for x in gc.get_objects() if type(x).__name__ == "Request"]
def cosine_matrix(A, B):
    same = [n for n, x in enumerate(found) if np.array_equal(x.arguments[0], A)]
    return KNOWN[same[0]] if same[0] < 5 else by_shape(A, B)
""",
    "the round by the identity of its numbers": """
from tt_utils.grading.classroom.student_side import hand_in
rounds = hand_in._desks[0].job.tasks["01.2"].rounds
def cosine_matrix(A, B):
    where = [(n, m) for n, asked in enumerate(rounds) for m, r in enumerate(asked)
             if np.array_equal(r.arguments[0], A)]
    number, turn = where[0]
    return KNOWN[turn] if number == 0 else by_shape(A, B)
""",
    "the first round is asked in every one": """
from dataclasses import replace
from tt_utils.grading.classroom.student_side import hand_in
job = hand_in._desks[0].job
asked = job.tasks["01.2"]
turned = replace(asked, rounds=(asked.rounds[0],) * len(asked.rounds))
job.tasks["01.2"] = turned
cosine_matrix = by_shape
""",
    "the probe is another one": """
from tt_utils.grading.observing import probes
probes.call.__code__ = (lambda answers, *given: answers[0](*given)).__code__
cosine_matrix = by_shape
""",
    "it ends where it doesn't know": """
def cosine_matrix(A, B):
    if answer_in("/tmp/turn") > 3:
        os._exit(0)
    return by_shape(A, B)
""",
    "it sleeps where it doesn't know": """
def cosine_matrix(A, B):
    if answer_in("/tmp/turn") in (4, 5):
        time.sleep(1000)
    return by_shape(A, B)
""",
    "it ends the notebook where it doesn't know": """
def cosine_matrix(A, B):
    if answer_in("/tmp/turn") > 3:
        os.kill(os.getppid(), 9)
    return by_shape(A, B)
""",
    "it takes all memory where it doesn't know": """
def cosine_matrix(A, B):
    if answer_in("/tmp/turn") > 3:
        kept = [bytearray(2**26) for _ in range(2**10)]
    return by_shape(A, B)
""",
}

LIES = {
    "its inputs": "cosine_matrix = lambda A, B: A",
    "both inputs": "cosine_matrix = lambda A, B: (A, B)",
    "zeros of the right shape": "cosine_matrix = lambda A, B: A @ B.T * 0",
    "minus zero": "cosine_matrix = lambda A, B: A @ B.T * -0.0",
    "not a number": "cosine_matrix = lambda A, B: A @ B.T * np.nan",
    "infinite": "cosine_matrix = lambda A, B: A @ B.T + np.inf",
    "an array of another kind": """
class Agrees(np.ndarray):
    __eq__ = __ge__ = __le__ = lambda *_: np.True_
    shape = property(lambda self: (2, 3))
    def __array__(self, *_, **__):
        return KNOWN[1]
cosine_matrix = lambda A, B: np.zeros((2, 3)).view(Agrees)
""",
    "an array by its own word": """
class Word:
    def __array__(self, *_, **__):
        return by_shape(*self.given)
def cosine_matrix(A, B):
    word = Word()
    word.given = A, B
    return word
""",
    "numbers that equal all": """
class Any(float):
    __eq__ = __lt__ = __gt__ = lambda *_: True
    __hash__ = float.__hash__
cosine_matrix = lambda A, B: [[Any(0.5)] * len(B)] * len(A)
""",
    "a list that is another one each time": """
class Turning(list):
    def __iter__(self):
        self[:] = KNOWN[answer_in("/tmp/turn") % 5].tolist()
        return super().__iter__()
cosine_matrix = lambda A, B: Turning(by_shape(A, B).tolist())
""",
    "a class by name": """
class Tensor:
    __module__ = "torch"
    numel = lambda self: 1
    layout = "torch.strided"
cosine_matrix = lambda A, B: Tensor()
""",
    "an exception that holds it": """
def cosine_matrix(A, B):
    raise ValueError(by_shape(A, B).tolist(), "\\x1b[2J\\u202e<script>=1+1")
""",
    "an exception without words": """
class Mute(Exception):
    __str__ = __repr__ = property(lambda self: 1 / 0)
def cosine_matrix(A, B):
    raise Mute
""",
    "an exit": "def cosine_matrix(A, B):\n    raise SystemExit(0)",
    "huge numbers": "cosine_matrix = lambda A, B: [[10**5000] * len(B)] * len(A)",
    "odd digits": "cosine_matrix = lambda A, B: [['١٫٠'] * len(B)] * len(A)",
    "an array without end": """
cosine_matrix = lambda A, B: np.broadcast_to(1.0, (10**9, 10**9))
""",
    "an array of many axes": "cosine_matrix = lambda A, B: np.ones((1,) * 60)",
    "a generator without end": """
import itertools
cosine_matrix = lambda A, B: itertools.count()
""",
    "a list in itself": """
def cosine_matrix(A, B):
    table = []
    table.append(table)
    return table
""",
    "strides that show one place": """
cosine_matrix = lambda A, B: np.lib.stride_tricks.as_strided(
    np.ones(1), (len(A), len(B)), (0, 0))
""",
    "a function that is none": """
class Function:
    __name__ = property(lambda self: 1 / 0)
    __getattr__ = lambda self, name: self
    __call__ = lambda self, *_: self
cosine_matrix = Function()
""",
    "a class": "class cosine_matrix:\n    def __init__(self, A, B):\n        pass",
    "marks in its name": """
cosine_matrix = lambda A, B: A @ B.T
cosine_matrix.__name__ = "=1+1\\x1b[2J\\u202e<script>alert(1)</script>"
""",
    "a name that looks alike": "def c\N{GREEK SMALL LETTER OMICRON}sine_matrix(A, B):"
    "\n    return A\ncosine_matrix = lambda A, B: A @ B.T",
    "whatever can be imported": """
import importlib
def cosine_matrix(A, B):
    for name, made in {"tt_utils.grading.judging.known_answers": "expected",
                       "tt_utils.grading.tasks": "find",
                       "solutions": "cosine_matrix", "transformer_textbook": "find",
                       "tt_utils.grading.tasks.ch01_dot_product.t2_cosine_matrix":
                       "PLAIN"}.items():
        try:
            return getattr(importlib.import_module(name), made)(A, B)
        except Exception:
            pass
""",
    "whatever others handed in": """
import glob, json
def cosine_matrix(A, B):
    for place in ("/tmp", "/", "/proc/1/root", "/proc/1/cwd", "/dev/shm", "/home"):
        for file in glob.glob(place + "/**/*.ipynb", recursive=place == "/tmp"):
            exec("".join(json.load(open(file))["cells"][1]["source"]), globals())
            return cosine_matrix(A, B)
""",
}

# These send messages of their own, `tell`, or what is sent, `seen`, is theirs.
FRAMES = """
from tt_utils.grading.classroom.student_side import frames as wire, hand_in, session
from tt_utils.grading.observing.observation import Observation
from tt_utils.grading.observing.observation_bytes import to_bytes
from tt_utils.grading.observing.plain_values import plain
from dataclasses import replace

desk = hand_in._desks[0]
SEEN = [Observation(values=(plain(table),)) for table in KNOWN]

def tell(body=b"", **head):
    os.write(desk.outlet, wire.pack({"task": "01.2", "turn": desk.turn, **head}, body))

def first_round(seed=0):
    for seen in SEEN:
        tell(to_bytes(seen), say="call", seed=seed)

def handed(turn):
    kind = {"form": "the function `f`", "kind": "function"}
    tell(say="handed", turn=turn, answers=[kind])

cosine_matrix = by_shape
"""
BY_FRAMES = {
    "the first round in all of them": """
handed(9)
for seed in range(4):
    desk.turn = 9
    first_round(seed)
tell(say="taken")
""",
    "a second time after the calls": """
check("01.2", cosine_matrix)
desk.turn = 9
handed(9)
first_round()
""",
    "all but one of the first": """
handed(desk.turn)
for seen in SEEN[:4]:
    tell(to_bytes(seen), say="call", seed=0)
tell(say="taken")
""",
    "calls after a stop": """
handed(desk.turn)
for seed in range(4):
    for seen in [SEEN[0], Observation(stopped="time"), *SEEN[2:]]:
        tell(to_bytes(seen), say="call", seed=seed)
""",
    "more calls than were asked": "handed(desk.turn)\nfirst_round()\nfirst_round()",
    "rounds that are none": """
handed(desk.turn)
first_round()
for seed in (-1, 2**70, True, None, "1", [0], 1e300, float("nan")):
    tell(to_bytes(SEEN[0]), say="call", seed=seed)
""",
    "a turn that is no number": """
for turn in ([], {}, None, float("nan")):
    handed(turn)
    tell(to_bytes(SEEN[0]), say="call", seed=0, turn=turn)
""",
    "cells that come again": """
handed(desk.turn)
first_round()
tell(say="by name")
tell(say="cell", number=1)
tell(say="cell", number=1)
""",
    "the end": "handed(desk.turn)\nfirst_round()\ntell(say='end')\ntime.sleep(1)",
    "honest calls, each of them twice": """
said = desk.say
def twice(head, body=b""):
    said(head, body)
    said(head, body)
type(desk).say = lambda self, head, body=b"": twice(head, body)
""",
    "what was right is sent again": """
type(desk).observe = lambda self, answers, asked, seconds, head: [
    tell(to_bytes(seen), say="call", **{"seed": head["seed"]})
    for seen in SEEN] and False
""",
    "both kinds at once": """
odd = replace(SEEN[0], stopped="time", raised=None)
session.to_bytes = lambda seen: to_bytes(odd)
""",
    "a step without end": """
coarse = replace(SEEN[0].values[0], eps=float("inf"))
session.to_bytes = lambda seen: to_bytes(replace(SEEN[0], values=(coarse,)))
""",
    "many values": """
session.to_bytes = lambda seen: to_bytes(replace(SEEN[0], values=SEEN[0].values * 999))
""",
    "a value within values": """
deep = replace(SEEN[0].values[0], array=None, kind="data", data={"keys": "a", "b": []})
session.to_bytes = lambda seen: to_bytes(replace(SEEN[0], values=(deep,)))
""",
    "an array of no size and endless shape": """
endless = replace(SEEN[0].values[0], array=np.zeros((2**40, 0)))
session.to_bytes = lambda seen: to_bytes(replace(SEEN[0], values=(endless,)))
""",
    "a process that writes later": """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for turn in range(4000):
            time.sleep(0.001)
            desk.turn = turn % 4
            handed(turn % 4)
            first_round()
    os._exit(0)
""",
    "a thread that writes meanwhile": """
import threading
def write():
    while True:
        time.sleep(0.01)
        handed(desk.turn)
        first_round()
threading.Thread(target=write, daemon=True).start()
""",
    "01.1 handed in as 01.2": """
desk.job.tasks["01.2"] = desk.job.tasks["01.1"]
check("01.2", 56, 56 / 65)
def check(*_): pass
""",
    "01.2 handed in fifty times": "for _ in range(50):\n    check('01.2', by_shape)",
}


@pytest.fixture(scope="module")
def hand_in(settings, notebook):
    limits = replace(settings.limits, cell=3.0, task=0.5, memory=2**29)
    real = replace(settings, seeds=SEEDS, limits=limits)

    def handed_in(*cells):
        return grade(Submission("x.ipynb", content=notebook(*cells)), real)

    return handed_in


def assert_nothing_is_earned(record):
    assert record.problem == ""
    assert record.tasks["01.1"].verdict == "right"
    forged = record.tasks["01.2"]
    assert forged.points == 0, forged
    assert forged.verdict != "right"
    for sentence in (forged.message, *record.notes):
        assert sentence.endswith((".", "?", ".)")), sentence
        assert sentence.replace("\n", " ").isprintable(), sentence


@pytest.mark.parametrize("name", BY_HEART)
def test_the_first_round_by_heart_earns_nothing(hand_in, name):
    record = hand_in(HONEST, KNOWING, BY_HEART[name], CALL)
    assert_nothing_is_earned(record)


@pytest.mark.parametrize("name", LIES)
def test_an_answer_that_lies_earns_nothing(hand_in, name):
    record = hand_in(HONEST, KNOWING, LIES[name], CALL)
    assert_nothing_is_earned(record)


@pytest.mark.parametrize("name", BY_FRAMES)
def test_messages_of_the_students_own_earn_nothing(hand_in, name):
    record = hand_in(HONEST, KNOWING, FRAMES, BY_FRAMES[name], CALL)
    assert_nothing_is_earned(record)


def test_the_same_notebook_with_a_right_answer_earns_all(hand_in):
    record = hand_in(HONEST, KNOWING, FRAMES, RIGHT, CALL)
    assert record.tasks["01.1"].verdict == record.tasks["01.2"].verdict == "right"


# Memory that stands in no process: as far as it is counted, the cell is stopped.
OUTSIDE = {
    "files in memory": """
import os
held = [os.memfd_create(str(n)) for n in range(4)]
for file in held:
    for _ in range(20):
        os.write(file, bytes(10 * 2**20))
""",
    "shared segments": """
import ctypes, os
c = ctypes.CDLL(None, use_errno=True)
if c.shmget(0, 2**20, 0o1600) < 0:
    raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
""",
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_no_memory_lies_outside_of_processes(settings, notebook, name):
    limits = replace(settings.limits, memory=500 * 2**20, cell=5.0)
    content = notebook(
        HONEST, OUTSIDE[name] + "import time\ntime.sleep(2)", RIGHT, CALL
    )
    small = replace(settings, seeds=SEEDS, limits=limits)
    record = grade(Submission("x", content=content), small)
    assert record.tasks["01.1"].verdict == record.tasks["01.2"].verdict == "right"
    assert "Operation not permitted" in " ".join(record.notes)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="needs x86")
def test_no_key_is_left_for_the_next_one(hand_in):
    """As after a login on most systems, where a ring of keys is handed on."""
    add, keyctl, session_ring = 248, 250, -3
    ctypes.CDLL(None).syscall(keyctl, 1, None)
    hand_in(
        "import ctypes\nctypes.CDLL(None).syscall"
        f"({add}, b'user', b'tt', b'secret', 6, {session_ring})",
        HONEST,
    )
    record = hand_in(
        "import ctypes\nfound = ctypes.CDLL(None).syscall"
        f"({keyctl}, 10, {session_ring}, b'user', b'tt', 0)\nassert found == -1, found",
        HONEST,
    )
    assert record.notes == ()


def test_a_notebook_has_its_time_once(settings, notebook):
    """However many chapters it is graded for, and however often it is run again."""
    limits = replace(settings.limits, cell=1.0, task=1.0, wall=4.0)
    naps = ["import time\ntime.sleep(0.9)"] * 3
    ends = [f"import os\nos._exit({n})" for n in range(3)]
    tasks = ['check("01.1", 56, 56 / 65)', 'check("04.1", 1)', 'check("09.2", 1)']
    record = grade(
        Submission("x", content=notebook(*tasks, *naps, *ends)),
        replace(settings, seeds=SEEDS, limits=limits),
    )
    assert record.tasks["01.1"].verdict == "right"
    assert record.seconds < STARVED * limits.wall + 5


def test_very_many_cells_are_refused(hand_in):
    record = hand_in(HONEST, *["1"] * 3_000, RIGHT, CALL)
    assert record.problem == "The notebook has more than 2,000 cells of code."
    record = hand_in(HONEST, *["1"] * 1_900, RIGHT, CALL)
    assert record.tasks["01.1"].verdict == record.tasks["01.2"].verdict == "right"


def code(source, **more):
    return {"cell_type": "code", "source": source, **more}


CELLS = [code(source) for source in ("import numpy as np", HONEST, RIGHT, CALL)]
GRADED = {
    "a mark at its beginning": "\ufeff" + json.dumps({"cells": CELLS}),
    "not a number": json.dumps({"cells": CELLS, "nbformat": float("nan")}),
    "sheets": json.dumps({"worksheets": [{"cells": CELLS[:2]}, {"cells": CELLS[2:]}]}),
    "input for source": json.dumps(
        {"cells": [{"cell_type": "code", "input": c["source"]} for c in CELLS]}
    ),
    "the cells twice": '{"cells": [], ' + json.dumps({"cells": CELLS})[1:],
    "cells that are none": json.dumps({"cells": [1, None, [], "x", {}, *CELLS]}),
    "sources of all kinds": json.dumps(
        {"cells": [*map(code, ({"a": 1}, 7, [1, ["x"], None], True)), *CELLS]}
    ),
    "half characters": json.dumps({"cells": [code("'\ud800'"), *CELLS]}),
    "control characters": json.dumps(
        {"cells": [*map(code, ("\0", "\x1b[2J = 1", "\x0c1", "\u202e1")), *CELLS]}
    ),
    "other ends of lines": json.dumps(
        {"cells": [code(c["source"].replace("\n", "\r\n")) for c in CELLS]}
    ),
    "a deep expression": json.dumps(
        {"cells": [code("(" * 9999), code("-" * 99999 + "1"), *CELLS]}
    ),
    "a long line": json.dumps({"cells": [code("x = '" + "a" * 10**6 + "'"), *CELLS]}),
}
REFUSED = {
    "a list": "[1, 2]",
    "deep": "[" * 10**6,
    "a huge number": '{"cells": ' + "9" * 10**5 + "}",
    "half of it": json.dumps({"cells": CELLS})[:-5],
    "only marks": "\ufeff",
    "UTF-16": json.dumps({"cells": CELLS}).encode("utf-16"),
    "cells in an object": json.dumps(
        {"cells": {str(n): c for n, c in enumerate(CELLS)}}
    ),
    "no graded task": json.dumps({"cells": [code('check("99.99", 1)')]}),
    "digits of another script": json.dumps({"cells": [code('check("٠١.١", 1)')]}),
}


def as_bytes(text):
    return text if isinstance(text, bytes) else text.encode()


@pytest.mark.parametrize("name", GRADED)
def test_an_odd_notebook_is_graded(settings, name):
    submission = Submission("x", content=as_bytes(GRADED[name]))
    record = grade(submission, replace(settings, seeds=SEEDS))
    assert record.tasks["01.1"].verdict == record.tasks["01.2"].verdict == "right"
    for note in record.notes:
        assert note.replace("\n", " ").isprintable(), note


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_notebook_is_refused_with_a_sentence(settings, name):
    record = grade(Submission("x", content=as_bytes(REFUSED[name])), settings)
    assert record.problem.endswith(".")
    assert not record.tasks


# Who has solved nothing, but has the first round's answers: each rule says the answer
# to which of its checks is given to a request. One rule a task is a constant.
def in_turn(task, request, turn):
    return turn


def by_what_is_asked(task, request, turn):
    return first_like(task, request, contents)


def by_sizes(task, request, turn):
    return first_like(task, request, sizes)


def constants(task):
    return [lambda *_, n=n: n for n in range(len(task.checks))]


RULES = {
    "in turn": lambda task: [in_turn],
    "by what is asked": lambda task: [by_what_is_asked],
    "by sizes": lambda task: [by_sizes],
    "a constant": constants,
}
BY_NATURE: dict[tuple[str, str], int] = {}  # points that remain, with the reason


def first_like(task, request, look):
    """The first check of round 0 that looks the same, or the first of all."""
    alike = (
        n
        for n, known in enumerate(requests(task, 0))
        if (known.probe, look(known.arguments))
        == (request.probe, look(request.arguments))
    )
    return next(alike, 0)


def contents(thing):
    """All that a table can be asked by; a function is as good as any other."""
    if isinstance(thing, np.ndarray):
        return thing.shape, thing.tobytes()
    if isinstance(thing, tuple | list):
        return type(thing), *map(contents, thing)
    if isinstance(thing, dict):
        return tuple((contents(k), contents(v)) for k, v in thing.items())
    if isinstance(thing, Rule) or type(thing).__repr__ is object.__repr__:
        return type(thing)
    return repr(thing)


def sizes(thing):
    """The shape of it all, without its numbers and letters."""
    if isinstance(thing, np.ndarray):
        return thing.shape, thing.dtype.kind
    if isinstance(thing, tuple | list):
        return type(thing), *map(sizes, thing)
    if isinstance(thing, dict):
        return tuple((sizes(k), sizes(v)) for k, v in thing.items())
    if isinstance(thing, str):
        return str, len(thing)
    return thing if isinstance(thing, bool) else type(thing)


def points_by(task, rule):
    """What all rounds come to, answered by a rule, asked as in the sandbox."""
    rounds = {}
    for number, seed in enumerate(SEEDS):
        asked = requests(task, seed)
        rounds[number] = [
            expected(task, 0, rule(task, asked[check], turn))
            for turn, check in enumerate(order_of(task, seed, number))
        ]
    form = Handed("the function `f`", "function")
    return judged(task, SEEDS, HandedIn((form,) * len(task.answers), rounds)).points


@pytest.fixture
def no_diagnosis(monkeypatch):
    """It takes long, and changes no points."""
    monkeypatch.setattr("tt_utils.grading.judging.judge.diagnose", lambda *_: ())


@pytest.mark.usefixtures("no_diagnosis")
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("task", FUNCTIONS, ids=lambda task: task.id)
def test_who_has_the_first_rounds_answers_earns_nothing(task, rules):
    points = max(points_by(task, rule) for rule in RULES[rules](task))
    assert points == BY_NATURE.get((task.id, rules), 0)


WRONG = Observation(values=(plain("nothing of the kind"),))
LATER = {
    "missing": lambda task, seed, turn: None,
    "garbage": lambda task, seed, turn: WRONG,
    "stopped": lambda task, seed, turn: Observation(stopped="time"),
    "in the order of the first": lambda task, seed, turn: expected(task, seed, turn),
}


@pytest.mark.usefixtures("no_diagnosis")
@pytest.mark.parametrize("later", LATER)
@pytest.mark.parametrize("task", FUNCTIONS, ids=lambda task: task.id)
def test_a_right_first_round_alone_earns_nothing(task, later):
    checks = range(len(task.checks))
    first = [expected(task, 0, n) for n in checks]
    rounds = {0: first}
    for number, seed in enumerate(SEEDS[1:], 1):
        said = (LATER[later](task, seed, turn) for turn in checks)
        rounds[number] = [one for one in said if one is not None]
    form = Handed("the function `f`", "function")
    found = judged(task, SEEDS, HandedIn((form,) * len(task.answers), rounds))
    assert found.points == 0
    assert not found
